package agentsessions.aws;

import agentsessions.session.ArtifactId;
import agentsessions.session.MessageKind;
import agentsessions.session.SessionId;
import agentsessions.session.Stamp;
import agentsessions.session.TurnId;
import agentsessions.session.Workspace;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The keys of the table, in one place.
///
/// | PK | SK | what |
/// |---|---|---|
/// | `W#{workspace}#S#{session}` | `0#META` | the session |
/// | | `0#PLANS` | the latest artifact of each plan |
/// | | `BOX` | the lock of the sandbox |
/// | | `T#{turn}` | a turn |
/// | | `U#{ts}` `F#{ts}` `P#{ts}` `C#{ts}` | a message: user, final, progress, tool call |
/// | | `R#{artifact}` | an artifact record |
/// | `W#{workspace}#LIST`, `W#{workspace}#LIST#{agent}`, `W#{workspace}#WORKING` | `{created}#{session}` | a pointer for lists |
/// | `W#{workspace}#IDEM#{hash}` | `0` | an answer kept for an `Idempotency-Key` |
///
/// One sparse index `live` (`LIVE`, `due_at`) holds what the sweep must look at: live turns under
/// `LIVE#n`, deleted sessions under `PURGE#n`.
public final class Layout {
  public static final String META = "0#META";
  static final String PLANS = "0#PLANS";
  static final String BOX = "BOX";
  static final String TURNS = "T#";
  static final String ARTIFACTS = "R#";
  static final String LIVE_INDEX = "live";
  private static final String LIVE = "LIVE#";
  private static final String PURGE = "PURGE#";
  private static final int SHARDS = 8;

  public record Key(String pk, String sk) {
    Map<String, AttributeValue> attributes() {
      return Map.of("PK", AttributeValue.fromS(pk), "SK", AttributeValue.fromS(sk));
    }
  }

  public static String partition(Workspace workspace, SessionId session) {
    return "W#" + workspace + "#S#" + session;
  }

  public static Key meta(Workspace workspace, SessionId session) {
    return new Key(partition(workspace, session), META);
  }

  public static Key plans(Workspace workspace, SessionId session) {
    return new Key(partition(workspace, session), PLANS);
  }

  public static Key box(Workspace workspace, SessionId session) {
    return new Key(partition(workspace, session), BOX);
  }

  public static Key turn(Workspace workspace, SessionId session, TurnId turn) {
    return new Key(partition(workspace, session), TURNS + turn);
  }

  public static Key message(Workspace workspace, SessionId session, MessageKind kind, Stamp stamp) {
    return new Key(partition(workspace, session), prefix(kind) + stamp.digits());
  }

  static Key artifact(Workspace workspace, SessionId session, ArtifactId artifact) {
    return new Key(partition(workspace, session), ARTIFACTS + artifact);
  }

  public static Key listed(Workspace workspace, Stamp created, SessionId session) {
    return new Key("W#" + workspace + "#LIST", created.digits() + "#" + session);
  }

  public static Key listedByAgent(
      Workspace workspace, String agent, Stamp created, SessionId session) {
    return new Key("W#" + workspace + "#LIST#" + agent, created.digits() + "#" + session);
  }

  public static Key working(Workspace workspace, Stamp created, SessionId session) {
    return new Key(workingPartition(workspace), created.digits() + "#" + session);
  }

  /// One pointer a session whose turn is live.
  public static String workingPartition(Workspace workspace) {
    return "W#" + workspace + "#WORKING";
  }

  public static Key idempotency(Workspace workspace, String hash) {
    return new Key("W#" + workspace + "#IDEM#" + hash, "0");
  }

  static String prefix(MessageKind kind) {
    return switch (kind) {
      case USER -> "U#";
      case FINAL -> "F#";
      case PROGRESS -> "P#";
      case TOOL_CALL -> "C#";
    };
  }

  static MessageKind kind(String sk) {
    return switch (sk.charAt(0)) {
      case 'U' -> MessageKind.USER;
      case 'F' -> MessageKind.FINAL;
      case 'P' -> MessageKind.PROGRESS;
      case 'C' -> MessageKind.TOOL_CALL;
      default -> throw new IllegalStateException("not the key of a message: " + sk);
    };
  }

  /// Which of the index's partitions a live turn is watched in.
  public static String liveShard(TurnId turn) {
    return shard(LIVE, turn);
  }

  /// Which of the index's partitions a deleted session is watched in, given its `0#META`.
  public static String purgeShard(Key meta) {
    return shard(PURGE, meta);
  }

  public static List<String> liveShards() {
    return shards(LIVE);
  }

  public static List<String> purgeShards() {
    return shards(PURGE);
  }

  private static String shard(String kind, Object of) {
    return kind + Math.floorMod(of.hashCode(), SHARDS);
  }

  private static List<String> shards(String kind) {
    return IntStream.range(0, SHARDS).mapToObj(number -> kind + number).toList();
  }

  private Layout() {}
}
