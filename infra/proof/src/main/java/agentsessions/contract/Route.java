package agentsessions.contract;

import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A sample request to an operation, for tests that go through all operations.
public record Route(String method, String path, @Nullable String body) {
  /// The operations on a session and its parts, with these ids.
  public static List<Route> under(String session, String thread, String artifact) {
    String path = "/sessions/" + session;
    List<Route> routes = new ArrayList<>();
    for (String read :
        List.of(
            "",
            "/messages",
            "/threads",
            "/threads/" + thread,
            "/threads/" + thread + "/messages",
            "/threads/" + thread + "/messages?type=final_message&role=assistant",
            "/events",
            "/threads/" + thread + "/events",
            "/artifacts",
            "/artifacts/" + artifact,
            "/exports/" + artifact,
            "/requests",
            "/requests/" + artifact,
            "/grants")) {
      routes.add(new Route("GET", path + read, null));
    }
    routes.add(new Route("POST", path + "/messages", "{\"message\":\"echo intruder\"}"));
    routes.add(new Route("POST", path + "/interrupt", "{}"));
    routes.add(new Route("POST", path + "/pull-requests", "{\"path\":\"app\"}"));
    routes.add(new Route("POST", path + "/threads/" + thread + "/cancel", null));
    routes.add(new Route("POST", path + "/exports", null));
    String decision = path + "/requests/" + artifact + "/decision";
    routes.add(new Route("POST", decision, "{\"decision\":\"allow\"}"));
    routes.add(new Route("DELETE", path + "/grants/" + "0".repeat(64), null));
    routes.add(new Route("PATCH", path, "{\"title\":\"intruder\"}"));
    routes.add(new Route("DELETE", path, null));
    return routes;
  }

  /// All operations that need a key. None of these requests changes anything.
  public static List<Route> keyed() {
    List<Route> routes = under(Client.unknownId(), Client.unknownId(), Client.unknownId());
    routes.add(new Route("POST", "/sessions", "{}"));
    for (String path :
        List.of(
            "/sessions", "/requests", "/agents", "/me", "/usage", "/limits", "/keys", "/secrets")) {
      routes.add(new Route("GET", path, null));
    }
    routes.add(new Route("POST", "/keys", "{}"));
    routes.add(new Route("DELETE", "/keys/0000000000000000", null));
    routes.add(new Route("PUT", "/secrets/NONE", "{}"));
    routes.add(new Route("DELETE", "/secrets/NONE", null));
    routes.add(new Route("PUT", "/limits", "{}"));
    routes.add(new Route("POST", "/uploads", "{}"));
    String webhook = "/webhooks/" + Client.unknownId();
    routes.add(new Route("GET", "/webhooks", null));
    routes.add(new Route("POST", "/webhooks", "{}"));
    routes.add(new Route("GET", webhook, null));
    routes.add(new Route("PATCH", webhook, "{}"));
    routes.add(new Route("DELETE", webhook, null));
    routes.add(new Route("POST", webhook + "/rotate", null));
    routes.add(new Route("POST", webhook + "/ping", null));
    routes.add(new Route("GET", webhook + "/deliveries", null));
    String delivery = webhook + "/deliveries/" + Client.unknownId();
    routes.add(new Route("POST", delivery + "/redeliver", null));
    return routes;
  }

  /// All operations that have a body, with this one. None of these requests finds a session.
  public static List<Route> withBody(String body) {
    return keyed().stream()
        .filter(route -> route.body() != null)
        .map(route -> new Route(route.method(), route.path(), body))
        .toList();
  }

  public ApiResponse send(Client client, String... headers) {
    return client.send(method, path, body, headers);
  }

  public ApiResponse sendOnce(Client client) {
    return client.sendOnce(method, path, body);
  }
}
