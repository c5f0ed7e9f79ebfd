package agentsessions.chaos.races;

import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.RigSession;
import agentsessions.chaos.rig.StubRunner;
import agentsessions.talk.ApiResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/// Races for the request of a held or parked turn: two decisions, and what parks the turn, has the
/// request expire or ends its turn. One wins, and each other gets the refusal that the API names.
public final class RequestRaces {
  private static final int AT_ONCE = 4;
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
    PARKED_DELETE;

    /// Whether the turn is parked before.
    boolean isParked() {
      return this == PARKED_INTERRUPT || this == PARKED_FOLLOW_UP || this == PARKED_DELETE;
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
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      for (Future<Void> done : threads.invokeAll(races)) {
        done.get();
      }
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
    StubRunner runner = talk.runner(talk.create("true")).claimed();
    String id = runner.askParkable("call").expect(200).text("/id");
    if (rival.isParked()) {
      park(runner, id);
    }
    String path = talk.path() + "/requests/" + id;
    List<Answer> answers = Collections.synchronizedList(new ArrayList<>());
    List<Callable<?>> racers = new ArrayList<>();
    for (String word : WORDS) {
      racers.add(() -> answers.add(new Answer(word, decide(talk, path, word))));
    }
    racers.add(() -> act(rival, talk, runner, id));
    Collections.shuffle(racers, random);
    Races.together(racers, random);
    String state = state(talk.client().get(path));
    outcomes
        .computeIfAbsent(rival + " against " + state, _ -> new AtomicInteger())
        .incrementAndGet();
    boolean waits = !talk.items("/requests").isEmpty();
    boolean isLeft = rival == Rival.PARK && !talk.statuses().equals(List.of("queued"));
    if (waits || isLeft || !isRight(rival, state, answers)) {
      violations.add("%s, %s%s: %s".formatted(rival, state, waits ? ", listed" : "", answers));
    }
    return null;
  }

  private static ApiResponse decide(RigSession talk, String path, String word) {
    return talk.client().post(path + "/decision", Map.of("decision", word));
  }

  private static ApiResponse act(Rival rival, RigSession talk, StubRunner runner, String id) {
    return switch (rival) {
      case EXPIRY -> runner.expire(id).expect(200);
      case INTERRUPT, PARKED_INTERRUPT -> talk.interrupt().expect(200);
      case FOLLOW_UP, PARKED_FOLLOW_UP -> talk.send("more").expect(201);
      case RESULT -> runner.result("done", List.of()).expect(200);
      case DELETE, PARKED_DELETE -> talk.client().delete(talk.path()).expect(204);
      case PARK -> park(runner, id);
    };
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
    String over = rival == Rival.EXPIRY ? "expired" : "closed";
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
