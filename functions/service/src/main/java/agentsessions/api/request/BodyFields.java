package agentsessions.api.request;

import agentsessions.session.Refusal;
import io.micronaut.json.tree.JsonNode;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The fields of one JSON object in a request body. Reading a field records its faults under its
/// path (`repositories[0].url`) and marks it as known; a field that is never read is unknown.
/// `null` and absent mean the same, except to `names`.
///
/// Why: decision 022.
public class BodyFields {
  private static final BigDecimal MOST_MICRO_DOLLARS = BigDecimal.valueOf(1_000_000_000_000L);
  private static final int MOST_PAIRS = 16;
  private static final int MOST_KEY = 64;
  private static final int MOST_VALUE = 512;
  private static final int MOST_UNKNOWN = 20;

  private final JsonNode object;
  private final String path;
  private final List<Refusal.Detail> faults;
  private final Set<String> known = new LinkedHashSet<>();
  private final Map<String, BodyFields> inside = new LinkedHashMap<>();
  private boolean lacking;

  BodyFields(JsonNode object, String path, List<Refusal.Detail> faults) {
    this.object = object;
    this.path = path;
    this.faults = faults;
  }

  /// A required text that must not be blank; empty when it is at fault.
  public final String required(String field) {
    Optional<JsonNode> value = value(field);
    if (value.isEmpty()) {
      lacking = true;
      fault(field, "is required");
      return "";
    }
    int before = faults.size();
    String text = text(field, value.get());
    if (text.isBlank() && faults.size() == before) {
      fault(field, "must not be blank");
    }
    return text;
  }

  /// Whether a field is present, even as null.
  public final boolean names(String field) {
    known.add(field);
    return object.get(field) != null;
  }

  /// Whether a field is present and not null.
  public final boolean has(String field) {
    return value(field).isPresent();
  }

  /// Refuses a field that belongs elsewhere, or nowhere.
  public final void refuse(String field, String message) {
    if (has(field)) {
      fault(field, message);
    } else {
      known.remove(field);
    }
  }

  public final Optional<String> optional(String field, int mostCharacters) {
    Optional<String> text = value(field).map(value -> text(field, value));
    if (text.filter(given -> characters(given) > mostCharacters).isPresent()) {
      fault(field, "must be at most %,d characters".formatted(mostCharacters));
    }
    return text;
  }

  public final Optional<Boolean> flag(String field) {
    Optional<JsonNode> value = value(field);
    if (value.filter(given -> !given.isBoolean()).isPresent()) {
      fault(field, "must be true or false");
      return Optional.empty();
    }
    return value.map(JsonNode::getBooleanValue);
  }

  /// One of the values of an enum, by its name in lower case.
  public final <E extends Enum<E>> Optional<E> oneOf(String field, Class<E> type) {
    String[] words =
        Arrays.stream(type.getEnumConstants()).map(BodyFields::word).toArray(String[]::new);
    return oneOf(field, words).map(word -> Enum.valueOf(type, word.toUpperCase(Locale.ROOT)));
  }

  /// One of these words.
  public final Optional<String> oneOf(String field, String... words) {
    Optional<JsonNode> value = value(field);
    Optional<String> found =
        value
            .filter(JsonNode::isString)
            .map(JsonNode::getStringValue)
            .filter(Set.of(words)::contains);
    if (value.isPresent() && found.isEmpty()) {
      fault(field, "must be " + String.join(" or ", words));
    }
    return found;
  }

