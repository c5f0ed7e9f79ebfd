package agentsessions.table;

import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.WebhookId;
import agentsessions.session.id.Workspace;
import java.util.List;
import java.util.stream.IntStream;

/// The partitions of the sparse index `live`. The items for the sweep are spread over several, so
/// that none becomes hot.
///
/// | LIVE | what | due |
/// |---|---|---|
/// | `LIVE#n` | live turns | when their lease ends |
/// | | requests for a decision that wait after a turn | when they expire |
/// | | tasks that are to be stopped | soon, and again until they are gone |
/// | `PURGE#n` | deleted sessions, by their `0#META` | when the next part may go |
/// | `FOLDERS` | folders that deleted sessions have on the one machine | at once |
/// | `OUTBOX#n` | events on their way to deliveries | soon after they were written |
/// | `WEBHOOK#n` | webhooks with something to send | when it is to be sent |
/// | `DELIVERY#{webhook}` | the pending deliveries of one webhook | at the next attempt |
/// | `ARTIFACT#{workspace}#{artifact}` | an artifact, to be found by its id alone | never |
public final class Shards {
  /// One partition, since there is one machine.
  public static final String FOLDERS = "FOLDERS";

  private static final String LIVE = "LIVE#";
  private static final String PURGE = "PURGE#";
  private static final String OUTBOX = "OUTBOX#";
  private static final String WEBHOOK = "WEBHOOK#";
  private static final int EACH = 8;
  private static final int OF_WEBHOOKS = 2;

  /// The partition of a live turn.
  public static String live(TurnId turn) {
    return shard(LIVE, turn);
  }

  /// The partition of a task that is to be stopped, shared with the live turns.
  public static String stop(String task) {
    return shard(LIVE, task);
  }

  /// The partition of one artifact.
  public static String artifact(Workspace workspace, ArtifactId artifact) {
    return "ARTIFACT#%s#%s".formatted(workspace, artifact);
  }

  /// The partition of a deleted session, given its `0#META`.
  public static String purge(Layout.Key meta) {
    return shard(PURGE, meta);
  }

  /// The partition of events that wait to become deliveries, given the key of their item.
  public static String outbox(Layout.Key key) {
    return OUTBOX + Math.floorMod(key.hashCode(), OF_WEBHOOKS);
  }

  /// The partition of a webhook with something to send.
  public static String webhook(Layout.Key key) {
    return WEBHOOK + Math.floorMod(key.hashCode(), OF_WEBHOOKS);
  }

  /// The partition of one webhook's pending deliveries.
  public static String deliveries(WebhookId webhook) {
    return "DELIVERY#" + webhook;
  }

  public static List<String> outbox() {
    return IntStream.range(0, OF_WEBHOOKS).mapToObj(number -> OUTBOX + number).toList();
  }

  public static List<String> webhooks() {
    return IntStream.range(0, OF_WEBHOOKS).mapToObj(number -> WEBHOOK + number).toList();
  }

  public static List<String> live() {
    return all(LIVE);
  }

  public static List<String> purge() {
    return all(PURGE);
  }

  private static String shard(String kind, Object of) {
    return kind + Math.floorMod(of.hashCode(), EACH);
  }

  private static List<String> all(String kind) {
    return IntStream.range(0, EACH).mapToObj(number -> kind + number).toList();
  }

  private Shards() {}
}
