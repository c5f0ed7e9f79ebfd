package agentsessions.turn.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.rule.ModelPrice;
import agentsessions.session.usage.Prices;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The price list of the project, and an operator's over it.
class PriceListTest {
  private static final String GOOD =
      "a: {input: 1, output: 2, cache_read: 0.1, date: 2026-11-22, source: s}\n";

  @TempDir Path folder;

  @Test
  void projectsOwnPricesAreRight() {
    Prices prices = new PriceList(null).prices();
    BigDecimal hour = prices.of("claude-sonnet-4-5-20250929").orElseThrow().cacheWriteHour();
    assertEquals(new BigDecimal("6"), hour);
    assertEquals(new BigDecimal("15"), prices.of("claude-opus-4-1").orElseThrow().input());
    assertEquals(new BigDecimal("5"), prices.of("claude-opus-4-5").orElseThrow().input());
    assertEquals(Optional.empty(), prices.of("claude-opus-9"));
  }

  @Test
  void operatorsFileIsLaidOverThem() throws IOException {
    Prices prices = new PriceList(file(GOOD.replace("a:", "claude-opus-4-5:"))).prices();
    assertEquals(new BigDecimal("1"), prices.of("claude-opus-4-5").orElseThrow().input());
    assertEquals(new BigDecimal("5"), prices.of("claude-opus-4-6").orElseThrow().input());
  }

  @Test
  void writingToACacheCostsAsReadingUnlessItIsSaid() throws IOException {
    ModelPrice price = new PriceList(file(GOOD)).prices().of("a").orElseThrow();
    assertEquals(price.input(), price.cacheWrite());
    assertEquals(price.input(), price.cacheWriteHour());
  }

  @Test
  void emptyFileChangesNothing() throws IOException {
    assertEquals(Optional.empty(), new PriceList(file("# none yet\n")).prices().of("a"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "b: {input: 1, date: 2026-11-22, source: s} | line 2: b has no output",
        "b: {input: -1, output: 2, cache_read: 0, date: 2026-11-22, source: s} | line 2: b/input must be dollars",
        "b: {input: 1e3, output: 2, cache_read: 0, date: 2026-11-22, source: s} | line 2: b/input must be dollars",
        "b: {input: 1, output: 2, cache_read: 0, date: today, source: s} | line 2: b/date must be like",
        "b: {input: 1, output: 2, cache_read: 0, date: 2026-11-22, source: s, colour: red} | line 2: b/colour means nothing",
        "b: {input: [1], output: 2, cache_read: 0, date: 2026-11-22, source: s} | line 2: b/input must be one value",
        "b: {highest: perhaps} | line 2: b/highest must be true or left out",
        "b: {offered: agent} | line 2: b/offered must be a list",
        "b: {unverified: [date]} | line 2: b/unverified must name figures",
        "a: {} | line 2: a is there twice",
        "b: 3 | line 2: b must be fields with values",
        "'b c': {} | line 2: b c is no name of a model",
        "b: {input: | line ",
      })
  void mistakeIsNamedWithItsLine(String line, String said) throws IOException {
    String file = file(GOOD + line + "\n");
    IllegalStateException mistake =
        assertThrows(IllegalStateException.class, () -> new PriceList(file));
    String message = String.valueOf(mistake.getMessage());
    assertTrue(message.startsWith(file + ": " + said), message);
  }

  private String file(String text) throws IOException {
    Path file = folder.resolve("prices.yaml");
    Files.writeString(file, text);
    return file.toString();
  }
}
