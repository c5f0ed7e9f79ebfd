package agentsessions.runner.usage;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The option by which a streaming chat request asks for its usage, `stream_options.include_usage`,
/// added where it is missing. Everything else in the request stays as it is, byte for byte.
final class UsageOption {
  private static final JsonFactory JSON =
      JsonFactory.builder().disable(JsonFactory.Feature.INTERN_FIELD_NAMES).build();
  private static final String INCLUDED = "\"include_usage\":true";

  private final byte[] body;
  private final JsonParser parser;
  private boolean streams;
  private @Nullable Edit edit;

  /// The replacement of a range of bytes by a text.
  private record Edit(int from, int to, String text) {
    byte[] in(byte[] body) {
      byte[] middle = text.getBytes(StandardCharsets.UTF_8);
      byte[] edited = new byte[body.length - (to - from) + middle.length];
      System.arraycopy(body, 0, edited, 0, from);
      System.arraycopy(middle, 0, edited, from, middle.length);
      System.arraycopy(body, to, edited, from + middle.length, body.length - to);
      return edited;
    }
  }

  private UsageOption(byte[] body, JsonParser parser) {
    this.body = body;
    this.parser = parser;
  }

  /// The request with the option; empty if it has it already, or is not a stream.
  static Optional<byte[]> added(byte[] body) {
    try (JsonParser parser = JSON.createParser(body)) {
      return new UsageOption(body, parser).added();
    } catch (IOException noJson) {
      return Optional.empty();
    }
  }

  private Optional<byte[]> added() throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      return Optional.empty();
    }
    boolean isThere = false;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      isThere |= field(parser.currentName());
    }
    if (!isThere) {
      edit = new Edit(begin(), begin(), ",\"stream_options\":{" + INCLUDED + "}");
    }
    return streams ? Optional.ofNullable(edit).map(found -> found.in(body)) : Optional.empty();
  }

  /// Of two fields with the same name the last one counts.
  private boolean field(String name) throws IOException {
    JsonToken value = parser.nextToken();
    if (name.equals("stream")) {
      streams = value == JsonToken.VALUE_TRUE;
    }
    boolean isOptions = name.equals("stream_options");
    if (isOptions) {
      edit = options(value);
    }
    parser.skipChildren();
    return isOptions;
  }

  private @Nullable Edit options(JsonToken value) throws IOException {
    if (value != JsonToken.START_OBJECT) {
      return value == JsonToken.VALUE_NULL ? replaced("{" + INCLUDED + "}") : null;
    }
    boolean isEmpty = true;
    boolean isThere = false;
    @Nullable Edit change = null;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      isEmpty = false;
      boolean isIt = parser.currentName().equals("include_usage");
      isThere |= isIt;
      JsonToken asked = parser.nextToken();
      if (isIt) {
        change =
            asked == JsonToken.VALUE_FALSE || asked == JsonToken.VALUE_NULL
                ? replaced("true")
                : null;
      }
      parser.skipChildren();
    }
    return isThere ? change : new Edit(begin(), begin(), (isEmpty ? "" : ",") + INCLUDED);
  }

  private Edit replaced(String text) {
    return new Edit(begin(), (int) parser.currentLocation().getByteOffset(), text);
  }

  private int begin() {
    return (int) parser.currentTokenLocation().getByteOffset();
  }
}
