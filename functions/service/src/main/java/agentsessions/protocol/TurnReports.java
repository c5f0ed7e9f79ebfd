package agentsessions.protocol;

import agentsessions.aws.Bucket;
import agentsessions.rule.Encoded;
import agentsessions.session.Artifact;
import agentsessions.session.Ending;
import agentsessions.session.Refusal;
import agentsessions.session.Turn;
import agentsessions.session.TurnError;
import agentsessions.session.TurnStatus;
import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.Stamp;
import agentsessions.table.TimeOrderedIds;
import agentsessions.wire.RunnerMessages;
import agentsessions.wire.TurnResult;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The reader of a runner's report on its turn. The runner is not trusted: only objects whose key
/// was given out to it, and that are in the bucket, become artifacts.
@Singleton
public final class TurnReports {
  private static final int MOST_ERROR = 8 * 1024;
  private static final int MOST_PATH = 4096;
  private static final int MOST_NAME = 255;
  private static final String CUT =
      "\n[The reply was longer than 1 MiB, or than what can be sent, and is cut here.]";
  private static final Pattern MIME =
      Pattern.compile("[\\w.+-]{1,100}/[\\w.+-]{1,100}(; ?charset=[\\w-]{1,40})?");
  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

  private final Bucket bucket;
  private final Clock clock;

  public TurnReports(Bucket bucket, Clock clock) {
    this.bucket = bucket;
    this.clock = clock;
  }

  /// A new object key for a file of this turn and this fence.
  static String newKey(Turn turn) {
    return prefix(turn) + UUID.randomUUID();
  }

  static boolean hasPlans(TurnResult report) {
    return report.artifacts() != null && report.artifacts().stream().anyMatch(TurnReports::isPlan);
  }

  private static boolean isPlan(TurnResult.Artifact reported) {
    return TurnResult.Artifact.PLAN.equals(reported.kind());
  }

  Ending ending(Turn turn, TurnResult report) {
    List<Artifact> artifacts = turn.isJob() ? List.of() : artifacts(turn, report.artifacts());
    return ending(report, artifacts)
        .with(
            new RepositoryReports(turn, artifacts, clock.instant()).merged(report.repositories()));
  }

  private static Ending ending(TurnResult report, List<Artifact> artifacts) {
    return switch (text(report.outcome())) {
      case TurnResult.COMPLETED ->
          Ending.completed(cut(text(report.reply()), TurnResult.MOST_REPLY, CUT), artifacts);
      case TurnResult.FAILED -> Ending.failed(TurnStatus.FAILED, error(report.error()), artifacts);
      case TurnResult.TIMED_OUT ->
          Ending.failed(TurnStatus.TIMED_OUT, error(report.error()), artifacts);
      default -> throw Refusal.invalid("outcome", "must be completed, failed or timed_out");
    };
  }

  private static TurnError error(TurnResult.@Nullable Fault error) {
    if (error == null) {
      throw Refusal.invalid("error", "is required");
    }
    return new TurnError(
        cut(text(error.code()), 64, ""),
        cut(text(error.message()), MOST_ERROR, " [cut]"),
        Boolean.TRUE.equals(error.retryable()));
  }

  private List<Artifact> artifacts(Turn turn, @Nullable List<TurnResult.Artifact> reported) {
    if (reported == null) {
      return List.of();
    }
    if (reported.size() > RunnerMessages.UploadRequest.MOST) {
      throw Refusal.invalid("artifacts", "must be at most " + RunnerMessages.UploadRequest.MOST);
    }
    reported.forEach(one -> check(turn, one));
    Map<String, Long> sizes = bucket.sizes(reported.stream().map(one -> text(one.key())).toList());
    List<ArtifactId> ids = TimeOrderedIds.artifacts(Stamp.of(clock.instant()), reported.size());
    List<Artifact> artifacts = new ArrayList<>();
    for (int i = 0; i < reported.size(); i++) {
      Long size = sizes.get(text(reported.get(i).key()));
      if (size == null) {
        throw Refusal.invalid("key", "has not been uploaded");
      }
      artifacts.add(artifact(turn, ids.get(i), reported.get(i), size));
    }
    return artifacts;
  }

  private static void check(Turn turn, TurnResult.Artifact reported) {
    String path = text(reported.path());
    String key = text(reported.key());
    String sha256 = text(reported.sha256());
    if (!isFile(path)) {
      throw Refusal.invalid("path", "must be an absolute path of a file");
    }
    if (!key.startsWith(prefix(turn)) || !SHA256.matcher(sha256).matches()) {
      throw Refusal.invalid("key", "must be one that was given out, with its sha256");
    }
  }

  private static Artifact artifact(
      Turn turn, ArtifactId id, TurnResult.Artifact reported, long size) {
    String path = text(reported.path());
    String mime = text(reported.mimeType());
    return new Artifact(
        id,
        turn.key(),
        path,
        isPlan(reported) ? Artifact.planId(turn.sessionId(), path) : null,
        size,
        text(reported.sha256()),
        MIME.matcher(mime).matches() ? mime : "application/octet-stream",
        text(reported.key()),
        reported.capturedAt() == null
            ? turn.lastStamp().instant()
            : Stamp.ofEpochSeconds(reported.capturedAt()).instant());
  }

  private static boolean isFile(String path) {
    return path.startsWith("/")
        && !path.endsWith("/")
        && bytes(path) <= MOST_PATH
        && bytes(path.substring(path.lastIndexOf('/') + 1)) <= MOST_NAME;
  }

  private static String prefix(Turn turn) {
    return "artifacts/%s/%s/%d-".formatted(turn.sessionId(), turn.id(), turn.fence());
  }

  /// The text, or where it is too long its longest beginning of whole characters, with the note:
  /// within `most` bytes, and short enough for a response.
  static String cut(String text, int most, String note) {
    return bytes(text) <= most && Encoded.bytes(text) <= Encoded.MOST
        ? text
        : Encoded.clip(beginning(text, most - bytes(note)), Encoded.MOST - Encoded.bytes(note))
            + note;
  }

  private static String beginning(String text, int most) {
    ByteBuffer room = ByteBuffer.allocate(most);
    CharsetEncoder encoder = StandardCharsets.UTF_8.newEncoder();
    CharBuffer characters = CharBuffer.wrap(text);
    encoder.encode(characters, room, true);
    return text.substring(0, characters.position());
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }
}
