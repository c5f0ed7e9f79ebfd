package agentsessions.table;

import agentsessions.rule.Ceiling;
import agentsessions.session.DailyUsage;
import agentsessions.session.ExportId;
import agentsessions.session.MessageKind;
import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.EventId;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.session.id.UploadId;
import agentsessions.session.id.WebhookId;
import agentsessions.session.id.Workspace;
import java.time.LocalDate;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The keys of the table, in one place.
///
/// | PK | SK | what |
/// |---|---|---|
/// | `W#{workspace}#S#{session}` | `0#META` | the session |
/// | | `0#COUNT#{turn}` | the message counters of a turn: {@link CountedTurn} |
/// | | `0#PLANS` | the latest artifact of each plan |
/// | | `BOX` | the lock of the sandbox |
/// | | `WORK` | the session's inputs for all of its turns; secret parts sealed |
/// | | `PERMISSIONS#{version}` | permissions of turns, by what is in them |
/// | | `I#{turn}` | the files that a turn's message brought |
/// | | `Q#{turn}` | the message of a turn that waits |
/// | | `PUSHED` | the commits that the session has pushed |
/// | | `T#{turn}` | a turn |
/// | | `J#{turn}` | a job: a turn that no list has |
/// | | `D#{request}` | a request for a decision |
/// | | `G#{fingerprint}` | what a decision allowed for the rest of the session |
/// | | `X#{turn}` | the token of the execution's task that waits for the turn's runner, and the engine's id of the task that runs it |
/// | | `STANDBY` | the task that waits for the next turn |
/// | | `U#{ts}` `F#{ts}` `P#{ts}` `C#{ts}` | a message: user, final, progress, tool call |
/// | | `M#{ts}` | a copy of a user, final or progress message, short texts included: {@link MessageCopies} |
/// | | `R#{artifact}` | an artifact record |
/// | | `E#{export}` | an export |
/// | | `WARNED#{scope}#{period}#{unit}#{limit}` | a ceiling that webhooks were warned of |
/// | `W#{workspace}#ACTIVE`, `W#{workspace}#ACTIVE#{agent}`, the same with `ARCHIVED`, `W#{workspace}#WORKING`, `W#{workspace}#PLANNED` | `{created}#{session}` | a pointer for lists |
/// | `W#{workspace}#SECRETS` | `{name}` | a secret, without its value |
/// | | `0` | the register that bounds their number |
/// | `W#{workspace}#UPLOADS` | `{upload}` | an upload |
/// | | `REGISTER` | the register that bounds their number |
/// | `W#{workspace}#WEBHOOKS` | `{webhook}` | a webhook, its secrets sealed |
/// | | `0` | the register that bounds their number |
/// | `W#{workspace}#WEBHOOKS#OWN` | `{session}` | a webhook that belongs to one session |
/// | `W#{workspace}#WEBHOOKS#{webhook}` | `{event}` | a delivery |
/// | `W#{workspace}#OUTBOX` | `{event}` | the events of one change, before they become deliveries |
/// | `W#{workspace}#WORKING` | `~WEBHOOKS` | the mark that the workspace has webhooks |
/// | | `~QUEUED#{turn}` | a turn that waits |
/// | | `~LIMITS` | the workspace's spending limits, if it has any |
/// | `W#{workspace}#STOPS` | `STOP#{task}` | a task of an engine that is to be stopped |
/// | `W#{workspace}#FOLDERS` | `{session}` | a deleted session's folder that is to be removed from the one machine |
/// | `W#{workspace}#USAGE` | `{day}#{agent}#{key}#{shard}#{model}` | a sum of the usage of turns |
/// | `W#{workspace}#SPENT` | `{day}#{shard}` | the cost of a day, estimates included |
/// | | `WARNED#{scope}#{period}#{unit}#{limit}` | a ceiling that webhooks were warned of |
/// | `W#{workspace}#REQUESTS`, the same with `DONE` | `{created}#{request}` | a pointer to a request that is pending, or no more |
/// | `W#{workspace}#IDEM#{hash}` | `0` | an answer kept for an `Idempotency-Key` |
///
/// One sparse index `live` (`LIVE`, `due_at`) holds the items for the sweep, and artifacts by their
/// id alone: {@link Shards}.
public final class Layout {
  /// The version of this layout and of everything stored beside the table. A service refuses to
  /// start on data of another version. `template.yaml` states it, too.
  public static final int FORMAT = 1;

  /// Sorts before every id and position that keys end in; an empty text may not be a key.
  public static final String LEAST = " ";

