package agentsessions.chaos.hostile;

import agentsessions.chaos.rig.LatencyFigures;
import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.ServicePart;
import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/// The noisy-neighbour experiment: six hostile sessions, and attackers without a key, beside twenty
/// other clients. None of the others may lose a turn or be refused, their slowest polls may take
/// five times as long as without, and the database must survive.
///
/// Four of the six try one attack after the other, in an order that a seed draws; one holds as many
/// long polls as it may, one has the largest pages read with a read-only key. Each of their turns
/// has to end, too, and no port gives any data to a client without a key.
public final class Hostile implements AutoCloseable {
  private static final int ATTACKERS = 4;
  private static final int KEYS = 5;
  private static final double MOST = 5;
  private static final Duration WARM_UP = Duration.ofSeconds(15); // the first turns are the slowest
  private static final Duration BETWEEN_ROUNDS = Duration.ofSeconds(5);

  /// Long enough for the reader's one key, which has 100 requests a minute.
  private static final Duration BETWEEN_PAGES = Duration.ofSeconds(15);

  private final ServiceProcess service;
  private final Bystanders bystanders;
  private final Random random;
  private final List<HostileSession> attackers = new CopyOnWriteArrayList<>();
  private final List<String> failures = new CopyOnWriteArrayList<>();

  /// @param seed of the order of attacks, and of the number of concurrent readers
  public Hostile(Path data, long seed) throws IOException {
    random = new Random(seed);
    Path catalogue = Files.writeString(data.resolve("agents.yaml"), Attack.CATALOGUE);
    service =
        ServiceProcess.open(
            data,
            List.of(
                "--agents", catalogue.toString(), "--turn-memory", "512", "--session-disk", "512"));
    service.await();
    bystanders =
        new Bystanders(
            service, () -> attackers.stream().map(HostileSession::now).toList().toString());
  }

  /// Measures the other clients alone, then for this time beside the attackers.
  public Hostile run(Duration time) throws Exception {
    LatencyFigures _ = bystanders.run(WARM_UP);
    LatencyFigures quiet =
        bystanders.run(Duration.ofSeconds(Math.clamp(time.toSeconds() / 3, 10, 60)));
    System.out.println("quiet:   " + quiet + load());
    LatencyFigures loud = withHostile(time);
    System.out.println("hostile: " + loud + load());
    System.out.println(loud.slowest());
    System.out.println("answers to others that were no success: " + bystanders.refusals());
    attackers.forEach(attacker -> tell(attacker.ends()));
    if (loud.percentile(99) > MOST * quiet.percentile(99)) {
      failures.add("p99 of a poll is more than %.0f times as slow".formatted(MOST));
    }
    return this;
  }

  public List<String> failures() {
    List<String> all = new ArrayList<>(bystanders.failures());
    attackers.forEach(attacker -> all.addAll(attacker.failures()));
    all.addAll(failures);
    return all;
  }

  @Override
  public void close() {
    service.close();
  }

  /// The machine's load is printed, since other programs may use it, too.
  private static String load() throws IOException {
    return "; load " + Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0];
  }

  private static void tell(Map<String, Integer> ends) {
    ends.forEach((end, count) -> System.out.printf("  %4d x %s%n", count, end));
  }

  private LatencyFigures withHostile(Duration time) throws Exception {
    String readers = Rig.workspace();
    LargePages pages = new LargePages(service.client(readers, KEYS), service.readKey(readers));
    HeldPolls polls =
        new HeldPolls(service.base(), service.client(Rig.workspace(), HeldPolls.KEYS));
    PortScan intruder = new PortScan(service, link());
    hire();
    long database = database();
    Instant end = Instant.now().plus(time);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        ConnectionFlood outsider = new ConnectionFlood(service);
        SlowUploads uploads = new SlowUploads(service.base())) {
      attackers.forEach(attacker -> threads.execute(() -> attacker.run(end)));
      threads.execute(() -> repeat("held polls", BETWEEN_ROUNDS, end, polls::round));
      threads.execute(() -> repeat("large pages", BETWEEN_PAGES, end, () -> read(pages)));
      threads.execute(() -> repeat("uploads", BETWEEN_ROUNDS, end, uploads::round));
      threads.execute(
          () -> repeat("without a key", BETWEEN_ROUNDS, end, () -> knock(outsider, intruder)));
      return bystanders.run(time);
    } finally {
      System.out.printf("%s%n%s%n", polls, pages);
      System.out.printf("the database's process: %d before, %d after%n", database, database());
    }
  }

  private void hire() throws IOException {
    List<Attack> order = new ArrayList<>(List.of(Attack.values()));
    Collections.shuffle(order, random);
    for (int number = 0; number < ATTACKERS; number++) {
      List<Attack> own = new ArrayList<>(order);
      Collections.rotate(own, number * order.size() / ATTACKERS);
      attackers.add(new HostileSession(service.client(Rig.workspace(), KEYS), own));
    }
  }

  /// One round of an attack that is repeated without end.
  @FunctionalInterface
  private interface Round {
    void play() throws IOException;
  }

  private void repeat(String what, Duration pause, Instant end, Round round) {
    while (Instant.now().isBefore(end)) {
      try {
        round.play();
      } catch (IOException | RuntimeException | AssertionError broken) {
        failures.add(what + ": " + Bystanders.shortened(String.valueOf(broken)));
      }
      LockSupport.parkNanos(pause.toNanos());
    }
  }

  /// Holds connections at the ports, and tries to read data through them.
  private void knock(ConnectionFlood outsider, PortScan intruder) throws IOException {
    outsider.round();
    failures.addAll(intruder.opened());
  }

  private void read(LargePages pages) {
    long before = database();
    int readers = pages.round(random);
    if (database() != before) {
      failures.add("the database died while %d read the largest page".formatted(readers));
    }
  }

  /// The process id of the database; -1 while there is none.
  private long database() {
    return service.processes().stream()
        .filter(ServicePart.DATABASE::is)
        .mapToLong(ProcessHandle::pid)
        .findFirst()
        .orElse(-1);
  }

  /// A download link, as a client receives it.
  private URI link() throws Exception {
    Client client = service.client(Rig.workspace(), 1);
    Map<String, String> message = Map.of("agent_name", "shell", "message", "echo plan > PLAN.md");
    ApiResponse begun = client.post("/sessions", message).expect(201);
    String reply = begun.text("/_links/final_message/href");
    String _ = Bystanders.reply(() -> client.get(reply).expect(200));
    String artifacts = "/sessions/" + begun.text("/id") + "/artifacts";
    return URI.create(client.get(artifacts).expect(200).text("/items/0/url"));
  }
}
