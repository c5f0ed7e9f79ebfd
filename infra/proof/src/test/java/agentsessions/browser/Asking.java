package agentsessions.browser;

import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A page before which sessions ask for decisions: the requests are answered here, and in all other
/// answers the sessions that have one wait for it.
final class Asking {
  private static final String KEY = "4fT9sLq2ZbXw7KdN";
  private static final Pattern REQUEST = Pattern.compile("/requests/([0-9a-f-]+)(/decision)?$");
  private static final Pattern OF_SESSION = Pattern.compile("/sessions/([0-9a-f-]+)/requests");

  /// The decisions that were sent, as they were.
  final List<JsonNode> decisions = new ArrayList<>();

  private final Map<String, ObjectNode> requests = new LinkedHashMap<>();
  private final Map<String, JsonNode> grants = new LinkedHashMap<>();
  private final Page page;

  Asking(Page page) {
    this.page = page;
    page.route(url -> url.contains("/rest/v1/") && url.contains("/requests"), this::answer);
    page.route(url -> url.contains("/rest/v1/sessions"), this::changed);
    page.route(url -> url.contains("/grants"), this::granted);
  }

  /// The session asks, from now for ten minutes.
  ///
  /// @return the request's id
  String ask(SessionHandle session, String tool, String kind, Map<String, ?> input) {
    String id = Client.unknownId();
    Instant now = Instant.now();
    ObjectNode request =
        Client.JSON
            .createObjectNode()
            .put("id", id)
            .put("session_id", session.id())
            .put("thread_id", session.first().id())
            .put("kind", "permission")
            .put("status", "pending")
            .put("title", tool + ": " + kind)
            .put("fingerprint", "of " + tool)
            .put("created_at", now.toString())
            .put("expires_at", now.plus(Duration.ofMinutes(10)).toString());
    request.putObject("tool").put("name", tool).put("kind", kind).putPOJO("input", input);
    request.putNull("decision");
    requests.put(id, request);
    return id;
  }

  /// Nobody decided in time.
  void expire(String id) {
    request(id).put("status", "expired");
  }

  /// What the key of the page may do.
  void scopes(String... scopes) {
    page.route(
        url -> url.endsWith("/rest/v1/me"),
        route ->
            fulfill(
                route,
                me -> {
                  ((ObjectNode) me)
                      .put("key_id", KEY)
                      .set("scopes", Client.JSON.valueToTree(scopes));
                }));
  }

  /// The events of a session that asks, as its stream tells them.
  void tell(SessionHandle session, String id) {
    String told = "event: request.created\ndata: " + request(id) + "\n\n";
    page.route(
        url -> url.contains(session.id() + "/events?after"),
        route ->
            route.fulfill(
                new Route.FulfillOptions().setContentType("text/event-stream").setBody(told)),
        new Page.RouteOptions().setTimes(1));
  }

  private ObjectNode request(String id) {
    return Objects.requireNonNull(requests.get(id), id);
  }

  private void answer(Route route) {
    String path = route.request().url().split("\\?", 2)[0];
    Matcher one = REQUEST.matcher(path);
    if (!one.find()) {
      route.fulfill(json(listed(path)));
      return;
    }
    ObjectNode request = request(one.group(1));
    if (one.group(2) != null && !decided(request, body(route))) {
      route.fulfill(
          json(Map.of("code", "REQUEST_CLOSED", "message", "The request has expired"))
              .setStatus(409));
      return;
    }
    route.fulfill(json(request));
  }

  private boolean decided(ObjectNode request, JsonNode decision) {
    decisions.add(decision);
    if (!isPending(request)) {
      return false;
    }
    request
        .put("status", "decided")
        .putObject("decision")
        .put("decision", decision.path("decision").asText())
        .put("note", decision.path("note").asText(null))
        .put("key_id", KEY)
        .put("at", Instant.now().toString());
    if (decision.path("decision").asText().equals("allow_session")) {
      grants.put(request.path("id").asText(), request);
    }
    return true;
  }

  private void granted(Route route) {
    if (route.request().method().equals("DELETE")) {
      grants.clear();
      route.fulfill(new Route.FulfillOptions().setStatus(204));
    } else {
      route.fulfill(json(Map.of("items", grants.values(), "_links", Map.of())));
    }
  }

  private Map<String, ?> listed(String path) {
    Matcher session = OF_SESSION.matcher(path);
    List<ObjectNode> shown =
        session.find()
            ? requests.values().stream()
                .filter(each -> each.path("session_id").asText().equals(session.group(1)))
                .toList()
            : requests.values().stream().filter(Asking::isPending).toList();
    return Map.of("items", shown, "_links", Map.of());
  }

  private void changed(Route route) {
    if (route.request().url().contains("/requests")) {
      route.fallback();
    } else if (route.request().url().contains("/events?after")) {
      route.resume();
    } else {
      fulfill(route, this::mark);
    }
  }

  /// The sessions and threads in an answer wait where they have a request.
  private void mark(JsonNode answer) {
    answer.path("items").forEach(this::mark);
    answer.path("snapshot").forEach(this::mark);
    if (answer instanceof ObjectNode node && node.has("status")) {
      List<ObjectNode> own = requests.values().stream().filter(each -> isOf(each, node)).toList();
      if (!own.isEmpty()) {
        node.set("permissions", Client.JSON.createObjectNode());
      }
      if (own.stream().anyMatch(Asking::isPending)) {
        node.put("status", "requires_action").put("pending_requests", 1);
      }
    }
  }

  private static boolean isOf(JsonNode request, JsonNode node) {
    String id = node.path("id").asText();
    return id.equals(request.path("session_id").asText())
        || id.equals(request.path("thread_id").asText());
  }

  private static boolean isPending(JsonNode request) {
    return request.path("status").asText().equals("pending");
  }

  private static void fulfill(Route route, Consumer<JsonNode> change) {
    APIResponse answer = route.fetch();
    try {
      JsonNode body = Client.JSON.readTree(answer.body());
      change.accept(body);
      route.fulfill(new Route.FulfillOptions().setResponse(answer).setBody(Client.text(body)));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static JsonNode body(Route route) {
    try {
      return Client.JSON.readTree(route.request().postData());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Route.FulfillOptions json(Object body) {
    return new Route.FulfillOptions().setContentType("application/json").setBody(Client.text(body));
  }
}
