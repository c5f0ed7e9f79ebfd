package agentsessions.runner.agent;

import agentsessions.rule.Wildcard;

/// An allow-list entry for requests of an agent to its model: a method and a path pattern.
///
/// @param path below the model's URL
record AllowedRequest(String method, Wildcard path) {

  /// @param line such as `GET /v1/models*`; a star stands for any text
  static AllowedRequest of(String line) {
    int space = line.indexOf(' ');
    return new AllowedRequest(line.substring(0, space), Wildcard.of(line.substring(space + 1)));
  }

  boolean is(String request, String below) {
    return method.equals(request) && path.matches(below);
  }
}
