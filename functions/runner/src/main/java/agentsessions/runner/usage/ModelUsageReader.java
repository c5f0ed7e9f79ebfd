package agentsessions.runner.usage;

import agentsessions.rule.UsedTokens;
import agentsessions.runner.agent.Dialect;
import agentsessions.runner.usage.UsageFigures.Figure;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The usage in one response of a model, streamed or not, read byte by byte. An event over 16 MiB
/// is skipped.
final class ModelUsageReader {
  private static final int LARGE = 16 * 1024 * 1024;

  private final UsagePlaces places;
  private final EventStream stream = new EventStream();
  private final JsonExtractor pointers;
  private final UsageFigures figures = new UsageFigures();
  private Form form = Form.UNKNOWN;
  private @Nullable String model;
  private @Nullable ExtractedFields last;
  private @Nullable ExtractedFields newest;
  private long text;
  private long length;
  private boolean ending;
  private boolean complete;

  private enum Form {
    UNKNOWN,
    EVENTS,
    JSON
  }

  ModelUsageReader(Dialect dialect) {
    this.places = UsagePlaces.of(dialect);
    this.pointers = new JsonExtractor(places.all(), places.texts(), this::object);
  }

  /// Whether the byte was the last of a streamed event.
  boolean accept(byte next) {
    return switch (form(next)) {
      case EVENTS -> event(next);
      case JSON -> {
        data(next);
        yield false;
      }
      case UNKNOWN -> false;
    };
  }

  /// Notes that the response came to its end and was not cut: then usage that was stated before the
  /// last event is complete, too.
  void end() {
    pointers.current();
    complete |= ending && !figures.isEmpty();
  }

  void close() {
    pointers.close();
  }

  /// The usage stated so far.
  UsedTokens tokens() {
    pointers.current();
    return figures.tokens(places.inputHoldsCached());
  }

  Optional<String> model() {
    return Optional.ofNullable(model);
  }

  /// Whether the usage is complete.
  boolean isComplete() {
    return complete || (form == Form.JSON && pointers.isWhole() && !figures.isEmpty());
  }

  /// The bytes of text in the response.
  long text() {
    return text + pointers.leftOut();
  }

  /// Whether the last event states the usage and nothing else.
  boolean wasUsageOnly() {
    return last != null && !figures(last).isEmpty() && !last.hasAny(places.parts());
  }

  /// Whether the current event holds more than the usage.
  boolean isOther() {
    return form == Form.JSON || pointers.current().hasAny(places.parts());
  }

  /// Detects the form: JSON always begins with a bracket, an event stream never does.
  private Form form(byte next) {
    if (form == Form.UNKNOWN && next > ' ') {
      form = next == '{' || next == '[' ? Form.JSON : Form.EVENTS;
    }
    return form;
  }

  private boolean event(byte next) {
    return switch (stream.kind(next)) {
      case DATA -> {
        data(next);
        yield false;
      }
      case END -> {
        endEvent();
        yield true;
      }
      case OTHER -> false;
    };
  }

  private void data(byte next) {
    length++;
    if (length > LARGE) {
      text++;
      pointers.skip();
    } else {
      pointers.accept(next);
    }
  }

  private void endEvent() {
    pointers.restart();
    last = newest;
    newest = null;
    length = 0;
  }

  private void object(ExtractedFields event) {
    newest = event;
    length = form == Form.JSON ? 0 : length;
    text += event.text();
    Map<Figure, Long> found = figures(event);
    figures.add(found);
    places.models().stream()
        .map(event::word)
        .filter(Objects::nonNull)
        .forEach(word -> model = word);
    ending |= event.isOneOf(places.ends());
    complete |= form == Form.EVENTS && ending && !found.isEmpty();
  }

  private Map<Figure, Long> figures(ExtractedFields event) {
    Map<Figure, Long> figures = new EnumMap<>(Figure.class);
    event
        .numbers()
        .forEach((place, number) -> {
          Figure figure = places.figures().get(place);
          if (figure != null) {
            figures.put(figure, number);
          }
        });
    return figures;
  }
}
