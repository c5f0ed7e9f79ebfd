package agentsessions.aws;

import agentsessions.session.Artifact;
import agentsessions.session.ArtifactId;
import agentsessions.session.Message;
import agentsessions.session.SandboxState;
import agentsessions.session.Session;
import agentsessions.session.SessionKey;
import agentsessions.session.Stamp;
import agentsessions.session.Turn;
import agentsessions.session.TurnError;
import agentsessions.session.TurnId;
import agentsessions.session.TurnKey;
import agentsessions.session.TurnStatus;
import java.time.Instant;
import java.util.UUID;

/// Items to records and back; `Layout` has the keys.
public final class Codec {

  public static Session session(SessionKey key, Item item) {
    return new Session(
        key,
        item.requiredText("agent"),
        item.nullableText("title"),
        item.texts("metadata"),
        item.flag("archived"),
        item.flag("working"),
        item.number("turn_seq"),
        new TurnId(item.uuid("first")),
        new TurnId(item.uuid("current")),
        item.stamp("last_ts"),
        item.stamp("created"),
        item.stamp("updated"));
  }

  public static Turn turn(TurnKey key, Item item) {
    return new Turn(
        key,
        item.requiredText("agent"),
        item.number("seq"),
        item.requiredText("base_url"),
        new Turn.Stamps(
            item.stamp("session_created"), item.stamp("first_ts"), item.stamp("last_ts")),
        new Turn.Counts(item.count("events"), item.count("progress"), item.count("tool_calls")),
        item.count("dispatch"),
        item.number("fence"),
        state(TurnStatus.valueOf(item.requiredText("status")), item));
  }

  private static Turn.State state(TurnStatus status, Item item) {
    return switch (status) {
      case QUEUED ->
          new Turn.State.Queued(
              item.instant("due_at"), item.count("vain_starts"), item.flag("handed_over"));
      case RUNNING ->
          new Turn.State.Running(
              claimed(item), item.instant("lease_until"), item.instant("due_at"));
      case COMPLETED, FAILED, INTERRUPTED, CANCELLED, TIMED_OUT -> ended(status, item);
    };
  }

  private static Turn.State ended(TurnStatus status, Item item) {
    UUID supersededBy = item.nullableUuid("superseded_by");
    String sandbox = item.nullableText("sandbox");
    return new Turn.State.Ended(
        status,
        item.has("started_at") ? claimed(item) : null,
        item.instant("ended_at"),
        item.flag("reported"),
        item.nested("error").map(Codec::error).orElse(null),
        supersededBy == null ? null : new TurnId(supersededBy),
        sandbox == null ? null : SandboxState.valueOf(sandbox));
  }

  private static Turn.Claimed claimed(Item item) {
    return new Turn.Claimed(item.instant("started_at"), item.instant("deadline"));
  }

  /// The item of a turn that has just been accepted.
  public static Change put(Turn turn) {
    Change put =
        Change.of(Layout.turn(turn.key()))
            .set("agent", turn.agentName())
            .set("seq", turn.number())
            .set("status", turn.status().name())
            .set("dispatch", turn.dispatch())
            .set("fence", turn.fence())
            .set("base_url", turn.baseUrl())
            .set("session_created", turn.stamps().sessionCreated())
            .set("first_ts", turn.firstStamp())
            .set("last_ts", turn.lastStamp())
            .set("events", turn.counts().events());
    return turn.state() instanceof Turn.State.Queued queued
        ? put.set("LIVE", Layout.liveShard(turn.id())).set("due_at", queued.dueAt())
        : put;
  }

  public static Change put(Session session) {
    Change put =
        Change.of(Layout.meta(session.key()))
            .set("agent", session.agentName())
            .set("metadata", session.metadata())
            .set("archived", session.archived())
            .set("working", session.working())
            .set("turn_seq", session.turnNumber())
            .set("first", session.firstTurn().toString())
            .set("current", session.currentTurn().toString())
            .set("last_ts", session.lastStamp())
            .set("created", session.createdAt())
            .set("updated", session.updatedAt());
    return session.title() == null ? put : put.set("title", session.title());
  }

  public static Message message(SessionKey session, Item item) {
    String outcome = item.nullableText("outcome");
    String stored = item.nullableText("object");
    String sk = item.requiredText("SK");
    return new Message(
        session.turn(new TurnId(item.uuid("turn"))),
        Layout.kind(sk),
        new Stamp(Long.parseLong(sk.substring(2))),
        item.count("n"),
        stored == null
            ? new Message.Text.Inline(item.requiredText("text"))
            : new Message.Text.Stored(stored),
        outcome == null ? null : TurnStatus.valueOf(outcome));
  }

  public static Change put(Message message) {
    Change put =
        Change.of(Layout.message(message.turn().session(), message.kind(), message.stamp()))
            .set("turn", message.turnId().toString())
            .set("n", message.number());
    switch (message.text()) {
      case Message.Text.Inline inline -> put.set("text", inline.value());
      case Message.Text.Stored stored -> put.set("object", stored.objectKey());
    }
    return message.outcome() == null ? put : put.set("outcome", message.outcome().name());
  }

  public static Artifact artifact(SessionKey session, Item item) {
    UUID plan = item.nullableUuid("plan");
    return new Artifact(
        new ArtifactId(
            UUID.fromString(item.requiredText("SK").substring(Layout.ARTIFACTS.length()))),
        session.turn(new TurnId(item.uuid("turn"))),
        item.requiredText("path"),
        plan,
        item.number("bytes"),
        item.requiredText("sha256"),
        item.requiredText("mime_type"),
        item.requiredText("object"),
        Instant.ofEpochMilli(item.number("created")));
  }

  public static Change put(Artifact artifact) {
    Change put =
        Change.of(Layout.artifact(artifact.turn().session(), artifact.id()))
            .set("turn", artifact.turnId().toString())
            .set("path", artifact.path())
            .set("bytes", artifact.bytes())
            .set("sha256", artifact.sha256())
            .set("mime_type", artifact.mimeType())
            .set("object", artifact.objectKey())
            .set("created", artifact.createdAt());
    return artifact.planId() == null ? put : put.set("plan", artifact.planId().toString());
  }

  private static TurnError error(Item item) {
    return new TurnError(
        item.requiredText("code"), item.requiredText("message"), item.flag("retryable"));
  }

  private Codec() {}
}
