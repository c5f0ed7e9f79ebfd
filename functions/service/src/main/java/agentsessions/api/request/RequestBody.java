package agentsessions.api.request;

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
import java.util.List;
import java.util.Set;

/// The JSON body of a request. `check` refuses it with all its recorded faults at once.
public final class RequestBody extends BodyFields {
  /// The largest body that is accepted, after decompression.
  static final int MOST_BYTES = 1024 * 1024;

  private static final int MOST_MESSAGE = 256 * 1024;
  private static final JsonFactory JSON = new JsonFactory();

  private RequestBody(JsonNode root) {
    super(root, "", new ArrayList<>());
  }

  public static RequestBody read(JsonMapper json, byte[] bytes) {
    if (bytes.length > MOST_BYTES) {
      throw Refusal.of(Refusal.Code.TOO_LARGE, "The body must be at most 1 MiB");
    }
    JsonNode root = tree(json, bytes);
    if (!root.isObject()) {
      throw Refusal.of(Refusal.Code.BAD_REQUEST, "The body must be a JSON object");
    }
    return new RequestBody(root);
  }

  /// The text of a message: required, not blank, at most 256 KiB of UTF-8.
  public String message() {
    String text = required("message");
    if (text.getBytes(StandardCharsets.UTF_8).length > MOST_MESSAGE) {
      fault("message", "must be at most 262144 bytes of UTF-8");
    }
    return text;
  }

  /// Refuses the body if a field is at fault or unknown.
  public void check() {
    refuseUnknown();
    refuse();
  }

  /// The same, but unknown fields on the top level become warnings, since clients of the original
  /// API send some. Where a required field is missing they are refused as well, since one of them
  /// may be meant for it.
  ///
  /// @return a sentence on each field that is ignored
  public List<String> checkAndWarn() {
    return checkAndWarn("", Set.of());
  }

  /// The same, and whoever sets a field of an object beside it is told where it belongs.
  ///
  /// @param inside the name of the object
  /// @param fields its fields
  public List<String> checkAndWarn(String inside, Set<String> fields) {
    if (lacks()) {
      refuseUnknown();
    } else {
      refuseUnknownBelow();
    }
    refuse();
    return unknown().stream()
        .map(name ->
            fields.contains(name)
                ? "%s is not known here and was ignored: it belongs into %s".formatted(name, inside)
                : "%s is not known and was ignored".formatted(name))
        .toList();
  }

  private void refuse() {
    if (!isFaultless()) {
      throw Refusal.invalid(faults());
    }
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
