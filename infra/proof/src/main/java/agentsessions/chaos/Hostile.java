package agentsessions.chaos;

import agentsessions.talk.Answer;
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
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/// Four hostile sessions, and somebody without a key, beside twenty others: none of the others may
/// lose a turn or be refused, and the slowest of their polls may be five times as slow as without.
/// Also every turn of the four has to end, their sessions can be deleted, and no port gives
/// anything to whoever has no key.
final class Hostile implements AutoCloseable {
  private static final List<Attack> ATTACKS = List.of(Attack.values());
  private static final int HOSTILE = 4;
  private static final int KEYS = 5;
  private static final double MOST = 5;
  private static final Duration BETWEEN_ROUNDS = Duration.ofSeconds(5);

  private final ServiceProcess service;
  private final Bystanders bystanders;
  private final List<String> failures = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, Integer> ends = Collections.synchronizedMap(new TreeMap<>());

  Hostile(Path data) throws IOException {
    Path catalogue = Files.writeString(data.resolve("agents.yaml"), Attack.CATALOGUE);
    service =
        new ServiceProcess(
            data,
            Map.of(),
            List.of(
                "--agents",
                catalogue.toString(),
                "--turn-memory",
                "1024",
                "--session-disk",
                "512"));
    service.await();
    bystanders = new Bystanders(service);
  }

  /// Runs for so long in the quiet, then for so long with the hostile four.
  Hostile run(Duration time) throws Exception {
    Figures _ =
        bystanders.run(Duration.ofSeconds(15)); // the first turns of a service are its slowest
    Figures quiet = bystanders.run(Duration.ofSeconds(Math.clamp(time.toSeconds() / 3, 10, 60)));
    System.out.println("quiet:   " + quiet + load());
    Figures loud = withHostile(time);
    System.out.println("hostile: " + loud + load());
    ends.forEach((end, count) -> System.out.printf("  %4d x %s%n", count, end));
    if (loud.percentile(99) > MOST * quiet.percentile(99)) {
      failures.add("p99 of a poll is more than %.0f times as slow".formatted(MOST));
    }
    return this;
  }

  /// Others may use the machine, too.
  private static String load() throws IOException {
    return "; load " + Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0];
  }

  List<String> failures() {
    List<String> all = new ArrayList<>(bystanders.failures());
    all.addAll(failures);
    return all;
  }

  @Override
  public void close() {
    service.close();
  }

  private Figures withHostile(Duration time) throws Exception {
    Instant end = Instant.now().plus(time);
    Intruder intruder = new Intruder(service, link());
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int number = 0; number < HOSTILE; number++) {
        Client client = service.client(Rig.workspace(), KEYS);
        int first = number * ATTACKS.size() / HOSTILE;
        threads.execute(() -> attack(client, first, end));
      }
      threads.execute(() -> knock(intruder, end));
      return bystanders.run(time);
    }
  }

  /// One attack after the other, each in a session of its own, which is deleted then.
  private void attack(Client client, int first, Instant end) {
    for (int number = first; Instant.now().isBefore(end); number++) {
      Attack attack = ATTACKS.get(number % ATTACKS.size());
      ends.merge(attack + ": " + Bystanders.shortened(end(client, attack)), 1, Integer::sum);
    }
  }

  /// How it ended: the reply, or what went wrong.
  private String end(Client client, Attack attack) {
    try {
      Map<String, String> message =
          Map.of("agent_name", attack.agent(), "message", attack.script());
      Answer begun = client.post("/sessions", message).expect(201);
      String reply =
          Bystanders.reply(client, begun.text("/_links/final_message/href"), new Figures());
      if (reply.startsWith(Bystanders.NO_REPLY)) {
        failures.add(attack + ": " + reply);
      }
      client.delete("/sessions/" + begun.text("/id")).expect(204);
      return reply;
    } catch (RuntimeException | AssertionError refused) {
      failures.add(attack + ": " + Bystanders.shortened(String.valueOf(refused.getMessage())));
      return "refused";
    }
  }

  /// Somebody without a key, who wears out the ports and tries what they open.
  private void knock(Intruder intruder, Instant end) {
    int rounds = 0;
    try (Outsider outsider = new Outsider(service)) {
      while (Instant.now().isBefore(end)) {
        outsider.round();
        failures.addAll(intruder.opened());
        rounds++;
        LockSupport.parkNanos(BETWEEN_ROUNDS.toNanos());
      }
    } catch (IOException | RuntimeException broken) {
      failures.add("without a key: " + broken);
    }
    ends.merge("rounds without a key, at %d ports".formatted(ports()), rounds, Integer::sum);
  }

  private int ports() {
    try {
      return Intruder.ports(service).size();
    } catch (IOException gone) {
      return 0;
    }
  }

  /// A download link, as whoever is given one has it.
  private URI link() throws Exception {
    Client client = service.client(Rig.workspace(), 1);
    Map<String, String> message = Map.of("agent_name", "shell", "message", "echo plan > PLAN.md");
    Answer begun = client.post("/sessions", message).expect(201);
    String _ = Bystanders.reply(client, begun.text("/_links/final_message/href"), new Figures());
    String artifacts = "/sessions/" + begun.text("/id") + "/artifacts";
    return URI.create(client.get(artifacts).expect(200).text("/items/0/url"));
  }
}
