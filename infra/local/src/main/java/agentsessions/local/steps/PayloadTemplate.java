package agentsessions.local.steps;

import com.dashjoin.jsonata.JException;
import com.dashjoin.jsonata.Jsonata;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A JSON template: a value in which each string of the form `{% … %}` is a JSONata expression.
///
/// @param tree maps, lists and plain values, as in the file
record PayloadTemplate(@Nullable Object tree) {
  private static final int MILLIS = 5_000;
  private static final int DEPTH = 200;

  /// @throws IllegalArgumentException if an expression does not parse
  PayloadTemplate {
    parse(tree);
  }

  /// The variables of expressions: `$states`.
  record Scope(Map<String, Object> states) {
    Scope with(String name, Object value) {
      Map<String, Object> wider = new LinkedHashMap<>(states);
      wider.put(name, value);
      return new Scope(wider);
    }
  }

  /// @throws StepError `States.QueryEvaluationError` if an expression fails or has no result
  Object evaluate(Scope scope) {
    Object value = walk(tree, scope);
    if (value == null) {
      throw new StepError(StepError.QUERY, "no value: " + tree);
    }
    return StateJson.plain(value);
  }

  static boolean isExpression(String text) {
    return text.startsWith("{%") && text.endsWith("%}") && text.length() >= 4;
  }

  private static @Nullable Object walk(@Nullable Object node, Scope scope) {
    return switch (node) {
      case Map<?, ?> map -> {
        Map<String, @Nullable Object> result = new LinkedHashMap<>();
        map.forEach((key, value) -> result.put(String.valueOf(key), walk(value, scope)));
        yield result;
      }
      case List<?> list -> {
        List<@Nullable Object> result = new ArrayList<>();
        list.forEach(value -> result.add(walk(value, scope)));
        yield result;
      }
      case String text when isExpression(text) -> query(text, scope);
      case null, default -> node;
    };
  }

  /// Evaluates an expression. The library does not distinguish a missing result from JSON null, so
  /// both are errors; in Step Functions only the missing result is.
  private static Object query(String text, Scope scope) {
    // Parsed each time, because a parsed expression holds the state of its evaluation, and
    // executions run concurrently.
    Jsonata expression = Jsonata.jsonata(source(text));
    Jsonata.Frame frame = expression.createFrame();
    frame.setRuntimeBounds(MILLIS, DEPTH);
    frame.bind("states", scope.states());
    return evaluate(text, expression, frame);
  }

  private static Object evaluate(String text, Jsonata expression, Jsonata.Frame frame) {
    @Nullable Object value;
    try {
      value = expression.evaluate(null, frame);
    } catch (RuntimeException e) { // the library also throws ClassCastException
      throw new StepError(StepError.QUERY, text + ": " + e.getMessage());
    }
    if (value == null) {
      throw new StepError(StepError.QUERY, "no value: " + text);
    }
    return value;
  }

  private static void parse(@Nullable Object node) {
    switch (node) {
      case Map<?, ?> map -> map.values().forEach(PayloadTemplate::parse);
      case List<?> list -> list.forEach(PayloadTemplate::parse);
      case String text when isExpression(text) -> compile(text);
      case null, default -> {}
    }
  }

  private static void compile(String text) {
    try {
      Jsonata.jsonata(source(text));
    } catch (JException e) {
      throw new IllegalArgumentException("not JSONata: " + text + ": " + e.getMessage(), e);
    }
  }

  private static String source(String text) {
    return text.substring(2, text.length() - 2).strip();
  }
}
