package agentsessions.table.item;

import agentsessions.rule.UsedTokens;
import agentsessions.session.Session;
import agentsessions.session.usage.Usage;
import agentsessions.session.usage.UsageTotal;
import agentsessions.table.Attribute;
import agentsessions.table.Change;
import agentsessions.table.Kept;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/// The stored form of a sum of usage: each figure is a number by itself, so that a write can add to
/// it whatever it is. What is 0 is not there.
public final class SpentValues {
  private record Figure(String attribute, ToLongFunction<UsageTotal> of) {
    private <T> Attribute<T, Long> attribute(Function<T, UsageTotal> spent) {
      return new Attribute<>(
          attribute,
          Kept.NUMBER,
          record -> {
            long figure = of.applyAsLong(spent.apply(record));
            return figure == 0 ? null : figure;
          });
    }
  }

  private static final Figure REQUESTS = new Figure("used_requests", UsageTotal::requests);
  private static final Figure INPUT = new Figure("used_input", spent -> spent.tokens().input());
  private static final Figure OUTPUT = new Figure("used_output", spent -> spent.tokens().output());
  private static final Figure CACHE_READ =
      new Figure("used_cache_read", spent -> spent.tokens().cacheRead());
  private static final Figure CACHE_WRITE =
      new Figure("used_cache_write", spent -> spent.tokens().cacheWrite());
  private static final Figure CACHE_WRITE_HOUR =
      new Figure("used_cache_write_hour", spent -> spent.tokens().cacheWriteHour());
  private static final Figure MILLIS = new Figure("used_millis", UsageTotal::millis);
  private static final Figure COST = new Figure("used_cost", UsageTotal::microDollars);
  private static final Figure UNPRICED = new Figure("used_unpriced", UsageTotal::unpriced);
  private static final Figure INCOMPLETE = new Figure("used_incomplete", UsageTotal::incomplete);
  private static final Figure GUESSED_TOKENS =
      new Figure("used_guessed_tokens", spent -> spent.guess().tokens());
  private static final Figure GUESSED_COST =
      new Figure("used_guessed_cost", spent -> spent.guess().microDollars());
  private static final List<Figure> ALL =
      List.of(
          REQUESTS,
          INPUT,
          OUTPUT,
          CACHE_READ,
          CACHE_WRITE,
          CACHE_WRITE_HOUR,
          MILLIS,
          COST,
          UNPRICED,
          INCOMPLETE,
          GUESSED_TOKENS,
          GUESSED_COST);

  /// The attributes of a session's sum.
  static final List<Attribute<Session, Long>> OF_SESSION =
      ALL.stream()
          .map(figure -> figure.<Session>attribute(session -> session.account().spent()))
          .toList();

  /// Adds to the sum that an item has.
  public static Change add(Change change, UsageTotal more) {
    for (Figure figure : ALL) {
      change.add(figure.attribute(), figure.of.applyAsLong(more));
    }
    return change;
  }

  /// Reads a sum.
  ///
  /// @param kept what an attribute is, by its name
  public static UsageTotal read(ToLongFunction<String> kept) {
    return new UsageTotal(
        figure(kept, REQUESTS),
        new UsedTokens(
            figure(kept, INPUT),
            figure(kept, OUTPUT),
            figure(kept, CACHE_READ),
            figure(kept, CACHE_WRITE),
            figure(kept, CACHE_WRITE_HOUR)),
        figure(kept, MILLIS),
        figure(kept, COST),
        figure(kept, UNPRICED),
        figure(kept, INCOMPLETE),
        new Usage.Guess(figure(kept, GUESSED_TOKENS), figure(kept, GUESSED_COST)));
  }

  private static long figure(ToLongFunction<String> kept, Figure figure) {
    return kept.applyAsLong(figure.attribute());
  }

  private SpentValues() {}
}
