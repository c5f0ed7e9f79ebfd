package agentsessions.runner.usage;

import agentsessions.rule.UsedTokens;
import java.util.EnumMap;
import java.util.Map;

/// The usage figures stated so far in a response. They are cumulative in all APIs, so the greatest
/// value of each counts.
final class UsageFigures {
  private final Map<Figure, Long> greatest = new EnumMap<>(Figure.class);

  /// A figure that responses state separately.
  enum Figure {
    INPUT,
    OUTPUT,
    /// Thinking tokens that are not part of the output.
    THOUGHTS,
    CACHE_READ,
    /// Cache writes for five minutes and for an hour together.
    CACHE_WRITE,
    CACHE_WRITE_HOUR
  }

  void add(Map<Figure, Long> said) {
    said.forEach((figure, count) -> greatest.merge(figure, count, Math::max));
  }

  boolean isEmpty() {
    return greatest.isEmpty();
  }

  /// @param inputHoldsCached whether the dialect's input figure includes tokens read from the cache
  UsedTokens tokens(boolean inputHoldsCached) {
    long cached = of(Figure.CACHE_READ);
    long hour = of(Figure.CACHE_WRITE_HOUR);
    return new UsedTokens(
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