  /// Sorts after every id and position.
  public static final String GREATEST = "~";

  public static final String META = "0#META";
  public static final String PLANS = "0#PLANS";

  /// Sorts next to the session item, so that one query reads both.
  public static final String COUNTED = "0#COUNT#";

  public static final String SANDBOX_LOCK = "BOX";
  private static final String PUSHED = "PUSHED";
  private static final String WORK = "WORK";
  private static final String PERMISSIONS = "PERMISSIONS#";
  private static final String INPUTS = "I#";
  private static final String WAITING = "Q#";
  public static final String TURNS = "T#";

  /// As long as that of turns.
  private static final String JOBS = "J#";

  public static final String REQUESTS = "D#";
  public static final String GRANTS = "G#";
  private static final String TASKS = "X#";
  private static final String STANDBY = "STANDBY";
  public static final String STOPS = "STOP#";
  public static final String ARTIFACTS = "R#";
  private static final String EXPORTS = "E#";
  public static final String COPIES = "M#";
  public static final String LIVE_INDEX = "live";

  public record Key(String pk, String sk) {
    Map<String, AttributeValue> attributes() {
      return Map.of(
          Attribute.PK.name(),
          AttributeValue.fromS(pk),
          Attribute.SK.name(),
          AttributeValue.fromS(sk));
    }

    public Workspace workspace() {
      return new Workspace(pk.split("#", -1)[1]);
    }

    /// The session to whose partition the item belongs.
    public SessionKey sessionKey() {
      return new SessionKey(workspace(), SessionId.parse(pk.split("#", -1)[3]).orElseThrow());
    }

    public TurnKey turn() {
      return sessionKey().turn(TurnId.parse(sk.substring(TURNS.length())).orElseThrow());
    }

    /// The ARN of a task that is to be stopped.
    public String task() {
      return sk.substring(STOPS.length());
    }

    /// The deleted session whose folder is to be removed.
    public SessionKey folder() {
      return new SessionKey(workspace(), SessionId.parse(sk).orElseThrow());
    }

    /// Whether the item is for a turn's runner and execution alone, so that no event is about it.
    boolean isOfRunners() {
      return sk.equals(SANDBOX_LOCK) || sk.startsWith(TASKS);
    }

    /// The turn whose messages are counted.
    public TurnKey counted() {
      return sessionKey().turn(TurnId.parse(sk.substring(COUNTED.length())).orElseThrow());
    }

    /// The turn whose message brought the files.
    public TurnKey inputs() {
      return sessionKey().turn(TurnId.parse(sk.substring(INPUTS.length())).orElseThrow());
    }

    public RequestId request() {
      return RequestId.parse(sk.substring(sk.lastIndexOf('#') + 1)).orElseThrow();
    }

    /// The fingerprint that a grant is for.
    public String fingerprint() {
      return sk.substring(GRANTS.length());
    }

    public ArtifactId artifact() {
      return ArtifactId.parse(sk.substring(ARTIFACTS.length())).orElseThrow();
    }

    public WebhookId webhook() {
      return WebhookId.parse(sk).orElseThrow();
    }

    public EventId event() {
      return EventId.parse(sk).orElseThrow();
    }

    public ExportId export() {
      return ExportId.parse(sk.substring(EXPORTS.length())).orElseThrow();
    }

    public MessageKind kind() {
      return Layout.kind(sk);
    }

    /// The stamp of the message.
    public Stamp stamp() {
      return new Stamp(Long.parseLong(sk.substring(prefix(kind()).length())));
    }

    /// The stamp of the message that it is a copy of.
    public Stamp copied() {
      return new Stamp(Long.parseLong(sk.substring(COPIES.length())));
    }

    /// The hash of path and `Idempotency-Key` under which an answer is kept.
    public String idempotency() {
      return pk.substring(pk.lastIndexOf('#') + 1);
    }
  }

  public static String partition(SessionKey key) {
    return "W#" + key.workspace() + "#S#" + key.id();
  }

  public static Key meta(SessionKey key) {
    return new Key(partition(key), META);
  }

  public static Key plans(SessionKey key) {
    return new Key(partition(key), PLANS);
  }

  public static Key sandboxLock(SessionKey key) {
    return new Key(partition(key), SANDBOX_LOCK);
  }

  public static Key work(SessionKey key) {
    return new Key(partition(key), WORK);
  }

  public static Key permissions(SessionKey key, String version) {
    return new Key(partition(key), PERMISSIONS + version);
  }

