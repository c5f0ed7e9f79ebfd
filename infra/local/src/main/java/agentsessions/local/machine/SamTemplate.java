package agentsessions.local.machine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.AbstractConstruct;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/// The resources of `template.yaml`, read by the stand-ins so that they behave as deployed. YAML
/// tags are ignored: `!Ref Table` reads as `Table`, and `!If [Condition, one, other]` as an array
/// of three.
public final class SamTemplate {
  private static final JsonNode TEMPLATE = yaml(Installation.find().template());
  private static final JsonNode RESOURCES = TEMPLATE.path("Resources");
  private static final String ANY = "x-amazon-apigateway-any-method";

  /// A limit above the number of aliases in the template; the library's default of 50 guards
  /// against untrusted files.
  private static final int MANY = 1_000;

  private SamTemplate() {}

  /// A route of the API.
  ///
  /// @param method `ANY`: each method without a route of its own
  /// @param path may have `{variables}`, and end in `{proxy+}`
  /// @param keyed whether the authorizer is called before
  /// @param function the function that answers, by its name in the template; empty if the gateway
  ///   itself does
  public record Route(String method, String path, boolean keyed, String function) {}

  public static JsonNode properties(String resource) {
    return RESOURCES.path(resource).path("Properties");
  }

  /// The memory of a function of the service, in megabytes.
  public static int memory(String function) {
    JsonNode all = TEMPLATE.at("/Globals/Function/MemorySize");
    return properties(function).path("MemorySize").asInt(all.asInt());
  }

  /// The OpenAPI document of the API, with the gateway's own responses.
  public static JsonNode api() {
    return properties("Api").path("DefinitionBody");
  }

  public static Stream<Route> routes() {
    return api().path("paths").properties().stream()
        .flatMap(path ->
            path.getValue().properties().stream().map(method -> route(path.getKey(), method)));
  }

  private static Route route(String path, Map.Entry<String, JsonNode> method) {
    String name = method.getKey();
    return new Route(
        name.equals(ANY) ? "ANY" : name.toUpperCase(Locale.ROOT),
        path,
        !method.getValue().path("security").isEmpty(),
        method
            .getValue()
            .at("/x-amazon-apigateway-integration/uri/1/function")
            .asText()
            .replace(".Alias", ""));
  }

  /// Parses a YAML file of the project, with its aliases expanded.
  public static JsonNode yaml(String text) {
    LoaderOptions options = new LoaderOptions();
    options.setMaxAliasesForCollections(MANY);
    Object file = new Yaml(new Untagged(options)).load(text);
    return new ObjectMapper().valueToTree(file);
  }

  private static final class Untagged extends SafeConstructor {
    Untagged(LoaderOptions options) {
      super(options);
      yamlMultiConstructors.put(
          "!",
          new AbstractConstruct() {
            @Override
            public Object construct(Node tagged) {
              return switch (tagged) {
                case MappingNode mapping -> constructMapping(mapping);
                case SequenceNode sequence -> constructSequence(sequence);
                case ScalarNode scalar -> scalar.getValue();
                default -> throw new IllegalArgumentException(tagged.toString());
              };
            }
          });
    }
  }
}
