package agentsessions.chaos.kills;

import agentsessions.chaos.rig.SupervisedService;
import agentsessions.talk.Await;
import agentsessions.talk.Client;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;
import org.awaitility.core.ConditionTimeoutException;

/// Random kills: `kill -9` of a service, its database, or another of its children, at moments that
/// a seed draws: while it serves, and twice in each of its starts. Meanwhile clients send messages.
/// The service must be back each time, with its agents, and each accepted message must end, once
/// and in order.
public final class RandomKills implements AutoCloseable {
  private static final int TALKERS = 8;
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final SupervisedService service;
  private final Killer killer;
  private final List<RetryingClient> talkers = new CopyOnWriteArrayList<>();
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private int ends;
  private Duration longest = Duration.ZERO;

  public RandomKills(Path data) throws IOException {
    service = new SupervisedService(data);
    killer = new Killer(service);
  }

  /// Runs until so many processes were killed.
  ///
  /// @param seed of the first round; each further round adds one
  public RandomKills run(int count, long seed) throws Exception {
    service.begin();
    awaitService();
    for (int i = 0; i < TALKERS; i++) {
      talkers.add(talker());
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      talkers.forEach(talker -> threads.execute(() -> talker.talk(Integer.MAX_VALUE)));
      rounds(count, seed);
    }
    talkers.forEach(talker -> failures.addAll(talker.failures()));
    return this;
  }

  public List<String> failures() {
    return List.copyOf(failures);
  }

  public String figures() {
    Map<String, Integer> turns = new TreeMap<>();
    talkers.stream()
        .flatMap(talker -> talker.ended().stream())
        .forEach(turn -> turns.merge(turn.how(), 1, Integer::sum));
    return "%s; services ended: %d; longest wait until it served: %.1f s; turns %s; failures: %d"
        .formatted(killer, ends, longest.toMillis() / 1e3, turns, failures.size());
  }

  @Override
  public void close() {
    service.close();
  }

  private void rounds(int count, long seed) throws IOException {
    try {
      for (long next = seed; killer.count() < count && allIsWell(); next++) {
        round(new SplittableRandom(next));
        System.out.println("seed " + next + ": " + figures());
      }
    } catch (ConditionTimeoutException away) {
      failures.add(String.valueOf(away.getMessage()));
    } finally {
      talkers.forEach(RetryingClient::stop);
    }
  }

  private boolean allIsWell() {
    return talkers.stream().allMatch(RetryingClient::isWell);
  }

  /// Crashes the service less than five times in a row with less than a minute between two crashes:
  /// after the fifth its script gives up.
  private void round(RandomGenerator random) throws IOException {
    killer.whileItServes(random);
    killer.whileItStarts(random);
    visit();
    killer.all();
    service.begin();
    killer.whileItStarts(random);
    visit();
  }

  /// A new client must be served at once. Turns of other clients may have to wait until the loss of
  /// their runner is noticed.
  private void visit() throws IOException {
    awaitService();
    RetryingClient visitor = new RetryingClient(service.client());
    talkers.add(visitor);
    visitor.talk(1);
  }

  private void awaitService() {
    Instant begun = Instant.now();
    Await.await("a service with its agents: see " + service.log(), TIMEOUT, Duration.ofMillis(200))
        .until(this::serves);
    Duration taken = Duration.between(begun, Instant.now());
    longest = taken.compareTo(longest) > 0 ? taken : longest;
  }

  /// A service that its script has given up is a failure, and is started again so that the run goes
  /// on.
  private boolean serves() throws IOException {
    if (service.hasEnded()) {
      ends++;
      failures.add("the service has ended: see " + service.log());
      service.begin();
    }
    return service.serves();
  }

  /// A client with a key, and therefore a rate limit, of its own.
  private RetryingClient talker() throws IOException {
    Client owner = service.client();
    Map<String, ?> grant = Map.of("name", "talker", "scopes", List.of("read", "write"));
    return new RetryingClient(owner.with(owner.post("/keys", grant).expect(201).text("/key")));
  }
}
