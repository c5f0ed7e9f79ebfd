package agentsessions.turn.exploration;

import agentsessions.aws.InMemoryTable;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.table.Layout;
import agentsessions.testing.SettableClock;
import agentsessions.wire.RunnerMessages;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/// The invariants of the table, which must hold after every single write (facts/aws.md, section 10,
/// as the design has it: interrupted and cancelled turns have no closing message). A broken one is
/// a `Violation`.
final class Invariants {
  private static final String MESSAGES = "UFPC";

  /// The lists of sessions, and whether they are of those that are archived.
  private static final Map<String, Boolean> LISTS =
      Map.of("ACTIVE", false, "ACTIVE#shell", false, "ARCHIVED", true, "ARCHIVED#shell", true);

  /// A runner between its claim and its leaving, as far as the table knows of it.
  private record Inside(String turn, long fence, long leaseUntil) {}

  private final InMemoryTable table;
  private final SettableClock clock;
  private final boolean stays;
  private final Supplier<Scheduler.Actor> author;
  private final Map<Scheduler.Actor, Inside> inside = new HashMap<>();
  private final Map<String, Scheduler.Actor> holders = new HashMap<>();
  private final Map<String, String> finals = new HashMap<>();
  private final Map<String, Long> fences = new HashMap<>();
  private final Set<String> made = new HashSet<>();
  private final Map<String, String> parked = new HashMap<>();
  private final RequestInvariants requests = new RequestInvariants();
  final JobInvariants jobs = new JobInvariants();

  /// @param stays whether sandboxes stay on one machine
  Invariants(
      InMemoryTable table, SettableClock clock, boolean stays, Supplier<Scheduler.Actor> author) {
    this.stays = stays;
    this.table = table;
    this.clock = clock;
    this.author = author;
  }

  Map<InMemoryTable.Key, Map<String, AttributeValue>> before(List<TransactWriteItem> writes) {
    Map<InMemoryTable.Key, Map<String, AttributeValue>> before = new HashMap<>();
    for (TransactWriteItem write : writes) {
      InMemoryTable.Key key = InMemoryTable.key(write);
      before.put(key, table.contents().getOrDefault(key, Map.of()));
    }
    return before;
  }

  void afterWrite(
      Step step,
      List<TransactWriteItem> writes,
      Map<InMemoryTable.Key, Map<String, AttributeValue>> before) {
    switch (step) {
      case CLAIM -> {
        before.forEach(Invariants::unclaimed);
        claimed(writes);
      }
      case EVENTS, END, RENEW, ASK, EXPIRE -> before.forEach(this::own);
      case RENEW_LOCK -> {
        before.forEach(this::own);
        renewed(writes);
      }
      case OPEN, COMPLETE -> before.forEach(this::own);
      case PARK, REQUEUE -> {
        before.forEach(this::own);
        before.forEach(this::undecided);
      }
      case RELEASE -> {
        before.forEach(this::ownSandbox);
        before.forEach(this::undecided);
      }
      case SETTLE -> {
        before.forEach(this::abandoned);
        before.forEach(this::undecided);
      }
      case CLOSE, REDISPATCH -> spared(step, before);
      case CHANGE,
          CANCEL,
          FOLLOW_UP,
          QUEUE,
          BEGIN,
          UNQUEUE,
          ACCEPT_JOB,
          DECIDE,
          DECIDE_PLAN,
          EXPIRE_PLAN ->
          before.forEach(Invariants::there);
      default -> {}
    }
    writes.stream().filter(write -> write.put() != null).forEach(this::current);
    stamped(writes, before);
    check();
  }

  /// A turn or a job begins with what its session has at that moment: the permissions, and the
  /// repositories, since what its end writes is made from them.
  private void current(TransactWriteItem begun) {
    InMemoryTable.Key key = InMemoryTable.key(begun);
    if (isTurn(key) && !waits(begun.put().item())) {
      InMemoryTable.Key meta = new InMemoryTable.Key(key.pk(), Layout.META);
      Map<String, AttributeValue> session = Objects.requireNonNull(table.contents().get(meta));
      require(
          Objects.equals(begun.put().item().get("repositories"), session.get("repositories")),
          "a turn begins with repositories as its session has them no more");
      permitted(key.pk(), begun.put().item().get("permissions"), session.get("permissions"));
    }
  }

