package agentsessions.chaos.kills;

import static agentsessions.talk.Await.await;

import agentsessions.chaos.rig.AwsProxy;
import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.talk.Client;
import agentsessions.testing.ProcessMark;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// The kill experiment: `kill -9` of the service with all its children, or of its runner, while one
/// session stands at each boundary of a turn; afterwards every turn must end and every session go
/// on.
public final class Kills implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofMinutes(4);
  private static final String NEXT = "echo next | tee PLAN.md";

  private final AwsProxy wire = AwsProxy.open((call, onward) -> onward.send());
  private final ServiceProcess service;
  private final boolean timePasses;
  private final SessionSteps<Standing> steps = new SessionSteps<>();
  private final Map<TurnBoundary, List<String>> ends = new EnumMap<>(TurnBoundary.class);
  private final AtomicInteger summed = new AtomicInteger();
  private int kills;

  /// @param timePasses whether the test waits for leases to run out; if not, they are set to the
  ///   past right after the kill
  public Kills(Path data, boolean timePasses) throws IOException {
    this.timePasses = timePasses;
    service = new ServiceProcess(data, wire.properties());
    service.await();
  }

  /// The processes that are killed.
  public enum Victim {
    SERVICE {
      @Override
      void die(ServiceProcess service, Runnable atOnce) throws IOException {
        service.kill();
        atOnce.run();
        service.restart();
      }
    },
    RUNNER {
      @Override
      void die(ServiceProcess service, Runnable atOnce) {
        service.killRunners();
        atOnce.run();
      }
    };

    abstract void die(ServiceProcess service, Runnable atOnce) throws IOException;
  }

  /// Kills once, with a session at each of these boundaries.
  public Kills kill(Victim victim, Collection<TurnBoundary> boundaries) throws Exception {
    List<Standing> sessions = new ArrayList<>();
    for (TurnBoundary boundary : boundaries) {
      sessions.add(new Standing(boundary, service.client(Rig.workspace(), 3)));
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      steps.each(threads, sessions, Standing::arrive);
      Instant killed = Instant.now();
      victim.die(service, () -> sessions.forEach(session -> wire.forget(session.session)));
      kills++;
      if (!timePasses) {
        sessions.forEach(Standing::age);
      }
      steps.each(threads, sessions, session -> session.end(killed, victim));
    }
    return this;
  }

  public List<String> failures() {
    return steps.failures();
  }

  public String figures() {
    StringBuilder text = new StringBuilder();
    ends.forEach((boundary, how) -> text.append("  %-16s %s%n".formatted(boundary, how)));
    return "%d kills at %d boundaries: %d failed; %d turns are in the sums once%n%s"
        .formatted(kills, ends.size(), failures().size(), summed.get(), text);
  }

  @Override
  public void close() {
    service.close();
    wire.close();
  }

  /// A session whose second turn is held at a boundary.
  private final class Standing {
    private final TurnBoundary boundary;
    private final Client client;
    private final AtomicBoolean reached = new AtomicBoolean();
    private final ProcessMark mark = ProcessMark.fresh();
    private String session = "none yet";

    Standing(TurnBoundary boundary, Client client) {
      this.boundary = boundary;
      this.client = client;
    }

    @Override
    public String toString() {
      return "%s, %s".formatted(boundary, session);
    }

    void arrive() throws Exception {
      session =
          client
              .post("/sessions", Map.of("agent_name", "shell", "message", "echo ready"))
              .expect(201)
              .text("/id");
      until("the first reply", () -> statuses().equals(List.of("completed")));
      until("the first release", () -> Files.exists(work()));
      wire.rule(session, boundary.hold(() -> reached.set(true)));
      Thread.ofVirtual().start(this::send);
      if (boundary.isAfterCancel()) {
        until("the agent", this::isRunning);
        client.post("/sessions/" + session + "/interrupt", Map.of()).expect(200);
      }
      until("the boundary", () -> boundary.isAgents() ? isRunning() : reached.get());
    }

    private boolean isRunning() {
      return Files.exists(work().resolve("running"));
    }

    private String script() {
      return boundary.isAgents() || boundary.isAfterCancel()
          ? "echo > running; " + mark.sleep()
          : "echo plan > PLAN.md; echo done";
    }

    /// The request may stay without an answer.
    private void send() {
      try {
        client.post("/sessions/" + session + "/messages", Map.of("message", script()));
      } catch (UncheckedIOException killed) {
        // Expected: the service was killed.
      }
    }

    private Path work() {
      return service.data().resolve("sandboxes").resolve(session).resolve("work");
    }

    /// Sets the leases of the turn and of the session's sandbox to the past.
    void age() {
      try {
        String thread = threads().getLast().path("id").asText();
        String workspace = client.get("/me").text("/workspace");
        for (String item : List.of("T#" + thread, "BOX")) {
          service.age("W#" + workspace + "#S#" + session, item);
        }
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    void end(Instant killed, Victim victim) throws Exception {
      until("the end of the turn", () -> isOver(statuses()));
      long seconds = Duration.between(killed, Instant.now()).toSeconds();
      String status = statuses().getLast();
      synchronized (ends) {
        ends.computeIfAbsent(boundary, none -> new ArrayList<>())
            .add(victim.name().charAt(0) + ":" + status + " " + seconds + "s");
      }
      require("ended in " + seconds + " s", seconds <= 60 || !timePasses);
      require(
          "ended as " + status,
          boundary.isAfterCancel()
              ? status.equals("cancelled")
              : status.equals("completed") || status.equals("failed"));
      require("an agent lives on", !mark.isRunning());
      Set<TurnBoundary> passed = passed();
      client.post("/sessions/" + session + "/messages", Map.of("message", NEXT)).expect(201);
      until("the next reply", () -> statuses().equals(List.of("completed", status, "completed")));
      until(
          "a turn that passes every boundary", () -> passed.containsAll(TurnBoundary.OF_EACH_TURN));
      check(status);
    }

    /// The boundaries that the session's turns pass from now on. A call that no longer looks as its
    /// boundary expects would otherwise be held in vain.
    private Set<TurnBoundary> passed() {
      Set<TurnBoundary> passed = ConcurrentHashMap.newKeySet();
      wire.rule(
          session,
          (call, onward) -> {
            Stream.of(TurnBoundary.values())
                .filter(boundary -> boundary.isStep(call))
                .forEach(passed::add);
            return onward.send();
          });
      return passed;
    }

    private boolean isLive(JsonNode item) {
      return item.path("role").asText().equals("assistant")
          && item.path("type").asText().equals("message");
    }

    private void check(String status) throws Exception {
      List<String> items = new ArrayList<>();
      for (JsonNode item :
          client.get("/sessions/" + session + "/messages").expect(200).json().path("items")) {
        if (isLive(item)) {
          continue; // output before the reply, which only a slow machine shows
        }
        items.add(item.path("role").asText() + ": " + item.path("message").asText().strip());
      }
      // A cancelled turn has no closing message.
      require("history " + items, items.size() == (status.equals("cancelled") ? 5 : 6));
      require("order " + items, items.get(0).equals("user: echo ready"));
      require("order " + items, items.get(1).equals("assistant: ready"));
      require("order " + items, items.get(2).equals("user: " + script()));
      require("order " + items, items.get(items.size() - 2).equals("user: " + NEXT));
      require("order " + items, items.getLast().equals("assistant: next"));
      require(
          "reply " + items,
          switch (status) {
            case "completed" -> items.get(3).equals("assistant: done");
            case "failed" -> items.get(3).startsWith("assistant: This turn failed");
            default -> true;
          });
      checkSums();
    }

    /// Each turn that a runner began, and its usage, is counted once in the sums of its workspace.
    private void checkSums() throws Exception {
      List<JsonNode> begun =
          threads().stream().filter(thread -> !thread.path("started_at").isNull()).toList();
      BigDecimal seconds =
          begun.stream()
              .map(thread -> thread.at("/usage/active_seconds").decimalValue())
              .reduce(BigDecimal.ZERO, BigDecimal::add);
      JsonNode sums = client.get("/usage").expect(200).json().at("/items/0");
      require(begun.size() + " turns began: " + sums, sums.path("turns").asInt() == begun.size());
      require(
          "they took %s seconds: %s".formatted(seconds, sums),
          sums.path("active_seconds").decimalValue().compareTo(seconds) == 0);
      summed.addAndGet(begun.size());
    }

    private List<JsonNode> threads() throws Exception {
      List<JsonNode> threads = new ArrayList<>();
      client
          .get("/sessions/" + session + "/threads")
          .expect(200)
          .json()
          .path("items")
          .forEach(threads::add);
      return threads;
    }

    private List<String> statuses() {
      try {
        return threads().stream().map(thread -> thread.path("status").asText()).toList();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    private boolean isOver(List<String> statuses) {
      return statuses.size() == 2 && !List.of("queued", "running").contains(statuses.getLast());
    }

    private void until(String what, BooleanSupplier holds) {
      await(what + " in " + session, TIMEOUT, Duration.ofMillis(700)).until(holds::getAsBoolean);
    }

    private void require(String what, boolean holds) {
      if (!holds) {
        throw new AssertionError(what);
      }
    }
  }
}
