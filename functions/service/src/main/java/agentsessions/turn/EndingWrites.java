package agentsessions.turn;

import agentsessions.session.Artifact;
import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Plans;
import agentsessions.session.Turn;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnKey;
import agentsessions.session.request.Request;
import agentsessions.store.message.MessageCopies;
import agentsessions.store.request.ClosingQuestions;
import agentsessions.store.request.ClosingRequest;
import agentsessions.table.Change;
import agentsessions.table.Shards;
import agentsessions.table.Write;
import agentsessions.table.item.ArtifactItem;
import agentsessions.table.item.PlansItem;
import agentsessions.table.item.TurnItem;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/// The writes of a turn's ending for its artifacts and, if there are plans among them, for the
/// pointers to the latest iteration of each plan; and the request that it leaves. Only an ending
/// writes those pointers, and only one turn of a session can be ending. A new plan beyond the limit
/// of pointers is recorded as a file, and a last progress message says so.
///
/// @param asked what a person is asked; empty where nobody is
record EndingWrites(
    Turn turn,
    Plans known,
    List<Artifact> reported,
    List<Artifact> recorded,
    Optional<ClosingQuestions.Asked> asked) {
  /// The due time of an artifact: it is in the index to be found, not for the sweep.
  private static final Instant NEVER = Instant.ofEpochMilli(Long.MAX_VALUE);

  /// @param known the session's plans; ignored if there is none among the artifacts
  static EndingWrites of(Turn turn, Plans known, List<Artifact> artifacts) {
    return new EndingWrites(turn, known, artifacts, known.fitting(artifacts), Optional.empty());
  }

  /// The same, and a person is asked.
  EndingWrites asking(Optional<ClosingQuestions.Asked> question) {
    return new EndingWrites(turn, known, reported, recorded, question);
  }

  /// The request that is left, if a person is asked.
  ///
  /// @param last the session's last turn: this one, or that before this job
  /// @param stamp of the end
  Optional<ClosingRequest> request(TurnKey last, Stamp stamp) {
    Instant now = stamp.instant().truncatedTo(ChronoUnit.MILLIS);
    return asked.map(question ->
        new ClosingRequest(request(last, question, now), question.how().fourEyes(), turn, stamp));
  }

  private Request request(TurnKey last, ClosingQuestions.Asked question, Instant now) {
    Instant expiresAt = now.plus(Duration.ofDays(question.how().expiresInDays()));
    return switch (question) {
      case ClosingQuestions.Asked.AboutPlan _ -> ofPlan(now, expiresAt);
      case ClosingQuestions.Asked.AboutPushes about ->
          Request.of(
              RequestId.of(turn.key(), RequestId.PUSH), last, about.pushes(), now, expiresAt);
    };
  }

  private Request ofPlan(Instant now, Instant expiresAt) {
    Artifact plan = Artifact.latestPlan(reported).orElseThrow();
    return new Request(
        RequestId.of(turn.key(), RequestId.PLAN),
        turn.key(),
        Request.Status.PENDING,
        plan.fileName(),
        null,
        List.of(),
        plan.id(),
        List.of(),
        plan.sha256(),
        Stamp.of(now),
        expiresAt,
        null);
  }

  /// Whether there is room for every plan, so that no message is needed.
  boolean fits() {
    return reported.equals(recorded);
  }

  /// The number of progress messages about plans without room: 0 or 1.
  int lines() {
    return fits() ? 0 : 1;
  }

  /// Adds that message to the counters in the turn's change; the condition fails if another event
  /// was added meanwhile.
  Change counted(Change ending) {
    return fits()
        ? ending
        : ending
            .set(TurnItem.EVENTS, turn.counts().events() + 1)
            .set(TurnItem.PROGRESS, turn.counts().progress() + 1)
            .when("#events = :from")
            .with("from", TurnItem.EVENTS, turn.counts().events());
  }

  /// @param stamp the stamp of the progress message, if one is needed
  List<Write> writes(Stamp stamp) {
    List<Write> writes = new ArrayList<>();
    recorded.forEach(artifact -> writes.add(found(artifact).put()));
    if (reported.stream().anyMatch(artifact -> artifact.planId() != null)) {
      writes.add(PlansItem.put(turn.key().sessionKey(), known.with(recorded)).overwrite());
    }
    if (!fits()) {
      writes.addAll(line(stamp));
    }
    return writes;
  }

  /// The item of an artifact, indexed so that it is found by its id alone.
  private static Change found(Artifact artifact) {
    return ArtifactItem.put(artifact)
        .due(Shards.artifact(artifact.turn().sessionKey().workspace(), artifact.id()), NEVER);
  }

  private List<Write> line(Stamp stamp) {
    String files =
        reported.stream()
            .filter(artifact -> !recorded.contains(artifact))
            .map(Artifact::path)
            .collect(Collectors.joining(", "));
    Message message =
        new Message(
            turn.key(),
            MessageKind.PROGRESS,
            stamp,
            turn.counts().events(),
            new Message.Text.Inline(
                "A session keeps track of at most %,d plans, so recorded as files: %s."
                    .formatted(Plans.MAX, files)),
            null);
    return MessageCopies.put(message, turn.counts().progress());
  }
}