  /// Whether it is the item of a turn, or of a job, which is one.
  private static boolean isTurn(InMemoryTable.Key key) {
    return List.of("T", "J").contains(Step.part(key));
  }

  private void permitted(
      String pk, @Nullable AttributeValue version, @Nullable AttributeValue ofSession) {
    require(
        Objects.equals(version, ofSession),
        "a turn begins with permissions that its session has no more");
    require(
        version == null
            || table
                .contents()
                .containsKey(new InMemoryTable.Key(pk, "PERMISSIONS#" + version.s())),
        "the permissions of a turn are not kept");
  }

  void afterPurge() {
    check();
  }

  /// The runner has stopped its agent, or is gone with it.
  void left(Scheduler.Actor runner) {
    inside.remove(runner);
  }

  /// All sessions as they are stored now.
  private void check() {
    Map<String, Partition> partitions = new TreeMap<>();
    Map<String, Set<String>> lists = new HashMap<>();
    table
        .contents()
        .forEach((key, item) -> {
          if (key.pk().contains("#S#")) {
            partitions.computeIfAbsent(key.pk(), _ -> new Partition()).add(key, item);
          } else {
            lists
                .computeIfAbsent(key.pk().split("#", 3)[2], _ -> new HashSet<>())
                .add(key.sk().substring(key.sk().indexOf('#') + 1));
          }
        });
    partitions.forEach((pk, partition) -> check(pk, partition, lists));
    if (!partitions.isEmpty() && partitions.values().stream().noneMatch(Partition::isDeleted)) {
      summed(partitions.values());
    }
  }

