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

/// Reads JSON as it comes, in pieces of any size, and keeps nothing but what is at certain places.
/// Objects may follow each other, or be the elements of one array. What is no JSON is passed over.
final class Pointers {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(100).build())
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .build();
  private static final long MOST = 1L << 40;
  private static final int PIECE = 8192;

  private final Set<String> places;
  private final Set<String> texts;
  private final Consumer<Found> objects;
  private final ShortStrings strings = new ShortStrings();
  private final byte[] piece = new byte[PIECE];
  private int length;
  private JsonParser parser = parser();
  private Found found = new Found();
  private boolean broken;

  /// @param places whose values are kept
  /// @param texts those among them of which only the length is
  /// @param objects gets each object when it ends
  Pointers(Set<String> places, Set<String> texts, Consumer<Found> objects) {
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

  /// What the object that has begun has so far.
  Found current() {
    read();
    return found;
  }

  /// How many bytes of long strings were not looked at.
  long leftOut() {
    return strings.dropped();
  }

  /// Whether everything that began has ended, and was JSON.
  boolean isWhole() {
    read();
    return !broken && parser.getParsingContext().inRoot();
  }

  /// Gives up what has begun: an object comes next.
  void restart() {
    read();
    if (broken || !parser.getParsingContext().inRoot()) {
      close();
      parser = parser();
      broken = false;
      length = 0;
    }
    strings.restart();
    found = new Found();
  }

  /// Gives up what has begun, and looks at nothing until the next object.
  void pass() {
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
      Found whole = found;
      found = new Found();
      objects.accept(whole);
    }
  }

  /// Where a value is, whose context this is; the array around all objects is no part of it.
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
