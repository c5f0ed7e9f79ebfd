package agentsessions.api;

import agentsessions.aws.Sessions;
import agentsessions.session.Agent;
import agentsessions.session.Artifact;
import agentsessions.session.ArtifactId;
import agentsessions.session.Message;
import agentsessions.session.Plans;
import agentsessions.session.SandboxState;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.TurnError;
import agentsessions.session.TurnId;
import agentsessions.session.TurnStatus;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What the API says, on one page: one record a JSON object of `infra/openapi.yaml`, each with the
/// way it is made.
public final class Wire {
  private static final DateTimeFormatter MILLISECONDS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  @Serdeable
  record Href(String href) {}

  @Serdeable
  record SessionLinks(
      Href self, Href messages, Href thread, Href finalMessage, Href latestFinalMessage) {
    static SessionLinks of(Session session, Links links) {
      return new SessionLinks(
          new Href(links.session(session.id())),
          new Href(links.messages(session.id())),
          new Href(links.thread(session.id(), session.currentTurn())),
          new Href(links.finalMessage(session.id(), session.firstTurn())),
          new Href(links.finalMessage(session.id(), session.currentTurn())));
    }
  }

  /// `planArtifactIds` is left out of list rows. From `sourceUrl` to `sessionHtmlUrl` stands what
  /// clients of the original API read.
  @Serdeable
  record SessionBody(
      String id,
      String agentName,
      @Nullable String title,
      String status,
      boolean isArchived,
      Map<String, String> metadata,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<String> planArtifactIds,
      String threadId,
      String createdAt,
      String updatedAt,
      @Nullable String sourceUrl,
      @Nullable String sessionGroupId,
      boolean isPrivate,
      @Nullable List<String> pullRequests,
      @Nullable String sessionHtmlUrl,
      @JsonProperty("_links") SessionLinks links) {

    static SessionBody of(Sessions.Loaded loaded, Links links) {
      return of(loaded.session(), ids(loaded.plans()), links);
    }

    static SessionBody row(Session session, Links links) {
      return of(session, null, links);
    }

    private static SessionBody of(Session session, @Nullable List<String> plans, Links links) {
      return new SessionBody(
          session.id().toString(),
          session.agentName(),
          session.title(),
          session.working() ? "working" : "idle",
          session.archived(),
          session.metadata(),
          plans,
          session.currentTurn().toString(),
          time(session.createdAt().instant()),
          time(session.updatedAt().instant()),
          null,
          null,
          false,
          List.of(),
          null,
          SessionLinks.of(session, links));
    }

    private static List<String> ids(Plans plans) {
      return plans.artifactIds().stream().map(ArtifactId::toString).toList();
    }
  }

  @Serdeable
  record ErrorOfTurn(String code, String message, boolean retryable) {
    static ErrorOfTurn of(TurnError error) {
      return new ErrorOfTurn(error.code(), error.message(), error.retryable());
    }
  }

  @Serdeable
  record ThreadLinks(Href self, Href messages, Href finalMessage) {
    static ThreadLinks of(Turn turn, Links links) {
      return new ThreadLinks(
          new Href(links.thread(turn.sessionId(), turn.id())),
          new Href(links.threadMessages(turn.sessionId(), turn.id())),
          new Href(links.finalMessage(turn.sessionId(), turn.id())));
    }
  }

  @Serdeable
  record ThreadBody(
      String id,
      String sessionId,
      String status,
      @Nullable ErrorOfTurn error,
      @Nullable String supersededBy,
      String createdAt,
      @Nullable String startedAt,
      @Nullable String endedAt,
      @Nullable String sandbox,
      @JsonProperty("_links") ThreadLinks links) {
    static ThreadBody of(Turn turn, Links links) {
      Optional<Turn.State.Ended> ended = turn.ended();
      return new ThreadBody(
          turn.id().toString(),
          turn.sessionId().toString(),
          turn.status().word(),
          ended.flatMap(end -> Optional.ofNullable(end.error())).map(ErrorOfTurn::of).orElse(null),
          ended
              .flatMap(end -> Optional.ofNullable(end.supersededBy()))
              .map(TurnId::toString)
              .orElse(null),
          time(turn.firstStamp().instant()),
          turn.claimed().map(claim -> time(claim.startedAt())).orElse(null),
          ended.map(end -> time(end.endedAt())).orElse(null),
          ended
              .flatMap(end -> Optional.ofNullable(end.sandbox()))
              .map(SandboxState::word)
              .orElse(null),
          ThreadLinks.of(turn, links));
    }
  }

  @Serdeable
  record SentLinks(Href self, Href thread, Href finalMessage) {}

