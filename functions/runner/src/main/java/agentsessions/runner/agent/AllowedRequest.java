package agentsessions.runner.agent;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// An allow-list entry for requests of an agent to its model: a method and a path pattern.
///
/// @param path below the model's URL
record AllowedRequest(String method, Pattern path) {

  /// @param line such as `GET /v1/models*`; a star stands for any text
  static AllowedRequest of(String line) {
    int space = line.indexOf(' ');
    String path =
        Arrays.stream(line.substring(space + 1).split("\\*", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*"));
    return new AllowedRequest(line.substring(0, space), Pattern.compile(path));
  }

  boolean is(String request, String below) {
    return method.equals(request) && path.matcher(below).matches();
  }
}