  private void check(String pk, Partition partition, Map<String, Set<String>> lists) {
    String session = pk.substring(pk.lastIndexOf('#') + 1);
    Set<String> working = lists.getOrDefault("WORKING", Set.of());
    Map<String, AttributeValue> meta = partition.meta == null ? Map.of() : partition.meta;
    boolean deleted = meta.isEmpty() || meta.containsKey("deleted");
    List<String> live =
        partition.turns.entrySet().stream()
            .filter(turn -> status(turn.getValue()).live() && !waits(turn.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    List<String> waiting =
        partition.turns.entrySet().stream()
            .filter(turn -> status(turn.getValue()).live() && waits(turn.getValue()))
            .map(Map.Entry::getKey)
            .toList();
    requests.check(
        partition.requests, partition.turns, deleted ? Optional.empty() : Optional.of(meta), lists);
    require(!deleted || waiting.isEmpty(), "a turn waits in a deleted session");
    partition
        .turns
        .keySet()
        .forEach(turn ->
            require(
                working.contains(turn) == waiting.contains(turn),
                "the list of turns that wait is wrong"));
    jobs.check(
        partition.jobs,
        partition.requests,
        !live.isEmpty(),
        deleted ? Optional.empty() : Optional.of(meta));
    require(live.size() <= 1, "two live turns");
    require(!deleted || live.isEmpty(), "a deleted session has a live turn");
    require(!deleted || !working.contains(session), "a deleted session is listed as working");
    require(
        lists.getOrDefault("PLANNED", Set.of()).contains(session)
            == (!deleted && meta.containsKey("plan")),
        "the list of sessions whose plan waits is wrong");
    boolean archived = !deleted && Objects.requireNonNull(meta.get("archived")).bool();
    LISTS.forEach((list, ofArchived) ->
        require(
            lists.getOrDefault(list, Set.of()).contains(session)
                == (!deleted && archived == ofArchived),
            "the list %s is wrong".formatted(list)));
    if (!deleted) {
      boolean works = Objects.requireNonNull(meta.get("working")).bool();
      require(
          live.isEmpty() || live.getFirst().equals(text(meta, "current")),
          "a live turn that is not current");
      require(works != live.isEmpty(), "working does not say whether the current turn is live");
      require(works == working.contains(session), "the list of working sessions is wrong");
      require(
          waiting.equals(
              meta.getOrDefault("waiting", AttributeValue.fromL(List.of())).l().stream()
                  .map(AttributeValue::s)
                  .toList()),
          "a session does not know which turns wait");
      partition.turns.forEach((id, turn) -> check(id, turn, partition));
      settled(meta, partition);
      ordered(partition);
    }
  }

  private void check(String id, Map<String, AttributeValue> turn, Partition partition) {
    TurnStatus status = status(turn);
    require(
        waits(turn) == partition.waiting.contains(id), "the message of a turn that waits is lost");
    long fence = number(turn, "fence");
    require(fence >= fences.getOrDefault(id, 0L), "a fence went back");
    fences.put(id, fence);
    List<Message> closing = partition.messages.stream().filter(m -> m.closes(id)).toList();
    require(
        waits(turn)
            ? status == TurnStatus.QUEUED || status == TurnStatus.CANCELLED
            : number(turn, "seq") > 0,
        "a turn runs out of its turn");
    require(
        closing.size() == (status.spoke() ? 1 : 0),
        "a turn " + status + " has " + closing.size() + " closing messages");
    require(
        closing.isEmpty() || closing.getFirst().stamp == number(turn, "last_ts"),
        "a closing message is not the last of its turn");
    require(partition.events(id) == number(turn, "events"), "an event is missing, or there twice");
    require(
        waits(turn)
            ? !partition.counts.containsKey(id)
            : partition
                .counted(id)
                .equals(counted(Objects.requireNonNull(partition.counts.get(id)))),
        "the messages of a turn are not counted");
    require(
        status.live() == turn.containsKey("LIVE"), "the index does not hold just the live turns");
    if (!status.live()) {
      Map<String, AttributeValue> told = new HashMap<>(turn);
      told.keySet().removeAll(Set.of("sandbox", "usage", "settled"));
      String all =
          "%s %s %s".formatted(new TreeMap<>(told), partition.closing(id), partition.artifacts(id));
      String known = finals.putIfAbsent(id, all);
      require(known == null || known.equals(all), "a final turn changed");
    }
  }

  private static boolean waits(Map<String, AttributeValue> turn) {
    return turn.containsKey("waits");
  }

  /// What is counted of a turn's messages, for comparison.
  private static String counted(Map<String, AttributeValue> count) {
    return "%d progress, %d tool calls, final %s, until %d"
        .formatted(
            number(count, "progress"),
            number(count, "tool_calls"),
            count.containsKey("final_bytes"),
            number(count, "last_ts"));
  }

  /// What turns have used is in their session's sum once, as soon as they have let go.
  private static void settled(Map<String, AttributeValue> meta, Partition partition) {
    long requests = 0;
    for (Map.Entry<String, Map<String, AttributeValue>> entry : partition.turns.entrySet()) {
      Map<String, AttributeValue> turn = entry.getValue();
      if (turn.containsKey("settled")) {
        requests += number(Objects.requireNonNull(turn.get("usage")).m(), "requests");
      } else {
        require(
            status(turn).live()
                || !turn.containsKey("started_at")
                || (partition.lock.containsKey("holder")
                    && text(partition.lock, "holder").equals(entry.getKey())),
            "what a turn has used is forgotten");
      }
    }
    require(number(meta, "used_requests") == requests, "a turn is not in the sum once");
    kept(meta, partition);
  }

  /// What a turn has used that no runner has, and that is in no sum, is kept with the sandbox.
  private static void kept(Map<String, AttributeValue> meta, Partition partition) {
    String current = text(meta, "current");
    Map<String, AttributeValue> turn = Objects.requireNonNull(partition.turns.get(current));
    boolean paused =
        status(turn) == TurnStatus.PARKED
            || (status(turn) == TurnStatus.QUEUED && turn.containsKey("parked"));
    require(
        !paused
            || (text(partition.lock, "parked").equals(current)
                && Objects.equals(turn.get("usage"), partition.lock.get("usage"))),
        "what a parked turn has used is not kept");
    require(
        !partition.lock.containsKey("parked") || !partition.lock.containsKey("holder"),
        "a parked turn keeps its usage beside a runner");
  }

  /// What all turns have used is in the workspace's sums once, as soon as they are settled.
  private void summed(Collection<Partition> sessions) {
    List<Map<String, AttributeValue>> settled =
        sessions.stream()
            .flatMap(session -> session.turns.values().stream())
            .filter(turn -> turn.containsKey("settled"))
            .toList();
    List<Map<String, AttributeValue>> sums =
        table.contents().entrySet().stream()
            .filter(entry -> entry.getKey().pk().endsWith("#USAGE"))
            .map(Map.Entry::getValue)
            .toList();
    require(sum(sums, "turns") == settled.size(), "a turn is not in the sums once");
    require(
        sum(sums, "used_requests")
            == settled.stream()
                .mapToLong(
                    turn -> number(Objects.requireNonNull(turn.get("usage")).m(), "requests"))
                .sum(),
        "what a turn has used is not in the sums once");
  }

  private static long sum(List<Map<String, AttributeValue>> items, String name) {
    return items.stream().mapToLong(item -> number(item, name)).sum();
  }

  /// The history is in the order of turns, each within its own range, the user's message first.
  private static void ordered(Partition partition) {
    partition.messages.sort(Comparator.comparingLong(Message::stamp));
    long turnNumber = 0;
    long last = -1;
    for (Message message : partition.messages) {
      Map<String, AttributeValue> turn = partition.turns.get(message.turn);
      require(turn != null, "a message without a turn");
      long number = number(Objects.requireNonNull(turn), "seq");
      require(message.stamp > last, "two messages have one stamp");
      require(number >= turnNumber, "the history is not in the order of turns");
      require(
          (message.kind == 'U') == (number > turnNumber) && number <= turnNumber + 1,
          "a turn does not begin with its one user message");
      require(
          number(turn, "first_ts") <= message.stamp && message.stamp <= number(turn, "last_ts"),
          "a message is outside the range of its turn");
      last = message.stamp;
      turnNumber = number;
    }
    require(
        turnNumber == partition.turns.values().stream().filter(turn -> !waits(turn)).count(),
        "a turn without its message");
    long number = 0;
    for (Map<String, AttributeValue> turn : partition.turns.values()) {
      if (!waits(turn)) {
        require(number(turn, "seq") == ++number, "turns do not begin in the order of their ids");
      }
    }
  }

  /// A message that is new is later than every other of its session.
  private void stamped(
      List<TransactWriteItem> writes, Map<InMemoryTable.Key, Map<String, AttributeValue>> before) {
    List<InMemoryTable.Key> added =
        writes.stream().map(InMemoryTable::key).filter(Invariants::isMessage).toList();
    for (InMemoryTable.Key key : added) {
      require(Objects.requireNonNull(before.get(key)).isEmpty(), "a message was overwritten");
      table.contents().keySet().stream()
          .filter(other -> other.pk().equals(key.pk()) && isMessage(other))
          .filter(other -> !added.contains(other))
          .forEach(other ->
              require(stamp(other) < stamp(key), "a message is not the latest when it is written"));
    }
  }

  /// A runner writes to nothing but its own live turn and the sandbox it holds.
  private void own(InMemoryTable.Key key, Map<String, AttributeValue> before) {
    switch (Step.part(key)) {
      case "T", "J" -> {
        require(status(before) == TurnStatus.RUNNING, "a runner wrote to a turn that had ended");
        require(holds(id(key), before), "a runner wrote to a turn that another had claimed");
      }
      case "BOX" ->
          require(
              before.containsKey("holder") && holds(text(before, "holder"), before),
              "a runner touched the sandbox of another");
      default -> {}
    }
  }

  private static String id(InMemoryTable.Key turn) {
    return turn.sk().substring(Layout.TURNS.length());
  }

  private boolean holds(String turn, Map<String, AttributeValue> item) {
    return holders.get(turn + " " + number(item, "fence")) == author.get();
  }

  private void ownSandbox(InMemoryTable.Key key, Map<String, AttributeValue> before) {
    if (Step.part(key).equals("BOX")) {
      own(key, before);
    }
  }

  /// A sandbox is taken from its runner when its lease has run out, and never under a live turn.
  private void abandoned(InMemoryTable.Key key, Map<String, AttributeValue> before) {
    if (Step.part(key).equals("BOX")) {
      require(number(before, "lease_until") < clock.millis(), "a live lease was ended");
    } else if (isTurn(key)) {
      require(!status(before).live(), "a live turn lost its sandbox");
    }
  }

  /// Saved or lost: it is said once. Nothing is to be decided of a sandbox that stays where it is.
  private void undecided(InMemoryTable.Key key, Map<String, AttributeValue> before) {
    if (isTurn(key)) {
      require(
          text(before, "sandbox").equals(stays ? "SAVED" : "SAVING"),
          "a sandbox was decided on twice");
    }
  }

  /// What a claim makes in its sandbox.
  static String made(String turn, long fence) {
    return "%s as %d;".formatted(turn, fence);
  }

  /// Somebody is told what has become of a request.
  void told(String id, RunnerMessages.DecisionState state) {
    requests.told(id, state);
  }

  void makes(String what) {
    made.add(what);
  }

  /// A turn was parked with all that its runner had made.
  void parked(String turn, long fence) {
    parked.put(turn, made(turn, fence));
  }

  /// The turn begins with all that was made and said to be saved, with nothing that was said to be
  /// lost, and is told so.
  void begins(String turn, String sandbox, boolean lost) {
    require(
        sandbox.contains(parked.getOrDefault(turn, "")),
        "what was made before a turn was parked is lost");
    Optional<String> last = Optional.empty();
    for (Map.Entry<InMemoryTable.Key, Map<String, AttributeValue>> entry :
        table.contents().entrySet()) {
      if (!Step.part(entry.getKey()).equals("T")
          || entry.getKey().sk().compareTo("T#" + turn) >= 0
          || !entry.getValue().containsKey("sandbox")) {
        continue;
      }
      String state = text(entry.getValue(), "sandbox");
      String what = made(entry.getKey().sk().substring(2), number(entry.getValue(), "fence"));
      require(!state.equals("SAVING"), "a turn begins before a sandbox is decided on");
      require(
          !made.contains(what) || state.equals("SAVED") == sandbox.contains(what),
          "what is said to be %s is %s".formatted(state, sandbox));
      last = Optional.of(state);
    }
    require(
        lost || parked.containsKey(turn) || last.filter("LOST"::equals).isEmpty(),
        "a turn is not told what it begins without");
  }

  /// What is deleted, or was never there, is not changed.
  private static void there(InMemoryTable.Key key, Map<String, AttributeValue> before) {
    if (Step.part(key).equals("META")) {
      require(!before.isEmpty(), "a session was made out of nothing");
      require(!before.containsKey("deleted"), "a deleted session was changed");
    }
  }

  /// An agent's half-done work is never done again by itself.
  private static void unclaimed(InMemoryTable.Key key, Map<String, AttributeValue> before) {
    require(!isTurn(key) || status(before) == TurnStatus.QUEUED, "a turn was begun a second time");
  }

  private void claimed(List<TransactWriteItem> writes) {
    InMemoryTable.Key turn =
        writes.stream()
            .map(InMemoryTable::key)
            .filter(Invariants::isTurn)
            .findFirst()
            .orElseThrow();
    Map<String, AttributeValue> item = Objects.requireNonNull(table.contents().get(turn));
    Scheduler.Actor runner = author.get();
    String fence = id(turn) + " " + number(item, "fence");
    Scheduler.Actor other = holders.putIfAbsent(fence, runner);
    require(other == null || other == runner, "two holders of one fence");
    inside.forEach((one, place) ->
        require(
            one == runner || one.over() || place.leaseUntil < clock.millis(),
            "two runners in one sandbox"));
    if (!runner.over()) {
      inside.put(runner, new Inside(id(turn), number(item, "fence"), number(item, "lease_until")));
    }
  }

  private void renewed(List<TransactWriteItem> writes) {
    Map<String, AttributeValue> lock =
        Objects.requireNonNull(table.contents().get(key(writes, "BOX")));
    inside.computeIfPresent(
        author.get(),
        (_, place) -> {
          require(
              place.turn.equals(text(lock, "holder")) && place.fence == number(lock, "fence"),
              "a runner renewed the lease of another");
          return new Inside(place.turn, place.fence, number(lock, "lease_until"));
        });
  }

  /// Nobody closes a turn while its lease is alive, unless it is long over time.
  private void spared(Step step, Map<InMemoryTable.Key, Map<String, AttributeValue>> before) {
    before.forEach((key, turn) -> {
      if (isTurn(key) && status(turn) == TurnStatus.RUNNING) {
        long reportGrace = Step.part(key).equals("J") ? 0 : Turn.REPORT_GRACE.toMillis();
        require(step == Step.CLOSE, "a running turn was started again");
        require(
            number(turn, "lease_until") < clock.millis()
                || number(turn, "deadline") + reportGrace < clock.millis(),
            "a turn with a live lease was closed");
      } else if (isTurn(key) && status(turn) == TurnStatus.PARKED) {
        require(step == Step.CLOSE, "a parked turn was started without a decision");
        require(
            number(turn, "due_at") <= clock.millis(), "a parked turn was closed before its time");
      } else if (isTurn(key)) {
        require(status(turn) == TurnStatus.QUEUED, "a final turn was closed or started again");
      }
    });
  }

  private record Message(char kind, String turn, long stamp, String text) {
    boolean isEventOf(String id) {
      return (kind == 'P' || kind == 'C') && turn.equals(id);
    }

    boolean closes(String id) {
      return kind == 'F' && turn.equals(id);
    }
  }

  private static final class Partition {
    private @Nullable Map<String, AttributeValue> meta;
    private Map<String, AttributeValue> lock = Map.of();
    private final Map<String, Map<String, AttributeValue>> turns = new TreeMap<>();
    private final Map<String, Map<String, AttributeValue>> jobs = new TreeMap<>();
    private final Map<String, Map<String, AttributeValue>> counts = new TreeMap<>();
    private final Map<String, Map<String, AttributeValue>> requests = new TreeMap<>();
    private final List<Message> messages = new ArrayList<>();
    private final Set<String> waiting = new HashSet<>();
    private final List<String> artifacts = new ArrayList<>();

    void add(InMemoryTable.Key key, Map<String, AttributeValue> item) {
      switch (Step.part(key)) {
        case "META" -> meta = item;
        case "BOX" -> lock = item;
        case "T" -> turns.put(key.sk().substring(2), item);
        case "J" -> jobs.put(key.sk().substring(2), item);
        case "D" -> requests.put(key.sk().substring(2), item);
        case "COUNT" -> counts.put(key.sk().substring(Layout.COUNTED.length()), item);
        case "U", "F", "P", "C" ->
            messages.add(
                new Message(
                    key.sk().charAt(0), text(item, "turn"), stamp(key), text(item, "text")));
        case "Q" -> waiting.add(key.sk().substring(2));
        case "R" -> artifacts.add(text(item, "turn") + " " + key.sk());
        default -> {}
      }
    }

    boolean isDeleted() {
      return meta == null || meta.containsKey("deleted");
    }

    long events(String id) {
      return messages.stream().filter(message -> message.isEventOf(id)).count();
    }

    String counted(String id) {
      List<Message> all = messages.stream().filter(message -> message.turn.equals(id)).toList();
      return "%d progress, %d tool calls, final %s, until %d"
          .formatted(
              all.stream().filter(message -> message.kind == 'P').count(),
              all.stream().filter(message -> message.kind == 'C').count(),
              all.stream().anyMatch(message -> message.kind == 'F'),
              all.stream().mapToLong(Message::stamp).max().orElse(0));
    }

    List<String> closing(String id) {
      return messages.stream().filter(m -> m.closes(id)).map(Message::text).toList();
    }

    List<String> artifacts(String id) {
      return artifacts.stream().filter(artifact -> artifact.startsWith(id)).toList();
    }
  }

  static TurnStatus status(Map<String, AttributeValue> turn) {
    return TurnStatus.valueOf(text(turn, "status"));
  }

  static long number(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    return value == null ? 0 : Long.parseLong(value.n());
  }

  static String text(Map<String, AttributeValue> item, String name) {
    return Objects.requireNonNull(Objects.requireNonNull(item.get(name), name).s());
  }

  static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new Violation(otherwise);
    }
  }

  private static boolean isMessage(InMemoryTable.Key key) {
    return key.pk().contains("#S#")
        && MESSAGES.indexOf(key.sk().charAt(0)) >= 0
        && key.sk().charAt(1) == '#';
  }

  private static long stamp(InMemoryTable.Key key) {
    return Long.parseLong(key.sk().substring(2));
  }

  private static InMemoryTable.Key key(List<TransactWriteItem> writes, String part) {
    return writes.stream()
        .map(InMemoryTable::key)
        .filter(key -> Step.part(key).equals(part))
        .findFirst()
        .orElseThrow();
  }
}
