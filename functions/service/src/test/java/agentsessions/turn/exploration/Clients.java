package agentsessions.turn.exploration;

import agentsessions.session.Acceptance;
import agentsessions.session.FollowUp;
import agentsessions.session.Idempotency;
import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.NewSession;
import agentsessions.session.NewSessions;
import agentsessions.session.OnRunning;
import agentsessions.session.Refusal;
import agentsessions.session.Session;
import agentsessions.session.SessionInputs;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.session.input.Environment;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.input.ToolPermissions.Policy;
import agentsessions.session.repository.Checkout;
import agentsessions.session.repository.PushJob;
import agentsessions.session.repository.RepositoryUrl;
import agentsessions.session.request.Decision;
import agentsessions.session.request.Request;
import agentsessions.store.message.History;
import agentsessions.store.session.Sessions;
import agentsessions.turn.Endings;
import agentsessions.turn.intake.Decisions;
import agentsessions.turn.intake.PullRequestIntake;
import agentsessions.wire.RunnerMessages;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The clients of the API, with the answers they got, so that these can be compared with the table.
final class Clients {
  private static final String BASE_URL = "http://service";
  private static final Checkout.Push PUSH = new Checkout.Push("work", false, null, null, null);

  private final World world;
  private final Map<TurnId, Integer> numbers = new HashMap<>();
  private final Map<String, Set<String>> acceptedAs = new HashMap<>();
  private final Set<String> sent = new HashSet<>();
  private @Nullable SessionKey sessionKey;
  private boolean deleted;

  Clients(World world) {
    this.world = world;
  }

  SessionKey sessionKey() {
    SessionKey known = sessionKey;
    if (known == null) {
      known =
          world.table.contents().keySet().stream()
              .filter(key -> key.sk().equals("0#META"))
              .map(key -> key.pk().substring(key.pk().lastIndexOf('#') + 1))
              .map(id -> new SessionKey(World.WORKSPACE, SessionId.parse(id).orElseThrow()))
              .findFirst()
              .orElseThrow();
      sessionKey = known;
    }
    return known;
  }

  /// The number by which a turn is called in traces: in the order in which they became known.
  int number(TurnId turn) {
    return numbers.computeIfAbsent(turn, _ -> numbers.size() + 1);
  }

  void create(String text, @Nullable String key) {
    create(NewSession.of("shell", text), key);
  }

  /// A session whose turns only plan.
  void createPlanning() {
    create(
        NewSessions.with(
            new ToolPermissions(
                Policy.ALLOW, List.of(), new ToolPermissions.Asking(false, 60, false, true, 1)),
            "-"),
        null);
  }

  /// A session with a repository, which its turns change.
  ///
  /// @param asks whether a person is asked about pushes
  /// @param pushes whether its turns push
  void createChanging(boolean asks, boolean pushes) {
    Checkout checkout =
        new Checkout(
            RepositoryUrl.of("https://host.example/app.git"),
            null,
            "app",
            1,
            false,
            null,
            pushes ? PUSH : null);
    ToolPermissions.Rule rule =
        new ToolPermissions.Rule(ToolPermissions.Kind.PUSH, null, null, Policy.ASK);
    ToolPermissions.Asking asking = new ToolPermissions.Asking(false, 60, false, false, 1);
    create(
        NewSessions.with(
            new SessionInputs(null, List.of(checkout), List.of(), Environment.NONE),
            asks ? new ToolPermissions(Policy.ALLOW, List.of(rule), asking) : null,
            "-"),
        null);
  }

  private void create(NewSession session, @Nullable String key) {
    String text = session.message();
    client(
        "create " + text,
        key,
        () ->
            accepted(
                text,
                world
                    .aws
                    .intake()
                    .create(World.WORKSPACE, session, BASE_URL, idempotency(key, text))));
  }

  void followUp(String name, String text, @Nullable String key) {
    send(name, FollowUp.of(text), key);
  }

