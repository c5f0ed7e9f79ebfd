package agentsessions.api.messages;

import agentsessions.api.request.CommonJson;
import agentsessions.api.sessions.MessageBody;
import agentsessions.api.sessions.ThreadBody;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One page of the history of a session or thread.
///
/// `meta` is there on pages requested by number, `thread` on the pages of one thread,
/// `pollAfterSeconds` while it is live.
@Serdeable
record MessagePage(
    List<MessageBody> items,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable PageMeta meta,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ThreadBody thread,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer pollAfterSeconds,
    @JsonProperty("_links") MessagePageLinks links) {
  @Serdeable
  record MessagePageLinks(
      CommonJson.Href self,
      @JsonInclude(JsonInclude.Include.NON_NULL) CommonJson.@Nullable Href next,
      CommonJson.Href newMessages) {}

  /// The position of a page requested by number among all messages that pass the filters.
  @Serdeable
  record PageMeta(int total, int page, int limit, int totalPages) {
    static PageMeta of(int total, int page, int limit) {
      return new PageMeta(total, page, limit, Math.ceilDiv(total, limit));
    }
  }
}
