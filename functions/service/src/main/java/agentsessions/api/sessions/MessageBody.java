package agentsessions.api.sessions;

import agentsessions.api.request.CommonJson;
import agentsessions.api.request.Links;
import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.TurnStatus;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A message as the API shows it.
///
/// `outcome` is there on final messages only, `files` on user messages only, `warnings` and `links`
/// in the response to sending a message only. `chatId`, `chatThreadId` and `updatedAt` are for
/// clients of the original API: a message never changes.
@Serdeable
public record MessageBody(
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
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<FileBody> files,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<String> warnings,
    @JsonInclude(JsonInclude.Include.NON_NULL) @JsonProperty("_links") @Nullable SentLinks links) {
  @Serdeable
  record SentLinks(CommonJson.Href self, CommonJson.Href thread, CommonJson.Href finalMessage) {}

  /// A file that the message brought.
  @Serdeable
  public record FileBody(String path, long size) {}

  public static MessageBody of(Message message, String text) {
    return of(message, text, null, null);
  }

  /// @param warnings a sentence on each field that is ignored
  static MessageBody sent(Message message, String text, List<String> warnings, Links links) {
    return of(
        message,
        text,
        warnings,
        new SentLinks(
            new CommonJson.Href(links.userMessage(message.sessionId(), message.turnId())),
            new CommonJson.Href(links.thread(message.sessionId(), message.turnId())),
            new CommonJson.Href(links.finalMessage(message.sessionId(), message.turnId()))));
  }

  private static MessageBody of(
      Message message, String text, @Nullable List<String> warnings, @Nullable SentLinks links) {
    TurnStatus outcome = message.outcome();
    String created = CommonJson.time(message.stamp().instant());
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
        message.kind() == MessageKind.USER ? files(message) : null,
        warnings,
        links);
  }

  private static List<FileBody> files(Message message) {
    return message.files().stream().map(file -> new FileBody(file.path(), file.size())).toList();
  }
}