  public static Key inputs(TurnKey turn) {
    return new Key(partition(turn.sessionKey()), INPUTS + turn.id());
  }

  /// The message of a turn that waits.
  public static Key waiting(TurnKey turn) {
    return new Key(partition(turn.sessionKey()), WAITING + turn.id());
  }

  public static Key pushed(SessionKey key) {
    return new Key(partition(key), PUSHED);
  }

  public static Key turn(TurnKey turn) {
    return new Key(partition(turn.sessionKey()), (turn.id().isJob() ? JOBS : TURNS) + turn.id());
  }

  public static Key counted(TurnKey turn) {
    return new Key(partition(turn.sessionKey()), COUNTED + turn.id());
  }

  /// The task that waits for the session's next turn.
  public static Key standby(SessionKey key) {
    return new Key(partition(key), STANDBY);
  }

  /// Outside of the session's partition, since the session may be removed before its task has
  /// ended.
  public static Key stop(Workspace workspace, String task) {
    return new Key("W#" + workspace + "#STOPS", STOPS + task);
  }

  /// Outside of the session's partition, since the session may be removed before its folder.
  public static Key folder(SessionKey key) {
    return new Key("W#" + key.workspace() + "#FOLDERS", key.id().toString());
  }

  public static Key task(TurnKey turn) {
    return new Key(partition(turn.sessionKey()), TASKS + turn.id());
  }

  public static Key message(SessionKey key, MessageKind kind, Stamp stamp) {
    return new Key(partition(key), prefix(kind) + stamp.digits());
  }

  public static Key copy(SessionKey key, Stamp stamp) {
    return new Key(partition(key), COPIES + stamp.digits());
  }

  /// The mark that a ceiling was warned of: in the partition of its session, or among the sums of
  /// its workspace.
  ///
  /// @param period in which the warning is sent once: the turn, the day or the month; or none
  public static Key warned(
      Workspace workspace, @Nullable SessionId session, Ceiling ceiling, String period) {
    String name =
        String.join(
            "#",
            "WARNED",
            ceiling.scope().word(),
            period,
            ceiling.unit().word(),
            Long.toString(ceiling.limit()));
    return new Key(
        session == null ? spent(workspace) : partition(new SessionKey(workspace, session)), name);
  }

  public static Key artifact(SessionKey key, ArtifactId artifact) {
    return new Key(partition(key), ARTIFACTS + artifact);
  }

  public static Key request(SessionKey key, RequestId request) {
    return new Key(partition(key), REQUESTS + request);
  }

  public static Key grant(SessionKey key, String fingerprint) {
    return new Key(partition(key), GRANTS + fingerprint);
  }

  /// The pointers to a workspace's requests, by the time of their creation.
  public static String requests(Workspace workspace, boolean pending) {
    return "W#" + workspace + "#REQUESTS" + (pending ? "" : "#DONE");
  }

  public static Key requestPointer(
      Workspace workspace, boolean pending, Stamp created, RequestId request) {
    return new Key(requests(workspace, pending), created.digits() + "#" + request);
  }

  public static Key export(SessionKey key, ExportId export) {
    return new Key(partition(key), EXPORTS + export);
  }

  public static Key working(SessionKey key, Stamp created) {
    return new Key(workingPartition(key.workspace()), position(key, created));
  }

  /// The pointers of working sessions, one for each session whose turn is live.
  public static String workingPartition(Workspace workspace) {
    return "W#" + workspace + "#WORKING";
  }

  public static Key awaitingDecision(SessionKey key, Stamp created) {
    return new Key(awaitingDecisionPartition(key.workspace()), position(key, created));
  }

  /// The pointers of sessions that wait for a decision after their turn. They have no live turn,
  /// and do not count among those that have.
  public static String awaitingDecisionPartition(Workspace workspace) {
    return "W#" + workspace + "#PLANNED";
  }

  public static Key idempotency(Workspace workspace, String hash) {
    return new Key("W#" + workspace + "#IDEM#" + hash, "0");
  }

  public static String secrets(Workspace workspace) {
    return "W#" + workspace + "#SECRETS";
  }

  public static Key secret(Workspace workspace, String name) {
    return new Key(secrets(workspace), name);
  }

  public static Key secretRegister(Workspace workspace) {
    return new Key(secrets(workspace), "0");
  }

  public static String webhooks(Workspace workspace) {
    return "W#" + workspace + "#WEBHOOKS";
  }