  /// `outcome` is there on final messages only, `links` on the answer to sending a message only.
  /// `chatId`, `chatThreadId` and `updatedAt` are for clients of the original API: a message never
  /// changes.
  @Serdeable
  record MessageBody(
      String id,
      String sessionId,
      String threadId,
      String role,
      String type,
      String message,
      BigDecimal ts,
      String createdAt,
      String chatId,
      String chatThreadId,
      String updatedAt,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String outcome,
      @JsonInclude(JsonInclude.Include.NON_NULL) @JsonProperty("_links")
          @Nullable SentLinks links) {

    static MessageBody of(Message message, String text) {
      return of(message, text, null);
    }

    static MessageBody sent(Message message, String text, Links links) {
      return of(
          message,
          text,
          new SentLinks(
              new Href(links.userMessage(message.sessionId(), message.turnId())),
              new Href(links.thread(message.sessionId(), message.turnId())),
              new Href(links.finalMessage(message.sessionId(), message.turnId()))));
    }

    private static MessageBody of(Message message, String text, @Nullable SentLinks links) {
      TurnStatus outcome = message.outcome();
      String created = time(message.stamp().instant());
      return new MessageBody(
          message.id().toString(),
          message.sessionId().toString(),
          message.turnId().toString(),
          message.kind().role(),
          message.kind().type(),
          text,
          message.stamp().epochSeconds(),
          created,
          message.sessionId().toString(),
          message.turnId().toString(),
          created,
          outcome == null ? null : outcome.word(),
          links);
    }
  }

  @Serdeable
  record MessagePageLinks(
      Href self,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Href next,
      Href newMessages) {}

  /// Where a page asked for by its number stands among all that the filters leave.
  @Serdeable
  record PageMeta(int total, int page, int limit, int totalPages) {
    static PageMeta of(int total, int page, int limit) {
      return new PageMeta(total, page, limit, Math.ceilDiv(total, limit));
    }
  }

  /// `meta` is there on pages asked for by number, `thread` on the pages of one thread,
  /// `pollAfterSeconds` while it is live.
  @Serdeable
  record MessagePage(
      List<MessageBody> items,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable PageMeta meta,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ThreadBody thread,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer pollAfterSeconds,
      @JsonProperty("_links") MessagePageLinks links) {}

  @Serdeable
  record PageLinks(Href self, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Href next) {}

  @Serdeable
  record SessionPage(List<SessionBody> items, @JsonProperty("_links") PageLinks links) {}

  @Serdeable
  record ThreadPage(List<ThreadBody> items, @JsonProperty("_links") PageLinks links) {}

  @Serdeable
  record ArtifactPage(List<ArtifactBody> items, @JsonProperty("_links") PageLinks links) {}

  @Serdeable
  record ArtifactBody(
      String id,
      String url,
      String fileName,
      String filePath,
      BigDecimal fileSizeInKb,
      String mimeType,
      String kind,
      @Nullable String planId,
      String createdAt,
      String threadId,
      String sha256,
      String urlExpiresAt) {
    static ArtifactBody of(Artifact artifact, String url, Instant expires) {
      return new ArtifactBody(
          artifact.id().toString(),
          url,
          artifact.fileName(),
          artifact.path(),
          kilobytes(artifact.bytes()),
          artifact.mimeType(),
          artifact.kind(),
          artifact.planId() == null ? null : artifact.planId().toString(),
          time(artifact.createdAt()),
          artifact.turnId().toString(),
          artifact.sha256(),
          time(expires));
    }

    private static BigDecimal kilobytes(long bytes) {
      BigDecimal exact = BigDecimal.valueOf(bytes).divide(BigDecimal.valueOf(1024));
      return exact.scale() < 0 ? exact.setScale(0) : exact;
    }
  }

  @Serdeable
  record AgentBody(String name, String description) {
    static AgentBody of(Agent agent) {
      return new AgentBody(agent.name(), agent.description());
    }
  }

  @Serdeable
  record AgentPage(List<AgentBody> items) {}

  @Serdeable
  record Limits(int requestsPerMinute, int messageBytes, int requestBodyBytes, int liveKeys) {}

  @Serdeable
  record Me(String workspace, String keyId, Limits limits) {}

  @Serdeable
  record Health(
      String status,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String isolation,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String memory,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String version) {}

  @Serdeable
  record Detail(String field, String message) {}

  @Serdeable
  public record Problem(
      String code,
      String message,
      String requestId,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Detail> details) {}

  static String time(Instant instant) {
    return MILLISECONDS.format(instant);
  }

  private Wire() {}
}
