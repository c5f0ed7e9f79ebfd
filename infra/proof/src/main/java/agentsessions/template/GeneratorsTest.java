package agentsessions.template;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Schemas that the usual client generators cannot handle, and that the contract therefore avoids.
class GeneratorsTest {
  private static final JsonNode CONTRACT = StackTemplate.read("infra/openapi.yaml");

  /// Without a format the usual generator for Go takes a float of 24 bits: a `gts` is then wrong by
  /// a minute.
  @Test
  void everyNumberWithAFractionIsADouble() {
    List<JsonNode> others =
        CONTRACT.findParents("type").stream()
            .filter(schema -> schema.path("type").asText().equals("number"))
            .filter(schema -> !schema.path("format").asText().equals("double"))
            .toList();
    assertEquals(List.of(), others);
  }

  /// A generator for Python fails on a value that a list has twice.
  @Test
  void everyListOfValuesHasEachOnce() {
    List<JsonNode> others =
        CONTRACT.findValues("enum").stream()
            .filter(values -> values.valueStream().distinct().count() < values.size())
            .toList();
    assertEquals(List.of(), others);
  }

  /// A generator for Python makes two classes of such a schema and imports a third. A field that
  /// may be null says so itself.
  @Test
  void noSchemaWithANameMayBeNull() {
    List<String> nullable =
        CONTRACT
            .at("/components/schemas")
            .propertyStream()
            .filter(schema -> schema.getValue().path("nullable").asBoolean())
            .map(Map.Entry::getKey)
            .toList();
    assertEquals(List.of(), nullable);
  }

  /// The usual generator for Java imports schemas by their names, and then uses its own class where
  /// it means `java.lang.Thread`.
  @Test
  void noSchemaIsCalledLikeAClassOfJava() {
    List<String> taken =
        CONTRACT
            .at("/components/schemas")
            .propertyStream()
            .map(Map.Entry::getKey)
            .filter(GeneratorsTest::isOfJava)
            .toList();
    assertEquals(List.of(), taken);
  }

  private static boolean isOfJava(String name) {
    try {
      Class.forName("java.lang." + name);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
