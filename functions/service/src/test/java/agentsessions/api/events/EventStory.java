package agentsessions.api.events;

import agentsessions.SerdeableRoundTrip;
import agentsessions.api.artifacts.Downloads;
import agentsessions.api.request.AcceptHeader;
import agentsessions.api.request.Call;
import agentsessions.authorizer.Scope;
import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.RecordedTaskCalls;
import agentsessions.session.Acceptance;
import agentsessions.session.Artifact;
import agentsessions.session.Ending;
import agentsessions.session.FollowUp;
import agentsessions.session.MessageKind;
import agentsessions.session.NewSession;
import agentsessions.session.OnRunning;
import agentsessions.session.Turn;
import agentsessions.session.TurnError;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.Workspace;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.request.Decision;
import agentsessions.session.request.Request;
import agentsessions.table.ChangeSignal;
import agentsessions.table.Layout;
import agentsessions.table.TimeOrderedIds;
import agentsessions.testing.SettableClock;
import agentsessions.turn.Endings;
import agentsessions.turn.HeldTurns;
import agentsessions.turn.SlowTable;
import agentsessions.turn.TurnEvents;
import agentsessions.turn.intake.Decisions;
import io.micronaut.json.JsonMapper;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/// A session with events of every kind, over the in-memory table, and clients that follow it.
public final class EventStory {
  private static final JsonMapper JSON = SerdeableRoundTrip.JSON;
  private static final Pattern RESOURCE = Pattern.compile("\"id\":\"([^\"]+)\"");

  private final SettableClock clock = new SettableClock();
  private final InMemoryAws aws;
  private final LiveEvents events;
  private @Nullable Turn current;
  private int claims;

  /// One event of a stream.
  record StreamedEvent(String id, String type, String data) {
    /// The id of the resource that the event is about.
    String resource() {
      Matcher matcher = RESOURCE.matcher(data);
      return matcher.find() ? matcher.group(1) : "";
    }
  }

  EventStory() {
    this(new SlowTable(new InMemoryTable(InMemoryAws.TABLE), 0, 0));
  }

  public EventStory(DynamoDbClient table) {
    aws = InMemoryAws.of(table, new InMemoryBucket(), new RecordedTaskCalls(), clock);
    events =
        new LiveEvents(
            aws.sessionEvents(),
            aws.sessions(),
            aws.requests(),
            aws.history(),
            new Downloads(aws.bucket(), clock),
            aws.signal(),
            JSON);
  }

  public InMemoryAws aws() {
    return aws;
  }

  /// Plays turns that end in each possible way.
  void tellAll() {
    completed("one", 2);
    running("two");
    say("busy");
    followUp("three");
    claim();
    say("a", "b", "c");
    end(Ending.failed(TurnStatus.FAILED, TurnError.runnerLost(), List.of()));
    followUp("four");
    aws.endings().cancel(sessionKey(), Endings.Cancellation.ALL);
    running("five");
    end(Ending.failed(TurnStatus.TIMED_OUT, TurnError.timeLimit(), List.of()));
  }

  /// A turn that says something, makes files, and is completed.
  public Turn completed(String message, int files) {
    running(message);
    if (files > 1) {
      say("I look", "{\"name\":\"look\"}", "done: \u00fc\u20ac");
    }
    List<Artifact> artifacts = new ArrayList<>();
    for (ArtifactId id : TimeOrderedIds.artifacts(Stamp.of(clock.instant()), files)) {
      artifacts.add(
          new Artifact(
              id,
              current().key(),
              "/workspace/plan-" + artifacts.size() + ".md",
              null,
              3,
              "0".repeat(64),
              "text/markdown",
              "artifacts/" + id,
              clock.instant()));
    }
    end(Ending.completed("the reply", artifacts));
    return current();
  }

  /// A turn that has been claimed.
  public void running(String message) {
    followUp(message);
    claim();
  }

  void followUp(String message) {
    clock.pass(Duration.ofSeconds(1));
    Turn before = current;
    Acceptance accepted =
        before == null
            ? aws.intake()
                .create(new Workspace("w"), NewSession.of("shell", message), "http://s", null)
            : aws.intake().followUp(sessionKey(), FollowUp.of(message), "http://s", null);
    current = ((Acceptance.Accepted) accepted).turn();
    if (before != null) {
      aws.sandboxes().release(aws.turns().load(before.key()).orElseThrow(), true, Optional.empty());
    }
  }

  /// A message that waits for the turn that runs.
  Turn queue(String message) {
    FollowUp followUp = FollowUp.of(message, OnRunning.QUEUE);
    Acceptance accepted = aws.intake().followUp(sessionKey(), followUp, "http://s", null);
    return ((Acceptance.Accepted) accepted).turn();
  }

  /// Time in which nothing happens.
  void pass(Duration time) {
    clock.pass(time);
  }

  void claim() {
    clock.pass(Duration.ofSeconds(1));
    aws.dispatches().recordLaunch(current(), "ticket", Duration.ofSeconds(45));
    aws.claim(current(), "ticket", "claim " + claims++, 1000, "token", Duration.ofHours(1));
    current = load();
  }

  /// A call of a tool that a person is asked about, with which the turn is held.
  public Request ask(String call) {
    clock.pass(Duration.ofMillis(10));
    Request.Tool tool = new Request.Tool("bash", ToolPermissions.Kind.EXECUTE, "{\"n\":1}");
    HeldTurns.Call asked =
        new HeldTurns.Call(call, "bash: " + call, tool, List.of(), "0".repeat(64), false);
    return aws.heldTurns().ask(load(), asked).orElseThrow();
  }

