package agentsessions.turn.intake;

import agentsessions.aws.Bucket;
import agentsessions.session.Artifact;
import agentsessions.session.FollowUp;
import agentsessions.session.OnRunning;
import agentsessions.session.Refusal;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.Sha256;
import agentsessions.session.request.Decision;
import agentsessions.session.request.Request;
import agentsessions.session.usage.Ceilings;
import agentsessions.store.artifact.Artifacts;
import agentsessions.store.session.StoredInputs;
import agentsessions.store.usage.SpendingLimitStore;
import agentsessions.turn.StartGrace;
import io.micronaut.context.BeanProvider;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The turns that begin with a decision on a plan: one that carries it out, or one that plans
/// again. Each has a message of ours, and is the turn of the key that asked for the plan, so that
/// four eyes stay four.
///
/// Why: decisions 042 and 055.
@Singleton
public final class PlanSequels {
  /// The longest message, as clients may send it too.
  private static final int MOST_BYTES = 256 * 1024;

  private final Admission admission;
  private final SpendingLimitStore spendingLimitStore;
  private final Artifacts artifacts;
  private final BeanProvider<Bucket> bucket;
  private final BeanProvider<StoredInputs> storedInputs;
  private final StartGrace startGrace;

  public PlanSequels(
      Admission admission,
      SpendingLimitStore spendingLimitStore,
      Artifacts artifacts,
      BeanProvider<Bucket> bucket,
      BeanProvider<StoredInputs> storedInputs,
      StartGrace startGrace) {
    this.admission = admission;
    this.spendingLimitStore = spendingLimitStore;
    this.artifacts = artifacts;
    this.bucket = bucket;
    this.storedInputs = storedInputs;
    this.startGrace = startGrace;
  }

  /// What follows a decision on the plan of a turn: another, unless it is denied without a word.
  ///
  /// @throws Refusal `VALIDATION` where an approved plan fits into no message; `BUDGET_REACHED`,
  ///   `QUEUE_FULL`, `TOO_MANY_TURNS`, as a message
  ClosingSequel after(Session session, Turn planned, Request decided, Instant now) {
    Decision decision = Objects.requireNonNull(decided.decision());
    return switch (decision.word()) {
      case ALLOW, ALLOW_SESSION ->
          sequel(
              begun(session, planned, approval(session, decided, decision), now).approved(), now);
      case DENY ->
          Optional.ofNullable(decision.note())
              .filter(note -> !note.isBlank())
              .map(note -> sequel(begun(session, planned, denial(note), now), now))
              .orElseGet(() -> ClosingSequel.none(session, decided, now));
    };
  }

  private BegunFollowUp begun(Session session, Turn planned, String message, Instant now) {
    FollowUp followUp =
        new FollowUp(
            message,
            null,
            OnRunning.INTERRUPT,
            null,
            List.of(),
            Map.of(),
            Ceilings.NONE,
            planned.account().keyId());
    admission.require(session, followUp, spendingLimitStore.of(session.key().workspace()));
    return BegunFollowUp.of(
            session, Optional.empty(), followUp, planned.baseUrl(), now, startGrace.dueAt(now))
        .deciding();
  }

  private ClosingSequel sequel(BegunFollowUp begun, Instant now) {
    return new ClosingSequel(
        Optional.of(begun.next()),
        begun.writes(storedInputs, now),
        begun.events(),
        begun.next().firstStamp());
  }

  /// Both messages begin with a line that is a comment to a shell, whose plan is its script.
  private String approval(Session session, Request decided, Decision decision) {
    ArtifactId id = Objects.requireNonNull(decided.plan());
    Artifacts.Found found = artifacts.find(session.key(), id);
    if (!found.sessionFound()) {
      return ""; // it was deleted since it was read, so that nothing can begin
    }
    return found
        .artifact()
        .flatMap(plan -> text(plan).map(text -> approval(plan.path(), decision, text)))
        .filter(message -> message.getBytes(StandardCharsets.UTF_8).length <= MOST_BYTES)
        .orElseThrow(PlanSequels::unfit);
  }

  private static Refusal unfit() {
    return Refusal.invalid(
        "decision",
        "must be deny: with its note, the plan is no UTF-8 text that fits into a message of %d bytes"
            .formatted(MOST_BYTES));
  }

  private static String approval(String path, Decision decision, String text) {
    return "# The plan %s is approved: carry it out.\n%s\n%s"
        .formatted(oneLine(path), comment(decision.note()), text);
  }

  /// An agent may have named its plan in any way: what would end the comment is no part of it.
  private static String oneLine(String path) {
    return path.replaceAll("\\p{Cc}", "\uFFFD");
  }

  private static String denial(String note) {
    return "# The plan is not approved: change it.\n\n" + note;
  }

  private static String comment(@Nullable String note) {
    return note == null
        ? ""
        : note.lines().map(line -> "# " + line + "\n").collect(Collectors.joining());
  }

  /// The very text that was decided on, which its file may not have any more; empty where it is too
  /// long, or none that can be read.
  private Optional<String> text(Artifact plan) {
    return plan.bytes() > MOST_BYTES
        ? Optional.empty()
        : Optional.of(bucket.get().text(plan.objectKey()))
            .filter(text -> Sha256.hex(text).equals(plan.sha256()));
  }
}
