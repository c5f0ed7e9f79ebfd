package agentsessions.api.decisions;

import agentsessions.api.request.Call;
import agentsessions.api.request.CommonJson;
import agentsessions.api.request.NeedsScope;
import agentsessions.api.request.PageRange;
import agentsessions.api.request.Query;
import agentsessions.authorizer.Scope;
import agentsessions.session.Refusal;
import agentsessions.session.id.RequestId;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Workspace;
import agentsessions.session.request.Request;
import agentsessions.store.request.Requests;
import agentsessions.store.session.Sessions;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.json.JsonMapper;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The endpoints that read requests for decisions, and grants.
@Controller("/rest/v1")
class RequestsController {
  private static final int AT_ONCE = 25;

  /// A page makes at most this many reads, then ends with a `next` even if it is short.
  private static final int MOST_READS = 20;

  private final Requests requests;
  private final Sessions sessions;
  private final JsonMapper json;

  RequestsController(Requests requests, Sessions sessions, JsonMapper json) {
    this.requests = requests;
    this.sessions = sessions;
    this.json = json;
  }

  @Get("/requests")
  @NeedsScope(Scope.READ)
  RequestPage ofWorkspace(Call call) {
    RequestFilter filter = RequestFilter.read(call);
    PageRange page =
        PageRange.read(
            call.parameters(),
            call.links().requests(),
            filter.isPending(),
            RequestFilter.PARAMETERS);
    RequestPage.Shown shown = new RequestPage.Shown(page);
    return page(call, shown, page.links(read(call.workspace(), filter, page, shown)));
  }

  /// @return the position of the last request that was read; null at the end of the list
  private @Nullable String read(
      Workspace workspace, RequestFilter filter, PageRange page, RequestPage.Shown shown) {
    Optional<String> from = page.from();
    for (int reads = 0; reads < MOST_READS; reads++) {
      Requests.Page read =
          requests.ofWorkspace(workspace, filter.isPending(), from.orElse(null), AT_ONCE);
      for (Request request : read.requests()) {
        Optional<String> full = filter.shows(request) ? shown.add(request) : Optional.empty();
        if (full.isPresent()) {
          return full.get();
        }
      }
      from = read.next();
      if (from.isEmpty()) {
        return null;
      }
    }
    return from.orElse(null);
  }

  @Get("/sessions/{session_id}/requests")
  @NeedsScope(Scope.READ)
  RequestPage ofSession(Call call, String session_id) {
    SessionKey key = call.sessionKey(session_id);
    PageRange page =
        PageRange.read(call.parameters(), call.links().requests(key.id()), false, "limit");
    requireSession(key);
    List<Request> left =
        requests.ofSession(key).stream()
            .filter(request -> page.from().filter(from -> !isBefore(request, from)).isEmpty())
            .toList();
    RequestPage.Shown shown = new RequestPage.Shown(page);
    for (Request request : left) {
      if (shown.add(request).isPresent()) {
        break;
      }
    }
    List<Request> all = shown.requests();
    return page(call, shown, page.links(all, left.size() > all.size(), RequestPage::position));
  }

  @Get("/sessions/{session_id}/requests/{request_id}")
  @NeedsScope(Scope.READ)
  SessionRequestBody load(Call call, String session_id, String request_id) {
    SessionKey key = call.sessionKey(session_id);
    return requests
        .find(key, requestId(request_id))
        .map(found -> SessionRequestBody.of(found, call.links(), json))
        .orElseThrow(() -> missing(sessions, key, "Request"));
  }

  @Get("/sessions/{session_id}/grants")
  @NeedsScope(Scope.READ)
  GrantBody.GrantPage grants(Call call, String session_id) {
    SessionKey key = call.sessionKey(session_id);
    requireSession(key);
    return new GrantBody.GrantPage(requests.grants(key).stream().map(GrantBody::of).toList());
  }

  private static boolean isBefore(Request request, String position) {
    return RequestPage.position(request).compareTo(position) < 0;
  }

  static RequestId requestId(String text) {
    return RequestId.parse(text).orElseThrow(() -> Refusal.invalid("request_id", "must be a UUID"));
  }

  /// The refusal where a part of a session is not there, or the session itself.
  static Refusal missing(Sessions sessions, SessionKey key, String part) {
    return Refusal.notFound(sessions.load(key).isPresent() ? part : "Session");
  }

  private void requireSession(SessionKey key) {
    if (sessions.load(key).isEmpty()) {
      throw Refusal.notFound("Session");
    }
  }

  private RequestPage page(Call call, RequestPage.Shown shown, CommonJson.PageLinks links) {
    return new RequestPage(
        shown.requests().stream()
            .map(request -> SessionRequestBody.of(request, call.links(), json))
            .toList(),
        links);
  }

  /// The filter of a list of requests; without `status` it shows those that are pending.
  private record RequestFilter(
      Request.Status status, Optional<String> kind, Optional<SessionId> session) {
    static final String[] PARAMETERS = {"status", "kind", "session_id", "limit"};

    static RequestFilter read(Call call) {
      Query query = call.parameters();
      Optional<String> kind = query.oneOf("kind", words(Request.Kind.values(), Request.Kind::word));
      String[] words = words(Request.Status.values(), Request.Status::word);
      Optional<String> wanted = query.oneOf("status", words);
      Request.Status status =
          Arrays.stream(Request.Status.values())
              .filter(each -> wanted.filter(each.word()::equals).isPresent())
              .findFirst()
              .orElse(Request.Status.PENDING);
      return new RequestFilter(
          status, kind, query.one("session_id").map(id -> call.sessionKey(id).id()));
    }

    private static <E> String[] words(E[] values, Function<E, String> word) {
      return Arrays.stream(values).map(word).toArray(String[]::new);
    }

    boolean isPending() {
      return status == Request.Status.PENDING;
    }

    boolean shows(Request request) {
      return request.status() == status
          && kind.map(request.kind().word()::equals).orElse(true)
          && session.map(request.turn().sessionId()::equals).orElse(true);
    }
  }
}