  public void decide(Request request) {
    clock.pass(Duration.ofMillis(10));
    Optional<Request> _ =
        aws.decisions()
            .decide(
                sessionKey(),
                request.id(),
                new Decisions.Wanted(Decision.Word.DENY, "so", Map.of(), null, "decider"));
  }

  /// Texts of the agent; one in JSON is a tool call.
  public void say(String... texts) {
    clock.pass(Duration.ofMillis(10));
    List<TurnEvents.Event> said =
        Arrays.stream(texts)
            .map(text ->
                new TurnEvents.Event(
                    text.startsWith("{") ? MessageKind.TOOL_CALL : MessageKind.PROGRESS, text))
            .toList();
    Turn now = load();
    aws.events().append(now, now.counts().events(), said);
  }

  public void end(Ending ending) {
    clock.pass(Duration.ofMillis(10));
    aws.endings().end(load(), ending, aws.sessions().plans(load().key().sessionKey()));
    aws.sandboxes().release(load(), true, Optional.empty());
    current = load();
  }

  public void delete() {
    aws.endings().delete(sessionKey());
  }

  public List<Turn> turns() {
    return aws.turns().list(sessionKey(), Layout.LEAST, Layout.GREATEST, true, 100);
  }

  List<Artifact> artifacts() {
    return aws.artifacts().list(sessionKey(), Layout.LEAST, Layout.GREATEST, true, 100);
  }

  EventResponse page(String after, String wait, String... more) {
    return follow(Optional.empty(), after, false, with("wait=" + wait, more));
  }

  String stream(String after, String... query) {
    return follow(
        Optional.empty(), after, true, query.length == 0 ? new String[] {"wait=0"} : query)
        .stream();
  }

  /// The answer of a stream that has nothing to send until `happening` is run.
  EventResponse pushed(String after, Runnable happening) {
    Call call = call("wait=20", true, after);
    EventQuery query = EventQuery.read(call, sessionKey().id());
    try (ChangeSignal.Watch watch = aws.signal().watch(sessionKey())) {
      SessionReader reader =
          new SessionReader(
              aws.sessionEvents(),
              aws.sessions(),
              aws.requests(),
              new SessionReader.Shared(aws.signal().isComplete()),
              sessionKey(),
              watch);
      EventWriter writer =
          new EventWriter(
              reader,
              call.links(),
              sessionKey().id(),
              query,
              aws.history(),
              new Downloads(aws.bucket(), clock),
              JSON);
      EventFollower follower = new EventFollower(reader, Optional.empty(), query, writer);
      follower.begin();
      happening.run();
      follower.poll(true);
      return writer.end(follower.reason(), follower.cursor());
    }
  }

  String stream(TurnId thread, String after) {
    return follow(Optional.of(thread), after, true, "wait=0").stream();
  }

  /// The place from which a thread is followed whose state was shown.
  String cursorOfSnapshot(TurnId thread) {
    return follow(Optional.of(thread), "", false, "wait=0", "snapshot=true").nextAfter();
  }

  List<String> durableTypes(String after) {
    return durable(stream(after)).stream().map(StreamedEvent::type).toList();
  }

  /// The durable events of what has arrived of a stream, as a client reads it: an event is there
  /// when the empty line behind it is.
  static List<StreamedEvent> durable(String stream) {
    return blocks(stream).stream()
        .map(EventStory::fields)
        .filter(fields -> fields.containsKey("id") && !"end".equals(fields.get("event")))
        .map(fields ->
            new StreamedEvent(
                fields.getOrDefault("id", ""),
                fields.getOrDefault("event", ""),
                fields.getOrDefault("data", "")))
        .toList();
  }

  /// The `Last-Event-ID` with which a client connects again.
  static String lastId(String stream) {
    return blocks(stream).stream()
        .map(EventStory::fields)
        .filter(fields -> fields.containsKey("id"))
        .map(fields -> fields.getOrDefault("id", ""))
        .reduce("", (_, last) -> last);
  }

  private static List<String> blocks(String stream) {
    int end = stream.lastIndexOf("\n\n");
    return end < 0 ? List.of() : List.of(stream.substring(0, end).split("\n\n"));
  }

  private static Map<String, String> fields(String block) {
    Map<String, String> fields = new LinkedHashMap<>();
    block
        .lines()
        .map(line -> line.split(": ", 2))
        .filter(pair -> pair.length == 2)
        .forEach(pair -> fields.put(pair[0], pair[1]));
    return fields;
  }

  private EventResponse follow(
      Optional<TurnId> thread, String after, boolean stream, String... query) {
    Call call = call(String.join("&", query), stream, after);
    return events.follow(
        call.links(), sessionKey(), thread, EventQuery.read(call, sessionKey().id()));
  }

  private static Call call(String query, boolean stream, String after) {
    Map<String, List<String>> parameters = new LinkedHashMap<>();
    for (String pair : query.split("&", -1)) {
      parameters
          .computeIfAbsent(pair.split("=", 2)[0], _ -> new ArrayList<>())
          .add(pair.split("=", 2)[1]);
    }
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(AcceptHeader.HEADER, stream ? "text/event-stream" : "*/*");
    headers.put("last-event-id", after);
    return new Call(
        new Workspace("w"),
        "key",
        Scope.all(),
        "http://s",
        "http://s",
        parameters,
        headers,
        new byte[0],
        Instant.EPOCH);
  }

  private static String[] with(String first, String... more) {
    List<String> all = new ArrayList<>(List.of(more));
    if (all.stream().noneMatch(pair -> pair.startsWith("wait="))) {
      all.add(first);
    }
    return all.toArray(new String[0]);
  }

  private Turn load() {
    return aws.turns().load(current().key()).orElseThrow();
  }

  private Turn current() {
    return java.util.Objects.requireNonNull(current);
  }

  private SessionKey sessionKey() {
    return current().key().sessionKey();
  }
}
