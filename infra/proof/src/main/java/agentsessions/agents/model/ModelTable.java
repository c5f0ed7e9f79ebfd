package agentsessions.agents.model;

import agentsessions.local.machine.Installation;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/// The table of models and prices in `infra/prices.yaml`.
///
/// @param rows by the name that a request gives for the model
public record ModelTable(Map<String, Map<String, Object>> rows) {
  private static final double MILLION = 1_000_000;

  static ModelTable read() {
    Path file = Installation.find().root().resolve("infra/prices.yaml");
    try (Reader text = Files.newBufferedReader(file)) {
      return new ModelTable(new Yaml(new SafeConstructor(new LoaderOptions())).load(text));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /// Whether the vendor still offers this model, by the table.
  boolean has(String model) {
    return !model.contains("*")
        && rows.containsKey(model)
        && !rows.get(model).containsKey("retired");
  }

  /// The model's name in an agent's request, for the name under which the catalogue offers it.
  public String asked(String agent, String offered) {
    return rows.entrySet().stream()
        .filter(row ->
            row.getValue().get("offered") instanceof Collection<?> words
                && words.contains(agent + " " + offered))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(offered);
  }

  /// The cost of an answer, in dollars.
  ///
  /// @param written tokens written to the vendor's cache, 0 where the protocol does not state them
  public double dollars(String model, TokenUsage used, long written) {
    return (used.input() * price(model, "input")
            + used.wrote() * price(model, "output")
            + used.cached() * price(model, "cache_read")
            + (written == 0 ? 0 : written * price(model, "cache_write")))
        / MILLION;
  }

  private double price(String model, String figure) {
    return ((Number) rows.getOrDefault(model, Map.of()).getOrDefault(figure, 0)).doubleValue();
  }
}
