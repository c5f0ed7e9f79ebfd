package agentsessions.chaos.races;

import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.RigSession;
import agentsessions.chaos.rig.StubRunner;
import agentsessions.chaos.rig.TurnIds;
import agentsessions.talk.ApiResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// Races for the request of a held or parked turn: two decisions, and what parks the turn, has the
/// request expire or ends its turn. One wins, and each other gets the refusal that the API names.
public final class RequestRaces {
  private static final int AT_ONCE = 4;

  /// A sweep reads every shard before it comes to the turn, so it is so many nanoseconds ahead.
  private static final long LONGEST_HEAD = 15_000_000;

  private static final List<String> WORDS = List.of("allow", "deny");

  private final Rig rig;
  private final long seed;
  private final List<String> violations = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, AtomicInteger> outcomes = new ConcurrentHashMap<>();

  /// @param seed of the order of the racers and their pauses
  public RequestRaces(Rig rig, long seed) {
    this.rig = rig;
    this.seed = seed;
  }

  private enum Rival {
    EXPIRY,
    INTERRUPT,
    FOLLOW_UP,
    RESULT,
    DELETE,
    /// The runner parks its turn.
    PARK,
    PARKED_INTERRUPT,
    PARKED_FOLLOW_UP,
    PARKED_DELETE,
    /// The sweep finds the parked turn due.
    PARKED_EXPIRY;

    /// Whether the turn is parked before.
    boolean isParked() {
      return compareTo(PARKED_INTERRUPT) >= 0;
    }

    boolean expires() {
      return this == EXPIRY || this == PARKED_EXPIRY;
    }

    /// The status of the only turn afterwards, where it tells whether something was lost.
    Optional<String> leaves(String state) {
      if (this == PARKED_EXPIRY && state.equals("expired")) {
        return Optional.of("failed");
      }
      return this == PARK || this == PARKED_EXPIRY ? Optional.of("queued") : Optional.empty();
    }

    boolean deletes() {
      return this == DELETE || this == PARKED_DELETE;
    }
  }

  /// Runs so many races, each on a session of its own.
  public RequestRaces run(int count) throws Exception {
    List<Callable<Void>> races = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Rival rival = Rival.values()[i % Rival.values().length];
      Random random = new Random(seed + i);
      races.add(() -> race(rival, random));
    }
    rig.letSweep(true);
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      for (Future<Void> done : threads.invokeAll(races)) {
        done.get();
      }
    } finally {
      rig.letSweep(false);
    }
    return this;
  }

  public List<String> violations() {
    return violations;
  }

  public String figures() {
    return "%d violations; requests ended %s".formatted(violations.size(), outcomes);
  }

  private Void race(Rival rival, Random random) throws Exception {
    RigSession talk = new RigSession(rig, 1);
    TurnIds turn = talk.create("true");
    StubRunner runner = talk.runner(turn).claimed();
    String id = runner.askParkable("call").expect(200).text("/id");
    if (rival.isParked()) {
      park(runner, id);
    }
    if (rival == Rival.PARKED_EXPIRY) {
      letExpire(turn);
    }
    long head = rival == Rival.PARKED_EXPIRY ? random.nextLong(LONGEST_HEAD) : 0;
    String path = talk.path() + "/requests/" + id;
    List<Answer> answers = Collections.synchronizedList(new ArrayList<>());
    List<Callable<?>> racers = new ArrayList<>();
    for (String word : WORDS) {
      racers.add(() -> {
        LockSupport.parkNanos(head);
        return answers.add(new Answer(word, decide(talk, path, word)));
      });
    }
    racers.add(() -> act(rival, talk, runner, id));
    Collections.shuffle(racers, random);
    Races.together(racers, random);
    String state = state(talk.client().get(path));
    outcomes
        .computeIfAbsent(rival + " against " + state, _ -> new AtomicInteger())
        .incrementAndGet();
    boolean waits = !talk.items("/requests").isEmpty();
    boolean isLost =
        rival.leaves(state).filter(left -> !talk.statuses().equals(List.of(left))).isPresent();
    if (waits || isLost || !isRight(rival, state, answers)) {
      violations.add("%s, %s%s: %s".formatted(rival, state, waits ? ", listed" : "", answers));
    }
    return null;
  }

  private static ApiResponse decide(RigSession talk, String path, String word) {
    return talk.client().post(path + "/decision", Map.of("decision", word));
  }

  private ApiResponse act(Rival rival, RigSession talk, StubRunner runner, String id)
      throws IOException {
    return switch (rival) {
      case EXPIRY -> runner.expire(id).expect(200);
      case INTERRUPT, PARKED_INTERRUPT -> talk.interrupt().expect(200);
      case FOLLOW_UP, PARKED_FOLLOW_UP -> talk.send("more").expect(201);
      case RESULT -> runner.result("done", List.of()).expect(200);
      case DELETE, PARKED_DELETE -> talk.client().delete(talk.path()).expect(204);
      case PARK -> park(runner, id);
      case PARKED_EXPIRY -> {
        rig.sweep();
        yield talk.client().get(talk.path());
      }
    };
  }

  /// Its time is up for the sweep, and not yet for who decides.
  private void letExpire(TurnIds turn) {
    Map<String, AttributeValue> key =
        Map.of(
            "PK",
            AttributeValue.fromS("W#%s#S#%s".formatted(turn.workspace(), turn.session())),
            "SK",
            AttributeValue.fromS("T#" + turn.thread()));
    rig.table()
        .updateItem(update ->
            update
                .tableName("agent-sessions")
                .key(key)
                .updateExpression("SET due_at = :past")
                .expressionAttributeValues(Map.of(":past", AttributeValue.fromN("1000"))));
  }

  private static ApiResponse park(StubRunner runner, String id) {
    ApiResponse answer = runner.park(id).expect(200);
    if (!answer.json().path("parked").asBoolean()) {
      throw new AssertionError("a turn is not parked");
    }
    return answer;
  }

  /// The decision, the status of a request without one, or `gone` with its session.
  private static String state(ApiResponse request) {
    if (request.status() == 404) {
      return "gone";
    }
    String status = request.expect(200).text("/status");
    return status.equals("decided") ? request.text("/decision/decision") : status;
  }

  private static boolean isRight(Rival rival, String state, List<Answer> answers) {
    List<String> winners = answers.stream().filter(Answer::won).map(Answer::word).toList();
    String over = rival.expires() ? "expired" : "closed";
    List<String> states = winners.isEmpty() ? List.of(over) : winners;
    String refusal = winners.isEmpty() ? "REQUEST_CLOSED" : "ALREADY_DECIDED";
    return winners.size() <= 1
        && (rival.deletes() ? state.equals("gone") : states.contains(state))
        && answers.stream()
            .filter(answer -> !answer.won())
            .map(answer -> answer.response().text("/code"))
            .allMatch(
                code -> code.equals(refusal) || (rival.deletes() && code.equals("NOT_FOUND")));
  }

  /// The answer to a decision.
  private record Answer(String word, ApiResponse response) {
    boolean won() {
      return response.status() == 200;
    }
  }
}
