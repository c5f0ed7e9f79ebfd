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

/// What `template.yaml` deploys, for the stand-ins that are the same here by what it says. A tag is
/// not seen: `!Ref Table` reads `Table`, and `!If [Condition, one, other]` is an array of three.
public final class Stack {
  private static final JsonNode RESOURCES = yaml(Installation.find().template()).path("Resources");
  private static final String ANY = "x-amazon-apigateway-any-method";

  /// More than there are aliases in the template; the library's 50 are against files of strangers.
  private static final int MANY = 1_000;

  private Stack() {}

  /// A method of a path of the API.
  ///
  /// @param method `ANY`: each one that does not stand beside it
  /// @param path may have `{names}`, and end in `{proxy+}`
  /// @param keyed whether the authorizer is asked before
  /// @param function that answers, by its name in the template; empty where the gateway itself does
  public record Route(String method, String path, boolean keyed, String function) {}

  public static JsonNode properties(String resource) {
    return RESOURCES.path(resource).path("Properties");
  }

  /// The API as OpenAPI has it, with what the gateway says by itself.
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

  /// A YAML file of the project, with its aliases written out.
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
