package agentsessions.bench;

import java.util.ArrayList;
import java.util.List;

/// The figures of a run, each printed as soon as it is known, and all at the end as the table that
/// `infra/docs/performance.md` quotes; and the promises that were broken.
final class SpeedReport {
  private final List<String> rows =
      new ArrayList<>(List.of("| figure | here | beside it | goal |", "|---|---|---|---|"));
  private final List<String> broken = new ArrayList<>();

  /// @param beside the same of what it is compared with; empty if of nothing
  void add(String figure, String here, String beside, String goal) {
    String row = "| %s |".formatted(String.join(" | ", figure, here, beside, goal));
    System.out.println(row);
    rows.add(row);
  }

  void check(boolean holds, String otherwise) {
    if (!holds) {
      broken.add(otherwise);
    }
  }

  /// Prints the table; the promises that were broken.
  List<String> print() {
    System.out.printf("%n%s%n", String.join("\n", rows));
    return broken;
  }
}
