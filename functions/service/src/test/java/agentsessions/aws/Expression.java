package agentsessions.aws;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// The part of DynamoDB's expression language that `Change` uses: anything else is refused with an
/// `AssertionError`, so that no test passes on a guess.
///
/// A condition is a conjunction of clauses; a clause is a comparison (`=`, `<`, `<=`), an `IN`,
/// `attribute_exists`, `attribute_not_exists`, or a disjunction of these.
final class Expression {
  /// The input of a clause: an item (empty where there is none) and the values of the request.
  record Operands(Map<String, AttributeValue> item, Map<String, AttributeValue> values) {}

  /// One clause and its own words, by which a test can name it.
  record Clause(String text, Predicate<Operands> holds) {}

  /// A condition, with the `#names` and `:values` it mentions.
  record Condition(List<Clause> clauses, Set<String> names, Set<String> values) {
    boolean holds(Operands operands, Predicate<String> ignored) {
      return clauses.stream()
          .allMatch(clause -> ignored.test(clause.text()) || clause.holds().test(operands));
    }
  }

  /// An update, with the `#names` and `:values` it mentions.
  record Change(
      List<BiConsumer<Operands, Map<String, AttributeValue>>> steps,
      Set<String> names,
      Set<String> values) {
    Map<String, AttributeValue> applied(Operands operands) {
      Map<String, AttributeValue> item = new HashMap<>(operands.item());
      steps.forEach(step -> step.accept(operands, item));
      return item;
    }
  }

  private static final Pattern TOKEN = Pattern.compile("\\s*(#\\w+|:\\w+|\\w+|<=|[=<>(),])");
  private static final Map<String, Condition> CONDITIONS = new ConcurrentHashMap<>();
  private static final Map<String, Change> CHANGES = new ConcurrentHashMap<>();

  private final List<String> tokens = new ArrayList<>();
  private final Set<String> names = new HashSet<>();
  private final Set<String> changed = new HashSet<>();
  private final Set<String> values = new HashSet<>();
  private int at;

  private Expression(String text) {
    Matcher matcher = TOKEN.matcher(text.strip());
    int end = 0;
    while (matcher.lookingAt()) {
      tokens.add(matcher.group(1));
      end = matcher.end();
      matcher.region(end, text.strip().length());
    }
    if (end != text.strip().length()) {
      throw refused(text);
    }
  }

  static Condition condition(@Nullable String text) {
    return text == null
        ? new Condition(List.of(), Set.of(), Set.of())
        : CONDITIONS.computeIfAbsent(text, unknown -> new Expression(unknown).condition());
  }

  static Change change(String text) {
    return CHANGES.computeIfAbsent(text, unknown -> new Expression(unknown).change());
  }

  private Condition condition() {
    List<Clause> clauses = new ArrayList<>();
    do {
      int from = at;
      Predicate<Operands> clause = next("(") ? disjunction(true) : simple();
      if (from == 0 && next("OR")) {
        clause = clause.or(disjunction(false));
      }
      clauses.add(new Clause(String.join(" ", tokens.subList(from, at)), clause));
    } while (next("AND"));
    end();
    return new Condition(List.copyOf(clauses), Set.copyOf(names), Set.copyOf(values));
  }

  private Predicate<Operands> disjunction(boolean closed) {
    Predicate<Operands> any = simple();
    while (next("OR")) {
      any = any.or(simple());
    }
    if (closed) {
      expect(")");
    }
    return any;
  }

  private Predicate<Operands> simple() {
    String token = take();
    return switch (token) {
      case "attribute_exists" -> exists(parenthesized());
      case "attribute_not_exists" -> exists(parenthesized()).negate();
      default -> comparison(name(token), take());
    };
  }

  private Predicate<Operands> comparison(String name, String operator) {
    if (operator.equals("IN")) {
      return in(name);
    }
    String value = value(take());
    return switch (operator) {
      case "=" -> operands -> equal(operands, name, value);
      case "<" -> operands -> compare(operands, name, value) < 0;
      case "<=" -> operands -> compare(operands, name, value) <= 0;
      case ">" ->
          operands -> operands.item().containsKey(name) && compare(operands, name, value) > 0;
      default -> throw refused(operator);
    };
  }

