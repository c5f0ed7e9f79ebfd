package agentsessions.template;

import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.machine.SamTemplate;
import agentsessions.local.machine.SamTemplate.Route;
import agentsessions.protocol.RunnerController;
import com.fasterxml.jackson.databind.JsonNode;
import io.micronaut.context.annotation.Property;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/// The rate limits of the routes without a key: the turns of a large deployment stay below them.
class ThrottlesTest {
  /// The number of fully used workspaces that a deployment is sized for.
  private static final int WORKSPACES = 10;

  /// Calls a second of a turn of ten seconds, for a call that is made once or a few times a turn.
  private static final double ONCE = 0.1;

  /// The factor by which a limit may exceed the need: repeats, and turns that begin together.
  private static final double MOST = 3;

  /// Calls a second of a live turn, or of a task that waits for the next one. The transcript is
  /// sent in batches, each second while an agent writes.
  private static final Map<String, Double> RHYTHM =
      Map.of(
          "/runner/v1/turn",
          1000.0 / setting("check.millis"),
          "/runner/v1/requests/{id}",
          1000.0 / setting("check.millis"),
          "/runner/v1/lease",
          3.0 / setting("lease.seconds"),
          "/runner/v1/events",
          1.0,
          "/runner/v1/next",
          1.0);

  @Test
  void eachRouteOfRunnersHasWhatAThousandTurnsNeedAndNotMuchMore() {
    int turns = WORKSPACES * StackTemplate.parameter("MaxLiveTurns").path("Default").asInt();
    Map<String, JsonNode> limits = limits();
    for (String path : runners()) {
      double need = turns * RHYTHM.getOrDefault(path, ONCE);
      JsonNode limit = limits.getOrDefault(path, SamTemplate.properties("none"));
      double rate = limit.path("ThrottlingRateLimit").asDouble();
      assertTrue(need <= rate && rate <= MOST * need + 1, path + " needs " + need);
      assertTrue(limit.path("ThrottlingBurstLimit").asDouble() >= rate, path);
    }
    assertTrue(runners().containsAll(RHYTHM.keySet()));
    assertEquals(18, runners().size());
  }

  private static Set<String> runners() {
    return new TreeSet<>(
        SamTemplate.routes().map(Route::path).filter(path -> path.startsWith("/runner/")).toList());
  }

  /// The limits of runners' routes, by path.
  private static Map<String, JsonNode> limits() {
    return StreamSupport.stream(
            StackTemplate.properties("Api").path("MethodSettings").spliterator(), false)
        .filter(limit -> limit.path("ResourcePath").asText().startsWith("/~1runner~1"))
        .collect(
            toMap(
                limit -> limit.path("ResourcePath").asText().substring(1).replace("~1", "/"),
                limit -> limit));
  }

  /// The service's default for a setting, which also holds on AWS.
  private static int setting(String name) {
    return Stream.of(RunnerController.class.getConstructors()[0].getParameters())
        .map(parameter -> parameter.getAnnotation(Property.class))
        .filter(property -> property != null && property.name().equals(name))
        .map(property -> Integer.parseInt(property.defaultValue()))
        .findFirst()
        .orElseThrow();
  }
}
