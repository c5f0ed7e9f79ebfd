package agentsessions.api.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.api.request.Query;
import agentsessions.rule.UsedTokens;
import agentsessions.session.DailyUsage;
import agentsessions.session.Refusal;
import agentsessions.session.usage.Usage;
import agentsessions.session.usage.UsageTotal;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Counters become rows, and rows a text that spreadsheets read.
class UsageTableTest {
  private static final LocalDate DAY = LocalDate.parse("2026-11-21");
  private static final UsedTokens TOKENS = new UsedTokens(1, 2, 3, 4, 5);

  @Test
  void aTurnOfTwoModelsIsOneTurnButInTheRowOfEach() {
    List<DailyUsage> tallies = List.of(first("a", 1_500), again("b", 1_500), first("a", 500));
    UsageRow all = table(tallies).rows().getFirst();
    assertEquals(2, all.turns());
    assertEquals("2.000", all.activeSeconds().toPlainString());
    assertEquals(3, all.modelRequests());
    assertEquals(27, all.cacheWriteTokens());
    List<UsageRow> models = table(tallies, "model").rows();
    assertEquals(List.of(2L, 1L), models.stream().map(UsageRow::turns).toList());
    assertEquals("1.500", models.getLast().activeSeconds().toPlainString());
  }

  @Test
  void whereAModelHasNoPriceOnlyAPartOfTheCostIsKnown() {
    DailyUsage free = tally("free", UsageTotal.of(usage("free", 0, null)), 1);
    List<UsageRow> rows = table(List.of(first("a", 0), free), "model").rows();
    assertEquals("0.000007", String.valueOf(rows.getFirst().costUsd()));
    assertEquals(null, rows.getLast().costUsd());
    assertEquals("0.000000", rows.getLast().knownCostUsd().toPlainString());
    UsageTable both = table(List.of(first("a", 0), free));
    assertEquals(null, both.rows().getFirst().costUsd());
    assertEquals("0.000007", both.rows().getFirst().knownCostUsd().toPlainString());
    assertTrue(both.csv().endsWith(",,true,0.000007\r\n"), both.csv());
  }

  @Test
  void whatASpreadsheetWouldTakeForAFormulaIsText() {
    for (String name : List.of("=1+1", "+1", "-1", "@SUM(1,2)")) {
      String csv = table(List.of(first(name, 0)), "model").csv();
      assertTrue(csv.lines().toList().getLast().replace("\"", "").startsWith("'" + name), csv);
    }
    String quoted = table(List.of(first("a,\"b\"", 0)), "model").csv();
    assertTrue(quoted.lines().toList().getLast().startsWith("\"a,\"\"b\"\"\",1,"), quoted);
  }

  @Test
  void aThousandRowsAreTheMost() {
    List<DailyUsage> many = IntStream.range(0, 1_001).mapToObj(n -> first("m" + n, 0)).toList();
    assertEquals(1_000, table(many.subList(0, 1_000), "model").rows().size());
    assertEquals(1, table(many).rows().size());
    assertThrows(Refusal.class, () -> table(many, "model"));
  }

  private static UsageTable table(List<DailyUsage> tallies, String... groups) {
    Query query = new Query(Map.of("group_by", List.of(groups)));
    return UsageTable.of(UsageQuery.read(query, DAY), tallies);
  }

  private static DailyUsage first(String model, long millis) {
    return tally(model, UsageTotal.of(usage(model, millis, 7L)), 1);
  }

  private static DailyUsage again(String model, long millis) {
    return new DailyUsage(
        new DailyUsage.Of(DAY, "shell", model, "key"),
        0,
        UsageTotal.of(usage(model, 0, 7L)),
        1,
        millis);
  }

  private static DailyUsage tally(String model, UsageTotal spent, long turns) {
    return new DailyUsage(new DailyUsage.Of(DAY, "shell", model, "key"), turns, spent, 0, 0);
  }

  private static Usage usage(String model, long millis, @Nullable Long cost) {
    return new Usage(
        1, List.of(new Usage.OfModel(model, 1, TOKENS, cost)), millis, true, Usage.Guess.NONE);
  }
}