  /// A follow-up that waits for the turn that runs.
  void queue(String name, String text, @Nullable String key) {
    send(name, FollowUp.of(text, OnRunning.QUEUE), key);
  }

  private void send(String name, FollowUp followUp, @Nullable String key) {
    String text = followUp.message();
    client(
        name,
        key,
        () ->
            accepted(
                text,
                world
                    .aws
                    .intake()
                    .followUp(sessionKey(), followUp, BASE_URL, idempotency(key, text))));
  }

  /// Asks for a pull request.
  void pullRequest(String name, @Nullable String key) {
    PullRequestIntake.Wanted wanted =
        new PullRequestIntake.Wanted(PushJob.of(1, PUSH, "changes"), true, "-");
    client(
        name,
        key,
        () -> {
          Acceptance acceptance =
              world.pullRequests.accept(
                  sessionKey(), Optional.of(wanted), BASE_URL, idempotency(key, "pull request"));
          if (acceptance instanceof Acceptance.Unready(Refusal refusal)) {
            Invariants.require(refusal.code() == Refusal.Code.SESSION_BUSY, refusal.toString());
          } else {
            begun(key == null ? name : key, acceptance);
          }
        });
  }

  /// Takes the last turn that waits out of the queue, if one does.
  void unqueue() {
    client(
        "unqueue",
        null,
        () ->
            world
                .aws
                .sessions()
                .load(sessionKey())
                .map(Session::newest)
                .ifPresent(turn -> world.aws.queue().remove(sessionKey().turn(turn))));
  }

  void cancelRunning() {
    client(
        "cancel the running one",
        null,
        () -> world.aws.endings().cancel(sessionKey(), new Endings.Cancellation(true, null)));
  }

  void cancel() {
    client(
        "cancel",
        null,
        () -> {
          Optional<Turn> turn = world.aws.endings().cancel(sessionKey(), Endings.Cancellation.ALL);
          Invariants.require(turn.isPresent() || deleted, "a session is not found");
        });
  }

  void delete() {
    client(
        "delete",
        null,
        () -> {
          deleted = true;
          world.aws.endings().delete(sessionKey());
        });
  }

  void archive() {
    change("archive", Optional.of(true), Optional.empty());
  }

  /// Lets the next turns call all tools but one.
  void deny(String tool) {
    ToolPermissions.Rule rule = new ToolPermissions.Rule(null, tool, null, Policy.DENY);
    change(
        "deny " + tool,
        Optional.empty(),
        Optional.of(
            Optional.of(
                new ToolPermissions(Policy.ALLOW, List.of(rule), ToolPermissions.Asking.USUAL))));
  }

  /// Decides the request that a turn waits for.
  void decide(String name, Decision.Word word) {
    client(
            name,
            null,
            () ->
                world.aws.requests().ofSession(sessionKey()).stream()
                    .filter(request -> request.status() == Request.Status.PENDING)
                    .findFirst()
                    .ifPresent(request -> decide(request, word)))
        .when(() -> !world.scheduler.awaits() && world.isHeld());
  }

  private void decide(Request request, Decision.Word word) {
    String note = request.kind() == Request.Kind.PLAN ? "again" : null;
    try {
      world
          .aws
          .decisions()
          .decide(
              sessionKey(),
              request.id(),
              new Decisions.Wanted(word, note, Map.of(), request.fingerprint(), "person"))
          .ifPresent(decided ->
              world.invariants.told(
                  request.id().toString(),
                  new RunnerMessages.DecisionState(
                      request.id().toString(), decided.status().word(), word.text(), null, null)));
    } catch (Refusal refusal) {
      Invariants.require(
          refusal.code() == Refusal.Code.REQUEST_CLOSED
              || refusal.code() == Refusal.Code.ALREADY_DECIDED,
          refusal.toString());
    }
  }

