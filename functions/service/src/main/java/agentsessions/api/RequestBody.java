package agentsessions.api;

import agentsessions.session.Refusal;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import io.micronaut.json.tree.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The JSON object a client sent. Reading a field notes what is wrong with it; `check` then refuses
/// all faults at once. `null` and absent mean the same; unknown fields are ignored.
final class RequestBody {
  /// The largest body that is taken, unpacked.
  static final int MOST_BYTES = 1024 * 1024;

  private static final int MOST_MESSAGE = 256 * 1024;
  private static final JsonFactory JSON = new JsonFactory();

  private final JsonNode root;
  private final List<Refusal.Detail> faults = new ArrayList<>();

  private RequestBody(JsonNode root) {
    this.root = root;
  }

  static RequestBody read(JsonMapper json, byte[] bytes) {
    if (bytes.length > MOST_BYTES) {
      throw Refusal.of(Refusal.Code.TOO_LARGE, "The body must be at most 1 MiB");
    }
    JsonNode root = tree(json, bytes);
    if (!root.isObject()) {
      throw Refusal.of(Refusal.Code.BAD_REQUEST, "The body must be a JSON object");
    }
    return new RequestBody(root);
  }

  /// The text of a message: there, not blank, at most 256 KiB of UTF-8.
  String message() {
    String text = required("message");
    if (text.getBytes(StandardCharsets.UTF_8).length > MOST_MESSAGE) {
      fault("message", "must be at most 262144 bytes of UTF-8");
    }
    return text;
  }

  /// A text that must be there and not be blank; empty when it is at fault.
  String required(String field) {
    Optional<JsonNode> value = value(field);
    if (value.isEmpty()) {
      fault(field, "is required");
      return "";
    }
    String text = text(field, value.get());
    if (text.isBlank() && faults.stream().noneMatch(fault -> fault.field().equals(field))) {
      fault(field, "must not be blank");
    }
    return text;
  }

  boolean names(String field) {
    return root.get(field) != null;
  }

  /// Whether a field is there and not null.
  boolean has(String field) {
    return value(field).isPresent();
  }

  Optional<String> optional(String field, int mostCharacters) {
    Optional<String> text = value(field).map(value -> text(field, value));
    if (text.filter(given -> characters(given) > mostCharacters).isPresent()) {
      fault(field, "must be at most %d characters".formatted(mostCharacters));
    }
    return text;
  }

  Optional<Boolean> flag(String field) {
    Optional<JsonNode> value = value(field);
    if (value.filter(given -> !given.isBoolean()).isPresent()) {
      fault(field, "must be true or false");
      return Optional.empty();
    }
    return value.map(JsonNode::getBooleanValue);
  }

  /// At most 16 pairs of texts: keys of 1 to 64, values of up to 512 characters.
  Map<String, String> pairs(String field) {
    Map<String, String> pairs = new LinkedHashMap<>();
    JsonNode value = value(field).orElseGet(() -> JsonNode.createObjectNode(Map.of()));
    if (!value.isObject()) {
      fault(field, "must be an object");
      return pairs;
    }
    if (value.size() > 16) {
      fault(field, "must have at most 16 pairs");
      return pairs;
    }
    value
        .entries()
        .forEach(pair -> pairs.put(pair.getKey(), pair(field, pair.getKey(), pair.getValue())));
    return pairs;
  }

  /// A list of texts; empty where there is none.
  List<String> texts(String field) {
    Optional<JsonNode> value = value(field);
    if (value.filter(given -> !given.isArray()).isPresent()) {
      fault(field, "must be a list");
      return List.of();
    }
    List<String> texts = new ArrayList<>();
    value.ifPresent(list -> list.values().forEach(each -> texts.add(text(field, each))));
    return texts;
  }

  /// A number without a fraction, from `least` to `most`.
  Optional<Long> wholeNumber(String field, long least, long most) {
    Optional<JsonNode> value = value(field);
    Optional<Long> number =
        value
            .filter(JsonNode::isNumber)
            .map(JsonNode::getNumberValue)
            .filter(given -> given instanceof Integer || given instanceof Long)
            .map(Number::longValue)
            .filter(given -> given >= least && given <= most);
    if (value.isPresent() && number.isEmpty()) {
      fault(field, "must be a whole number from %d to %d".formatted(least, most));
    }
    return number;
  }

  void fault(String field, String message) {
    faults.add(new Refusal.Detail(field, message));
  }

  void check() {
    if (!faults.isEmpty()) {
      throw Refusal.invalid(faults);
    }
  }

  private String pair(String field, String key, JsonNode value) {
    int length = characters(key);
    if (length < 1 || length > 64 || !encodable(key)) {
      fault(field, "must have keys of 1 to 64 characters");
      return "";
    }
    String name = field + "." + key;
    String text = text(name, value);
    if (characters(text) > 512) {
      fault(name, "must be at most 512 characters");
    }
    return text;
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

  private static boolean encodable(String text) {
    return StandardCharsets.UTF_8.newEncoder().canEncode(text);
  }

  private static int characters(String text) {
    return text.codePointCount(0, text.length());
  }

  private Optional<JsonNode> value(String field) {
    return Optional.ofNullable(root.get(field)).filter(value -> !value.isNull());
  }

  private static JsonNode tree(JsonMapper json, byte[] bytes) {
    try {
      JsonNode root = json.readValue(bytes, Argument.of(JsonNode.class));
      requireOneValue(bytes);
      return root == null ? JsonNode.nullNode() : root;
    } catch (IOException | IllegalStateException malformed) {
      throw Refusal.of(Refusal.Code.BAD_REQUEST, "The body is not JSON");
    }
  }

  // The mapper stops reading behind the first value.
  private static void requireOneValue(byte[] bytes) throws IOException {
    try (JsonParser parser = JSON.createParser(bytes)) {
      parser.nextToken();
      parser.skipChildren();
      if (parser.nextToken() != null) {
        throw new JsonParseException(parser, "something follows the value");
      }
    }
  }
}