  /// Whether a field is exactly this text.
  public final boolean isText(String field, String text) {
    return value(field).filter(JsonNode::isString).map(JsonNode::getStringValue).stream()
        .anyMatch(text::equals);
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /// A whole number from 0 to `most`.
  public final Optional<Integer> whole(String field, int most) {
    return whole(field, 0, most).map(Long::intValue);
  }

  /// A number without a fraction, from `least` to `most`.
  public final Optional<Long> whole(String field, long least, long most) {
    Optional<JsonNode> value = value(field);
    if (value.filter(given -> !isWhole(given, least, most)).isPresent()) {
      fault(field, "must be a whole number from %d to %d".formatted(least, most));
      return Optional.empty();
    }
    return value.map(JsonNode::getLongValue);
  }

  /// A positive amount of dollars, at most a million; in micro-dollars.
  public final Optional<Long> dollars(String field) {
    Optional<JsonNode> value = value(field);
    Optional<Long> micros =
        value
            .filter(JsonNode::isNumber)
            .filter(number -> Double.isFinite(number.getDoubleValue()))
            .flatMap(BodyFields::micros);
    if (value.isPresent() && micros.isEmpty()) {
      fault(field, "must be dollars from 0.000001 to 1000000, with at most 6 decimals");
    }
    return micros;
  }

  private static Optional<Long> micros(JsonNode number) {
    BigDecimal micros = new BigDecimal(number.getNumberValue().toString()).movePointRight(6);
    boolean fits =
        micros.signum() > 0
            && micros.compareTo(MOST_MICRO_DOLLARS) <= 0
            && micros.stripTrailingZeros().scale() <= 0;
    return fits ? Optional.of(micros.longValueExact()) : Optional.empty();
  }

  /// At most 16 pairs of texts: keys of 1 to 64, values of up to 512 characters.
  public final Map<String, String> pairs(String field) {
    Map<String, String> pairs = new LinkedHashMap<>();
    if (value(field).filter(value -> value.isObject() && value.size() > MOST_PAIRS).isPresent()) {
      fault(field, "must have at most 16 pairs");
      return pairs;
    }
    texts(field)
        .forEach((key, text) -> {
          check(field, key, text);
          pairs.put(key, text);
        });
    return pairs;
  }

  /// The texts of an object by their names.
  public final Map<String, String> texts(String field) {
    Map<String, String> texts = new LinkedHashMap<>();
    Optional<JsonNode> value = value(field);
    if (value.filter(given -> !given.isObject()).isPresent()) {
      fault(field, "must be an object");
    } else {
      value.ifPresent(given ->
          given
              .entries()
              .forEach(pair ->
                  texts.put(
                      pair.getKey(), text(field + "." + shown(pair.getKey()), pair.getValue()))));
    }
    return texts;
  }

  /// Arrays of texts by their names.
  public final Map<String, List<String>> lists(String field, int most) {
    Map<String, List<String>> lists = new LinkedHashMap<>();
    object(field, "{\"1\": [\"a text\"]}")
        .ifPresent(given ->
            given
                .object
                .entries()
                .forEach(entry -> lists.put(entry.getKey(), given.list(entry.getKey(), most))));
    return lists;
  }

  /// The texts of an array.
  public final List<String> list(String field, int most) {
    List<String> texts = new ArrayList<>();
    for (JsonNode element : array(field, most)) {
      texts.add(text("%s[%d]".formatted(field, texts.size()), element));
    }
    return texts;
  }

  /// The objects of an array.
  ///
  /// @param example of an object, for the message to a client that sent something else
  public final List<BodyFields> objects(String field, int most, String example) {
    List<BodyFields> objects = new ArrayList<>();
    for (JsonNode element : array(field, most)) {
      objects.add(object("%s[%d]".formatted(field, objects.size()), element, example));
    }
    return objects;
  }

  public final Optional<BodyFields> object(String field, String example) {
    return value(field).map(value -> object(field, value, example));
  }

  public final void fault(String field, String message) {
    faults.add(new Refusal.Detail(path(field), message));
  }

  /// Records a fault of the object as a whole.
  public final void fault(String message) {
    faults.add(new Refusal.Detail(path, message));
  }

  /// Records the message that a rule has for a field, if it has one.
  public final void fault(String field, Optional<String> message) {
    message.ifPresent(said -> fault(field, said));
  }

  /// Refuses the unknown fields of this object and of those inside it, and lists the known ones.
  final void refuseUnknown() {
    String where = path.isEmpty() ? "there are" : path + " has";
    unknown().forEach(name -> fault(name, "is not known: %s %s".formatted(where, listed(known))));
    refuseUnknownBelow();
  }

  final void refuseUnknownBelow() {
    inside.values().forEach(BodyFields::refuseUnknown);
  }

  /// The unknown fields that are present, at most 20 of them.
  final List<String> unknown() {
    List<String> names = new ArrayList<>();
    for (Map.Entry<String, JsonNode> field : object.entries()) {
      if (!known.contains(field.getKey()) && !field.getValue().isNull()) {
        names.add(shown(field.getKey()));
      }
    }
    return names.subList(0, Math.min(names.size(), MOST_UNKNOWN));
  }

  /// Whether a required field is missing.
  final boolean lacks() {
    return lacking;
  }

  public final boolean isFaultless() {
    return faults.isEmpty();
  }

  public final List<Refusal.Detail> faults() {
    return List.copyOf(faults);
  }

  private BodyFields object(String field, JsonNode value, String example) {
    return inside.computeIfAbsent(field, _ -> within(field, value, example));
  }

  private BodyFields within(String field, JsonNode value, String example) {
    if (value.isObject()) {
      return new BodyFields(value, path(field), faults);
    }
    fault(field, "must be an object, such as " + example);
    // its fields are not faults of their own: all that is wrong is that it is no object
    return new BodyFields(JsonNode.createObjectNode(Map.of()), path(field), new ArrayList<>());
  }

  private Iterable<JsonNode> array(String field, int most) {
    Optional<JsonNode> value = value(field);
    if (value.filter(given -> !given.isArray()).isPresent()) {
      fault(field, "must be an array");
      return List.of();
    }
    if (value.filter(given -> given.size() > most).isPresent()) {
      fault(field, "must be at most " + most);
      return List.of();
    }
    return value.<Iterable<JsonNode>>map(JsonNode::values).orElse(List.of());
  }

  private void check(String field, String key, String text) {
    int length = characters(key);
    if (length < 1 || length > MOST_KEY || !encodable(key)) {
      fault(field, "must have keys of 1 to 64 characters");
    } else if (characters(text) > MOST_VALUE) {
      fault(field + "." + key, "must be at most 512 characters");
    }
  }

  private String text(String field, JsonNode value) {
    if (!value.isString()) {
      fault(field, "must be a string");
      return "";
    }
    String text = value.getStringValue();
    if (!encodable(text)) {
      fault(field, "must be valid Unicode, without lone surrogates");
      return "";
    }
    return text;
  }

  private String path(String field) {
    return path.isEmpty() ? field : path + "." + field;
  }

  /// A field name chosen by a client, as it can stand in the path of an error: valid Unicode, at
  /// most 64 characters.
  public static String shown(String name) {
    String known = encodable(name) ? name : "?";
    return characters(known) > MOST_KEY
        ? known.substring(0, known.offsetByCodePoints(0, MOST_KEY))
        : known;
  }

  private static String listed(Collection<String> names) {
    List<String> all = List.copyOf(names);
    int last = all.size() - 1;
    return last < 1
        ? String.join("", all)
        : String.join(", ", all.subList(0, last)) + " and " + all.get(last);
  }

  private static boolean isWhole(JsonNode value, long least, long most) {
    return value.isNumber()
        && (value.getNumberValue() instanceof Integer || value.getNumberValue() instanceof Long)
        && value.getLongValue() >= least
        && value.getLongValue() <= most;
  }

  private static boolean encodable(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  private static int characters(String text) {
    return text.codePointCount(0, text.length());
  }

  private Optional<JsonNode> value(String field) {
    known.add(field);
    return Optional.ofNullable(object.get(field)).filter(value -> !value.isNull());
  }
}
