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
  private record Figures(List<Double> alone, List<Double> perSecond, List<Double> tails) {
    Figures() {
      this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
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
    of(read).tails.add(round.percentile(99) / round.percentile(50));
  }

  void print(PrintStream out) {
    out.printf("%n| | alone: p50 ms | of a bare GetItem | 16 connections: a second |");
    out.printf(" of opencode's own | p99 of p50, 32 connections |%n|---|---|---|---|---|---|%n");
    rounds.keySet().forEach(read -> out.println(row(read)));
  }

  private String row(Read read) {
    Figures figures = of(read);
    double alone = Median.of(figures.alone);
    return String.format(
        Locale.ROOT,
        "| %s | %.2f | %s | %,.0f | %s | %.1f |",
        read.label(),
        alone,
        ofItem(alone),
        Median.of(figures.perSecond),
        ofTheirs(read),
        Median.of(figures.tails));
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
