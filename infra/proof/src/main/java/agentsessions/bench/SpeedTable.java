package agentsessions.bench;

import agentsessions.bench.Throughput.Read;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The table of medians of all rounds, in the form that `infra/docs/performance.md` quotes.
final class SpeedTable {
  private static final double ALONE_GOAL = 2.2;
  private static final double CROWDED_GOAL = 1.5;
  private static final double PAGE_GOAL = 1.0;
  private static final double TAIL_GOAL = 5;

  private record Figures(
      List<Double> alone, List<Double> perSecond, List<Double> pressed, List<Double> tails) {
    Figures() {
      this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }
  }

  private final Map<Read, Figures> rounds = new EnumMap<>(Read.class);

  /// Adds a round over one connection.
  void alone(Read read, LoadGenerator.Round round) {
    of(read).alone.add(round.percentile(50));
  }

  /// Adds a round over 16 connections.
  void crowded(Read read, LoadGenerator.Round round) {
    of(read).perSecond.add(round.perSecond());
  }

  /// Adds a round over 32 connections.
  void pressed(Read read, LoadGenerator.Round round) {
    of(read).pressed.add(round.percentile(50));
    of(read).tails.add(round.percentile(99));
  }

  void print(PrintStream out) {
    out.printf("%n| medians of %d rounds | alone: p50 ms | of GetItem |", count());
    out.printf(" 16 connections: a second | of opencode's |");
    out.printf(" 32 connections: p50, p99 ms | p99 / p50 |%n|---|---|---|---|---|---|---|%n");
    rounds.keySet().forEach(read -> out.println(row(read)));
    out.printf(
        "%nGoals: alone at most %.1f of GetItem; at 16 connections %.1f of opencode's, a page %.1f;"
            + " p99 at most %.0f of p50%n",
        ALONE_GOAL, CROWDED_GOAL, PAGE_GOAL, TAIL_GOAL);
  }

  private int count() {
    return rounds.values().iterator().next().alone.size();
  }

  private String row(Read read) {
    Figures figures = of(read);
    double alone = Median.of(figures.alone);
    double pressed = Median.of(figures.pressed);
    double tail = Median.of(figures.tails);
    return String.format(
        Locale.ROOT,
        "| %s | %.2f | %s | %,.0f | %s | %.1f, %.1f | %.1f |",
        read.label(),
        alone,
        ofItem(alone),
        Median.of(figures.perSecond),
        ofTheirs(read),
        pressed,
        tail,
        tail / pressed);
  }

  private String ofItem(double alone) {
    return rounds.containsKey(Read.ITEM)
        ? "%.1f".formatted(alone / Median.of(of(Read.ITEM).alone))
        : "";
  }

  private String ofTheirs(Read read) {
    return read.theirs()
        .filter(rounds::containsKey)
        .map(theirs -> Median.of(of(read).perSecond) / Median.of(of(theirs).perSecond))
        .map("%.2f"::formatted)
        .orElse("");
  }

  private Figures of(Read read) {
    return rounds.computeIfAbsent(read, _ -> new Figures());
  }
}