  private Predicate<Operands> in(String name) {
    expect("(");
    List<String> any = new ArrayList<>();
    do {
      any.add(value(take()));
    } while (next(","));
    expect(")");
    return operands -> any.stream().anyMatch(value -> equal(operands, name, value));
  }

  private Change change() {
    List<BiConsumer<Operands, Map<String, AttributeValue>>> steps = new ArrayList<>();
    if (next("SET")) {
      do {
        steps.add(set());
      } while (next(","));
    }
    if (next("REMOVE")) {
      do {
        String removed = path(take());
        steps.add((_, item) -> item.remove(removed));
      } while (next(","));
    }
    if (next("ADD")) {
      do {
        steps.add(addition());
      } while (next(","));
    }
    end();
    return new Change(List.copyOf(steps), Set.copyOf(names), Set.copyOf(values));
  }

  private BiConsumer<Operands, Map<String, AttributeValue>> set() {
    String name = path(take());
    expect("=");
    if (next("if_not_exists")) {
      expect("(");
      String tested = name(take());
      expect(",");
      String value = value(take());
      expect(")");
      return (operands, item) ->
          item.put(name, operands.item().getOrDefault(tested, operands.values().get(value)));
    }
    String value = value(take());
    return (operands, item) -> item.put(name, operands.values().get(value));
  }

  /// Of a number, which is 0 where it is not there.
  private BiConsumer<Operands, Map<String, AttributeValue>> addition() {
    String name = path(take());
    String value = value(take());
    return (operands, item) ->
        item.merge(
            name,
            Objects.requireNonNull(operands.values().get(value)),
            (known, more) ->
                AttributeValue.fromN(
                    new BigDecimal(known.n()).add(new BigDecimal(more.n())).toPlainString()));
  }

  /// Adds a changed attribute; DynamoDB lets each be named once only.
  private String path(String token) {
    String name = name(token);
    if (!changed.add(name)) {
      throw refused("two changes of " + name);
    }
    return name;
  }

  private String parenthesized() {
    expect("(");
    String name = name(take());
    expect(")");
    return name;
  }

  private String name(String token) {
    if (!token.startsWith("#")) {
      throw refused(token);
    }
    names.add(token);
    return token.substring(1);
  }

  private String value(String token) {
    if (!token.startsWith(":")) {
      throw refused(token);
    }
    values.add(token);
    return token;
  }

  private String take() {
    if (at == tokens.size()) {
      throw refused("its end");
    }
    return tokens.get(at++);
  }

  private boolean next(String token) {
    boolean there = at < tokens.size() && tokens.get(at).equals(token);
    at += there ? 1 : 0;
    return there;
  }

  private void expect(String token) {
    if (!next(token)) {
      throw refused("no " + token);
    }
  }

  private void end() {
    if (at < tokens.size()) {
      throw refused(tokens.get(at));
    }
  }

  private static boolean equal(Operands operands, String name, String value) {
    AttributeValue stored = operands.item().get(name);
    return stored != null && stored.equals(operands.values().get(value));
  }

  private static Predicate<Operands> exists(String name) {
    return operands -> operands.item().containsKey(name);
  }

  /// Values of different types, or one that is missing, compare as false.
  private int compare(Operands operands, String name, String value) {
    AttributeValue left = operands.item().get(name);
    AttributeValue right = operands.values().get(value);
    if (left == null || right == null || left.type() != right.type()) {
      return 1;
    }
    return switch (left.type()) {
      case N -> new BigDecimal(left.n()).compareTo(new BigDecimal(right.n()));
      case S -> left.s().compareTo(right.s());
      default -> throw refused("an order of " + left.type());
    };
  }

  private AssertionError refused(String what) {
    return new AssertionError(
        "the in-memory table does not understand %s in %s".formatted(what, tokens));
  }
}
