package agentsessions.api.workspace;

import agentsessions.session.DailyUsage;
import agentsessions.session.Refusal;
import agentsessions.session.usage.UsageTotal;
import de.siegmar.fastcsv.writer.CsvWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The usage report of a workspace: one row for each group, sorted by the groups' values.
record UsageTable(List<UsageQuery.Group> groups, List<UsageRow> rows) {
  private static final int MOST_ROWS = 1_000;

  /// The characters that begin a formula in a spreadsheet.
  private static final String FORMULA = "=+-@";

  /// Columns that were added later are last, so that each keeps its position.
  private static final List<String> FIGURES =
      List.of(
          "turns",
          "model_requests",
          "input_tokens",
          "output_tokens",
          "cache_read_tokens",
          "cache_write_tokens",
          "active_seconds",
          "cost_usd",
          "complete",
          "known_cost_usd");

  private record Sum(long turns, UsageTotal spent) {
    private static final Sum NONE = new Sum(0, UsageTotal.NONE);

    private Sum plus(Sum more) {
      return new Sum(turns + more.turns, spent.plus(more.spent));
    }
  }

  static UsageTable of(UsageQuery query, List<DailyUsage> tallies) {
    List<UsageQuery.Group> groups = query.groups();
    Map<String, Sum> sums = new TreeMap<>();
    Map<String, Map<UsageQuery.Group, String>> names = new TreeMap<>();
    if (groups.isEmpty()) {
      sums.put("", Sum.NONE);
      names.put("", Map.of());
    }
    for (DailyUsage tally : tallies) {
      Map<UsageQuery.Group, String> group = new EnumMap<>(UsageQuery.Group.class);
      groups.forEach(by -> group.put(by, by.value(tally.of())));
      String place = String.join("\n", group.values());
      names.put(place, group);
      sums.merge(place, sum(tally, query.isByModel()), Sum::plus);
    }
    if (sums.size() > MOST_ROWS) {
      throw Refusal.invalid("group_by", "makes more than 1,000 rows: narrow it");
    }
    List<UsageRow> rows = new ArrayList<>();
    sums.forEach((place, sum) ->
        rows.add(
            UsageRow.of(
                names.getOrDefault(place, Map.of()), sum.turns(), UsageBody.of(sum.spent()))));
    return new UsageTable(groups, List.copyOf(rows));
  }

  private static Sum sum(DailyUsage tally, boolean byModel) {
    return byModel
        ? new Sum(tally.turns() + tally.again(), tally.spent().lasting(tally.againMillis()))
        : new Sum(tally.turns(), tally.spent());
  }

  /// The report as comma-separated values (RFC 4180), with a header line.
  String csv() {
    StringWriter text = new StringWriter();
    try (CsvWriter csv = CsvWriter.builder().build(text)) {
      CsvWriter _ =
          csv.writeRecord(
              Stream.concat(groups.stream().map(UsageQuery.Group::column), FIGURES.stream())
                  .toList());
      for (UsageRow row : rows) {
        CsvWriter _ = csv.writeRecord(cells(row));
      }
    } catch (IOException unwritable) {
      throw new UncheckedIOException(unwritable);
    }
    return text.toString();
  }

  private List<String> cells(UsageRow row) {
    List<String> cells = new ArrayList<>();
    groups.forEach(group -> cells.add(text(name(row, group))));
    Stream.of(
            row.turns(),
            row.modelRequests(),
            row.inputTokens(),
            row.outputTokens(),
            row.cacheReadTokens(),
            row.cacheWriteTokens())
        .map(String::valueOf)
        .forEach(cells::add);
    cells.add(plain(row.activeSeconds()));
    cells.add(plain(row.costUsd()));
    cells.add(String.valueOf(row.complete()));
    cells.add(plain(row.knownCostUsd()));
    return cells;
  }

  private static @Nullable String name(UsageRow row, UsageQuery.Group group) {
    return switch (group) {
      case DAY -> row.day();
      case AGENT -> row.agentName();
      case MODEL -> row.model();
      case KEY -> row.keyId();
    };
  }

  /// Agents choose the names of models, so that a name must not be taken for a formula.
  private static String text(@Nullable String name) {
    return name == null ? "" : FORMULA.indexOf(name.charAt(0)) < 0 ? name : "'" + name;
  }

  private static String plain(@Nullable BigDecimal number) {
    return number == null ? "" : number.toPlainString();
  }
}
