package agentsessions.local.machine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/// What `template.yaml` deploys, for the stand-ins that are the same here by what it says. A tag is
/// not seen: `!Ref Table` reads `Table`.
public final class Stack {
  private static final JsonNode RESOURCES = read(Installation.find()).path("Resources");

  private Stack() {}

  /// An event of API Gateway that calls a function.
  ///
  /// @param path may have `{names}`, and end in `{proxy+}`
  /// @param keyed whether the authorizer is asked before
  public record Route(String method, String path, boolean keyed) {}

  public static JsonNode properties(String resource) {
    return RESOURCES.path(resource).path("Properties");
  }

  public static Stream<Route> routes() {
    return stream(RESOURCES)
        .flatMap(resource -> stream(resource.path("Properties").path("Events")))
        .filter(event -> event.path("Type").asText().equals("Api"))
        .map(event -> route(event.path("Properties")));
  }

  private static Route route(JsonNode event) {
    return new Route(
        event.path("Method").asText(),
        event.path("Path").asText(),
        !event.path("Auth").path("Authorizer").asText().equals("NONE"));
  }

  private static Stream<JsonNode> stream(JsonNode values) {
    return StreamSupport.stream(values.spliterator(), false);
  }

  private static JsonNode read(Installation installation) {
    try {
      return new YAMLMapper().readTree(installation.template());
    } catch (IOException malformed) {
      throw new UncheckedIOException(malformed);
    }
  }
}
