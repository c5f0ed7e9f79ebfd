package agentsessions.runner.usage;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Set;
import java.util.function.Consumer;

/// A streaming JSON reader that keeps only the values at the wanted places, fed in pieces of any
/// size. Objects may follow each other, or be the elements of one array. Text that is not JSON is
/// skipped.
final class JsonExtractor {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(100).build())
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();
  private static final long MOST = 1L << 40;
  private static final int PIECE = 8192;

  private final Set<String> places;
  private final Set<String> texts;
  private final Consumer<ExtractedFields> objects;
  private final StringTruncation strings = new StringTruncation();
  private final byte[] piece = new byte[PIECE];
  private int length;
  private JsonParser parser = parser();
  private ExtractedFields found = new ExtractedFields();
  private boolean broken;

  /// @param places the places whose values are kept
  /// @param texts those of them whose length alone is kept
  /// @param objects receives each object when it ends
  JsonExtractor(Set<String> places, Set<String> texts, Consumer<ExtractedFields> objects) {
    this.places = places;
    this.texts = texts;
    this.objects = objects;
  }

  void accept(byte next) {
    if (!broken && strings.keeps(next)) {
      piece[length++] = next;
      if (length == PIECE) {
        read();
      }
    }
  }

  /// The values of the current object so far.
  ExtractedFields current() {
    read();
    return found;
  }

  /// The number of bytes of long strings that were skipped.
  long leftOut() {
    return strings.dropped();
  }

  /// Whether all text so far was complete JSON.
  boolean isWhole() {
    read();
    return !broken && parser.getParsingContext().inRoot();
  }

  /// Discards the current object; the next one follows.
  void restart() {
    read();
    if (broken || !parser.getParsingContext().inRoot()) {
      close();
      parser = parser();
      broken = false;
      length = 0;
    }
    strings.restart();
    found = new ExtractedFields();
  }

  /// Discards the current object, and skips everything until the next `restart`.
  void skip() {
    broken = true;
  }

  void close() {
    try {
      parser.close();
    } catch (IOException nothingIsOpen) {
      throw new UncheckedIOException(nothingIsOpen);
    }
  }

  private void read() {
    if (broken || length == 0) {
      return;
    }
    try {
      ((ByteArrayFeeder) parser.getNonBlockingInputFeeder()).feedInput(piece, 0, length);
      for (JsonToken token = parser.nextToken();
          token != null && token != JsonToken.NOT_AVAILABLE;
          token = parser.nextToken()) {
        note(token);
      }
    } catch (IOException | RuntimeException noJson) {
      broken = true;
    } finally {
      length = 0;
    }
  }

  private void note(JsonToken token) throws IOException {
    JsonStreamContext context = parser.getParsingContext();
    switch (token) {
      case VALUE_STRING -> word(place(context));
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(place(context));
      case START_OBJECT -> object(place(context.getParent()));
      case END_OBJECT -> end(context);
      default -> {}
    }
  }

  private void word(String place) throws IOException {
    if (texts.contains(place)) {
      found.text(parser.getText());
    } else if (places.contains(place)) {
      found.word(place, parser.getText());
    }
  }

  private void number(String place) throws IOException {
    if (places.contains(place)) {
      found.number(place, (long) Math.clamp(parser.getDoubleValue(), 0, MOST));
    }
  }

  private void object(String place) {
    if (places.contains(place)) {
      found.word(place, "");
    }
  }

  private void end(JsonStreamContext context) {
    if (isOutside(context)) {
      ExtractedFields whole = found;
      found = new ExtractedFields();
      objects.accept(whole);
    }
  }

  /// The place of a value in its object; an array around all objects is not part of it.
  private static String place(JsonStreamContext context) {
    if (isOutside(context)) {
      return "";
    }
    String name = context.inArray() ? "*" : context.getCurrentName();
    return place(context.getParent()) + "/" + name;
  }

  private static boolean isOutside(JsonStreamContext context) {
    return context.inRoot() || (context.inArray() && context.getParent().inRoot());
  }

  private static JsonParser parser() {
    try {
      return JSON.createNonBlockingByteArrayParser();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