  private void change(
      String name, Optional<Boolean> archived, Optional<Optional<ToolPermissions>> permissions) {
    Sessions.Patch patch =
        new Sessions.Patch(
            Optional.empty(),
            Optional.empty(),
            archived,
            Optional.empty(),
            Optional.empty(),
            permissions);
    client(name, null, () -> world.aws.sessions().change(sessionKey(), patch));
  }

  /// Every accepted message is there exactly once, in a history that reads the same for all.
  void check() {
    acceptedAs.forEach((text, turns) ->
        Invariants.require(turns.size() == 1, "one request was accepted as " + turns));
    if (deleted) {
      return;
    }
    List<String> texts = texts();
    world
        .table
        .contents()
        .forEach((key, item) -> {
          if (key.sk().startsWith("Q#")) { // taken out of the queue
            texts.add(Invariants.text(item, "text"));
          }
        });
    for (String text : sent) {
      long times = texts.stream().filter(text::equals).count();
      Invariants.require(
          times == 1 || (times == 0 && !acceptedAs.containsKey(text)),
          "\"%s\" is there %d times".formatted(text, times));
    }
  }

  private List<String> texts() {
    List<String> texts = new ArrayList<>();
    List<String> read = new ArrayList<>();
    world
        .table
        .contents()
        .forEach((key, item) -> {
          if (key.pk().contains("#S#") && key.sk().startsWith("U#")) {
            texts.add(Invariants.text(item, "text"));
          }
        });
    world.scheduler.add(
        "reader", EnumSet.noneOf(Scheduler.Fate.class), () -> read.addAll(history()));
    world.scheduler.settle();
    Invariants.require(
        new HashSet<>(texts).containsAll(read), "the history tells what is not there");
    return texts;
  }

  private List<String> history() {
    TurnKey current = world.aws.sessions().load(sessionKey()).orElseThrow().current();
    Turn latest = world.aws.turns().load(current).orElseThrow();
    History.Range range =
        new History.Range(
            EnumSet.allOf(MessageKind.class), Stamp.ZERO, latest.lastStamp(), true, 1000);
    List<Message> messages = world.aws.history().messages(latest, range);
    return messages.stream()
        .filter(message -> message.kind() == MessageKind.USER)
        .map(world.aws.history()::text)
        .toList();
  }

  private Scheduler.Actor client(String name, @Nullable String key, Runnable request) {
    EnumSet<Scheduler.Fate> faults =
        key == null
            ? EnumSet.of(Scheduler.Fate.DIE, Scheduler.Fate.AGAIN)
            : EnumSet.of(Scheduler.Fate.DIE, Scheduler.Fate.LOST);
    return world
        .scheduler
        .add(name, faults, () -> repeated(request))
        .when(() -> !world.scheduler.awaits());
  }

  private static void repeated(Runnable request) {
    boolean answered = false;
    while (!answered) {
      try {
        request.run();
        answered = true;
      } catch (ScheduledTable.AnswerLost again) {
        answered = false;
      }
    }
  }

  private void accepted(String text, Acceptance acceptance) {
    sent.add(text);
    begun(text, acceptance);
  }

  private void begun(String text, Acceptance acceptance) {
    switch (acceptance) {
      case Acceptance.Accepted accepted -> {
        Turn turn = accepted.turn();
        number(turn.id());
        acceptedAs.computeIfAbsent(text, _ -> new HashSet<>()).add(turn.receipt().toString());
        if (!turn.waits()) {
          world.aws.executions().start(turn.key(), 1);
        }
      }
      case Acceptance.Replayed replayed ->
          acceptedAs.computeIfAbsent(text, _ -> new HashSet<>()).add(replayed.receipt().toString());
      case Acceptance.NoSession _ -> Invariants.require(deleted, "a session is not found");
      case Acceptance.Refused _ -> throw new Violation("a message was refused: " + acceptance);
    }
  }

  private static @Nullable Idempotency idempotency(@Nullable String key, String text) {
    return key == null ? null : new Idempotency(key, text);
  }
}
