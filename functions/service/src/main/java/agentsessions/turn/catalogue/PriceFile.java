package agentsessions.turn.catalogue;

import agentsessions.rule.ModelPrice;
import agentsessions.session.usage.Prices;
import java.io.Reader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/// The reader of price lists, whose format `infra/prices.yaml` describes.
final class PriceFile {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9*][!-~]{0,199}");
  private static final Pattern PRICE = Pattern.compile("[0-9]{1,6}(\\.[0-9]{1,6})?");
  private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  private static final Set<String> FIGURES =
      Set.of("input", "output", "cache_read", "cache_write", "cache_write_hour");
  private static final Set<String> MARKS = Set.of("highest", "retired");
  private static final Set<String> WORDS = Set.of("date", "source");
  private static final Set<String> LISTS = Set.of("offered", "unverified");

  private final String file;

  private PriceFile(String file) {
    this.file = file;
  }

  /// @param file its name, for messages about a mistake
  /// @throws IllegalStateException naming the line if it is not as it should be
  static Prices read(String file, Reader text) {
    return new PriceFile(file).read(text);
  }

  private Prices read(Reader text) {
    try {
      @Nullable Node root = new Yaml(new SafeConstructor(new LoaderOptions())).compose(text);
      return Prices.of(root == null ? List.of() : models(root));
    } catch (MarkedYAMLException noYaml) {
      int line = noYaml.getProblemMark() == null ? 0 : noYaml.getProblemMark().getLine();
      throw new IllegalStateException(
          "%s: line %d: %s".formatted(file, line + 1, noYaml.getProblem()), noYaml);
    }
  }

  private List<ModelPrice> models(Node root) {
    List<ModelPrice> models = new ArrayList<>();
    fields(root, "the file")
        .forEach((name, node) -> {
          check(NAME.matcher(name).matches(), node, "%s is no name of a model".formatted(name));
          models.add(price(name, node));
        });
    return models;
  }

  private ModelPrice price(String model, Node node) {
    Map<String, Node> fields = fields(node, model);
    fields.forEach((name, value) -> check(model, name, value));
    BigDecimal input = dollars(model, "input", needed(model, node, fields.get("input"), "input"));
    BigDecimal write = dollars(model, "cache_write", fields, input);
    String date = text(needed(model, node, fields.get("date"), "date"), model + "/date");
    check(DATE.matcher(date).matches(), node, model + "/date must be like 2026-11-22");
    text(needed(model, node, fields.get("source"), "source"), model + "/source");
    return new ModelPrice(
        model,
        input,
        dollars(model, "output", needed(model, node, fields.get("output"), "output")),
        dollars(model, "cache_read", needed(model, node, fields.get("cache_read"), "cache_read")),
        write,
        dollars(model, "cache_write_hour", fields, write));
  }

  /// Fields that no price is made of are checked as well, since people read them.
  private void check(String model, String name, Node value) {
    String place = "%s/%s".formatted(model, name);
    if (MARKS.contains(name)) {
      check(text(value, place).equals("true"), value, place + " must be true or left out");
    } else if (LISTS.contains(name)) {
      List<String> words = words(value, place);
      boolean isRight = name.equals("offered") || FIGURES.containsAll(words);
      check(isRight, value, place + " must name figures, such as [cache_read]");
    } else {
      boolean isKnown = FIGURES.contains(name) || WORDS.contains(name);
      check(isKnown, value, "%s means nothing".formatted(place));
    }
  }

  private List<String> words(Node node, String what) {
    if (node instanceof SequenceNode list) {
      return list.getValue().stream().map(each -> text(each, what)).toList();
    }
    throw mistake(node, what + " must be a list");
  }

  private Node needed(String model, Node entry, @Nullable Node value, String name) {
    if (value == null) {
      throw mistake(entry, "%s has no %s".formatted(model, name));
    }
    return value;
  }

  private BigDecimal dollars(
      String model, String kind, Map<String, Node> fields, BigDecimal otherwise) {
    Node value = fields.get(kind);
    return value == null ? otherwise : dollars(model, kind, value);
  }

  private BigDecimal dollars(String model, String kind, Node node) {
    String place = model + "/" + kind;
    String value = text(node, place);
    check(
        PRICE.matcher(value).matches(),
        node,
        place + " must be dollars for a million tokens, such as 1.25");
    return new BigDecimal(value);
  }

  private Map<String, Node> fields(Node node, String what) {
    Map<String, Node> fields = new LinkedHashMap<>();
    for (NodeTuple field : tuples(node, what)) {
      String name = text(field.getKeyNode(), what);
      check(
          fields.put(name, field.getValueNode()) == null,
          field.getKeyNode(),
          "%s is there twice".formatted(name));
    }
    return fields;
  }

  private List<NodeTuple> tuples(Node node, String what) {
    if (node instanceof MappingNode mapping) {
      return mapping.getValue();
    }
    throw mistake(node, "%s must be fields with values".formatted(what));
  }

  private String text(Node node, String what) {
    if (node instanceof ScalarNode scalar) {
      return scalar.getValue();
    }
    throw mistake(node, "%s must be one value".formatted(what));
  }

  private void check(boolean right, Node node, String otherwise) {
    if (!right) {
      throw mistake(node, otherwise);
    }
  }

  private IllegalStateException mistake(Node node, String what) {
    return new IllegalStateException(
        "%s: line %d: %s".formatted(file, node.getStartMark().getLine() + 1, what));
  }
}
