package agentsessions.turn.catalogue;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.session.usage.Prices;
import java.io.IOException;
import java.io.Reader;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/// The catalogue offers only models that a row of the price list is for, and each row says where
/// that is to be looked up.
class OfferedModelsTest {
  private static final Set<String> VENDORS =
      Set.of("platform.claude.com", "developers.openai.com", "ai.google.dev");

  private final Map<String, Map<String, Object>> models = read("prices.yaml");
  private final Map<String, Map<String, Object>> agents = read("agents.yaml");
  private final Prices prices = new PriceList(null).prices();

  /// By its name, or by an agent's own word for it.
  @Test
  void eachOfferedModelHasARowWithAPrice() {
    List<String> offered = new ArrayList<>();
    agents.forEach(
        (agent, entry) -> list(entry, "models").forEach(name -> offered.add(agent + " " + name)));
    assertTrue(offered.size() >= 10, offered::toString);
    assertEquals(List.of(), offered.stream().filter(each -> !hasPrice(each)).toList());
  }

  @Test
  void noRowIsForAWordThatNobodyOffers() {
    Set<String> words =
        models.values().stream().flatMap(row -> list(row, "offered").stream()).collect(toSet());
    assertEquals(List.of(), words.stream().filter(word -> !isOffered(word)).toList());
  }

  @Test
  void eachRowNamesAPageOfItsVendor() {
    models.forEach((name, row) -> {
      URI page = URI.create(String.valueOf(row.get("source")));
      assertTrue("https".equals(page.getScheme()) && VENDORS.contains(page.getHost()), name);
    });
  }

  private boolean hasPrice(String offered) {
    String name = offered.substring(offered.indexOf(' ') + 1);
    return models.entrySet().stream()
        .filter(row -> !row.getValue().containsKey("retired"))
        .filter(
            row -> row.getKey().equals(name) || list(row.getValue(), "offered").contains(offered))
        .anyMatch(row -> prices.of(row.getKey()).isPresent());
  }

  private boolean isOffered(String word) {
    String[] parts = word.split(" ", 2);
    return list(agents.getOrDefault(parts[0], Map.of()), "models").contains(parts[1]);
  }

  private static List<String> list(Map<String, Object> fields, String name) {
    return fields.get(name) instanceof Collection<?> all
        ? all.stream().map(String::valueOf).toList()
        : List.of();
  }

  private static Map<String, Map<String, Object>> read(String name) {
    try (Reader file = Files.newBufferedReader(Path.of("../../infra", name))) {
      return new Yaml(new SafeConstructor(new LoaderOptions())).load(file);
    } catch (IOException missing) {
      throw new IllegalStateException(missing);
    }
  }
}
