package agentsessions.lambda;

import agentsessions.turn.RunnerCredential;
import java.util.List;
import java.util.stream.Stream;

/// Synthetic requests that a function answers before its snapshot is taken or its first request
/// comes: they load the classes that its routes need, and open the connection to the table.
///
/// They come from a workspace that no key can have, name what is not there, and have bodies that
/// start nothing. So they change nothing.
///
/// @param routes methods and paths as in `template.yaml`, separated by commas
record PrimingRequests(String routes) {
  /// It names no agent, without which no session begins.
  private static final String BODY =
      """
      "body":"{\\"message\\":\\"-\\",\\"claim_id\\":\\"-\\",\\"from\\":0,\\"events\\":[]}",\
      """;

  /// Whether requests of these routes write, if they are not refused as these are.
  boolean write() {
    return routes.contains("POST ");
  }

  /// One event of the gateway for each route, in their order.
  List<String> events() {
    return Stream.of(routes.split(",", -1))
        .map(String::strip)
        .filter(route -> !route.isEmpty())
        .map(PrimingRequests::event)
        .toList();
  }

  private static String event(String route) {
    String[] words = route.split(" ", 2);
    String path =
        words[1].replace("{session_id}", Priming.SESSION).replaceAll("\\{[a-z_]+}", Priming.ONE);
    return """
    {"path":"%s","httpMethod":"%s",\
    "headers":{"Authorization":"Bearer %s","Content-Type":"application/json"},\
    "multiValueHeaders":{},%s\
    "requestContext":{"requestId":"prime",\
    "authorizer":{"workspace":"-","key_id":"-","scopes":"read write admin"}}}\
    """
        .formatted(path, words[0], ticket(), words[0].startsWith("P") ? BODY : "");
  }

  /// A runner's ticket for a turn that does not exist.
  private static String ticket() {
    return new RunnerCredential(Priming.TURN, "0-0-0-" + "-".repeat(43)).text();
  }
}