  /// A webhook of the workspace, or the one that a session has for itself.
  public static Key webhook(Workspace workspace, WebhookId id, boolean ofSession) {
    return new Key(webhooks(workspace) + (ofSession ? "#OWN" : ""), id.toString());
  }

  /// The webhook that belongs to one session.
  public static Key ownWebhook(SessionKey key) {
    return webhook(key.workspace(), new WebhookId(key.id().value()), true);
  }

  public static Key webhookRegister(Workspace workspace) {
    return new Key(webhooks(workspace), "0");
  }

  public static String deliveries(Workspace workspace, WebhookId id) {
    return webhooks(workspace) + "#" + id;
  }

  public static Key delivery(Workspace workspace, WebhookId id, EventId event) {
    return new Key(deliveries(workspace, id), event.toString());
  }

  public static Key outbox(Workspace workspace, EventId first) {
    return new Key("W#" + workspace + "#OUTBOX", first.toString());
  }

  /// The mark that a workspace has webhooks. It sorts after all pointers of its partition, which
  /// the creation of a session reads anyway.
  public static Key webhookMark(Workspace workspace) {
    return new Key(workingPartition(workspace), GREATEST + "WEBHOOKS");
  }

  public static String sums(Workspace workspace) {
    return "W#" + workspace + "#USAGE";
  }

  /// The model comes last, since its name may have any character; it is empty if there is none.
  public static Key sum(Workspace workspace, DailyUsage.Of of, int shard) {
    String model = of.model() == null ? "" : of.model();
    return new Key(
        sums(workspace),
        "%s#%s#%s#%d#%s".formatted(of.day(), of.agentName(), of.keyId(), shard, model));
  }

  /// In a partition apart from the usage sums, whose number agents can drive up by naming models: a
  /// check of the spending limits reads only these few items.
  public static String spent(Workspace workspace) {
    return "W#" + workspace + "#SPENT";
  }

  public static Key spent(Workspace workspace, LocalDate day, int shard) {
    return new Key(spent(workspace), day + "#" + shard);
  }

  public static DailyUsage.Of tally(String sk) {
    String[] parts = sk.split("#", 5);
    return new DailyUsage.Of(
        LocalDate.parse(parts[0]), parts[1], parts[4].isEmpty() ? null : parts[4], parts[2]);
  }

  /// The mark of a turn that waits, by which it counts among the live turns of its workspace.
  public static Key waitingMark(TurnKey turn) {
    return new Key(
        workingPartition(turn.sessionKey().workspace()), GREATEST + "QUEUED#" + turn.id());
  }

  /// In the same partition as [#webhookMark], for the same reason.
  public static Key spendingLimits(Workspace workspace) {
    return new Key(workingPartition(workspace), GREATEST + "LIMITS");
  }

  public static String uploads(Workspace workspace) {
    return "W#" + workspace + "#UPLOADS";
  }

  public static Key upload(Workspace workspace, UploadId id) {
    return new Key(uploads(workspace), id.toString());
  }

  public static Key uploadRegister(Workspace workspace) {
    return new Key(uploads(workspace), "REGISTER");
  }

  /// The least text that sorts after an id or a position; itself it is neither.
  public static String after(String place) {
    return place + LEAST;
  }

  /// The greatest text that sorts before an id or a position: these end in a hexadecimal digit, and
  /// nothing sorts between.
  public static String before(String place) {
    int last = place.length() - 1;
    return place.substring(0, last) + (char) (place.charAt(last) - 1) + GREATEST;
  }

  /// The beginning of the positions of sessions that were created then or later.
  public static String since(Stamp created) {
    return created.digits();
  }

  /// The end of the positions of sessions that were created then or earlier.
  public static String until(Stamp created) {
    return created.digits() + GREATEST;
  }

  /// The position of a session in lists: by the time of its creation.
  public static String position(SessionKey key, Stamp created) {
    return created.digits() + "#" + key.id();
  }

  public static String prefix(MessageKind kind) {
    return switch (kind) {
      case USER -> "U#";
      case FINAL -> "F#";
      case PROGRESS -> "P#";
      case TOOL_CALL -> "C#";
    };
  }

  private static MessageKind kind(String sk) {
    return switch (sk.charAt(0)) {
      case 'U' -> MessageKind.USER;
      case 'F' -> MessageKind.FINAL;
      case 'P' -> MessageKind.PROGRESS;
      case 'C' -> MessageKind.TOOL_CALL;
      default -> throw new IllegalStateException("not the key of a message: " + sk);
    };
  }

  private Layout() {}
}
