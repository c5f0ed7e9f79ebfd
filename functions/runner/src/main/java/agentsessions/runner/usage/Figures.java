package agentsessions.runner.usage;

import java.util.EnumMap;
import java.util.Map;

/// The figures that an answer has said so far. They are cumulative in all dialects, so of each the
/// greatest counts, however often it is said.
final class Figures {
  private final Map<Figure, Long> greatest = new EnumMap<>(Figure.class);

  /// What an answer counts by itself.
  enum Figure {
    INPUT,
    OUTPUT,
    /// Not in the output.
    THOUGHTS,
    CACHE_READ,
    /// For five minutes and for an hour together.
    CACHE_WRITE,
    CACHE_WRITE_HOUR
  }

  void add(Map<Figure, Long> said) {
    said.forEach((figure, count) -> greatest.merge(figure, count, Math::max));
  }

  boolean isEmpty() {
    return greatest.isEmpty();
  }

  /// @param inputHoldsCached whether the dialect's input has what was read from the cache in it
  Tokens tokens(boolean inputHoldsCached) {
    long cached = of(Figure.CACHE_READ);
    long hour = of(Figure.CACHE_WRITE_HOUR);
    return new Tokens(
        inputHoldsCached ? Math.max(0, of(Figure.INPUT) - cached) : of(Figure.INPUT),
        of(Figure.OUTPUT) + of(Figure.THOUGHTS),
        cached,
        Math.max(0, of(Figure.CACHE_WRITE) - hour),
        hour);
  }

  private long of(Figure figure) {
    return greatest.getOrDefault(figure, 0L);
  }
}
