package agentsessions.api.decisions;

import agentsessions.api.request.CommonJson;
import agentsessions.api.request.PageBytes;
import agentsessions.api.request.PageRange;
import agentsessions.rule.Encoded;
import agentsessions.session.request.Request;
import agentsessions.table.Layout;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One page of requests for decisions.
@Serdeable
record RequestPage(
    List<SessionRequestBody> items, @JsonProperty("_links") CommonJson.PageLinks links) {

  /// The position of a request in lists: by the time of its creation.
  static String position(Request request) {
    return Layout.requestPointer(
            request.turn().sessionKey().workspace(), true, request.createdAt(), request.id())
        .sk();
  }

  /// The collector of a page's requests, up to its limit of requests or of bytes.
  static final class Shown {
    private final List<Request> requests = new ArrayList<>();
    private final PageRange page;
    private long bytes;

    Shown(PageRange page) {
      this.page = page;
    }

    List<Request> requests() {
      return List.copyOf(requests);
    }

    /// Adds a request.
    ///
    /// @return the position of the request that filled the page; empty while there is room
    Optional<String> add(Request request) {
      requests.add(request);
      bytes += Encoded.bytes(request.title()) + Encoded.bytes(request.input());
      bytes += Encoded.bytes(request.questions().toString());
      bytes += Encoded.bytes(request.pushes().toString());
      bytes += Encoded.bytes(String.valueOf(request.decision()));
      return requests.size() == page.limit() || bytes > PageBytes.MOST
          ? Optional.of(position(request))
          : Optional.empty();
    }
  }
}
