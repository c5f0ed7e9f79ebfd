package agentsessions.session.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The cost of a turn is exact, and unknown rather than too low.
class PricesTest {
  private static final UsedTokens ONE = new UsedTokens(1, 0, 0, 0, 0);

  @Test
  void eachKindHasItsPrice() {
    ModelPrice price = price("3", "15", "0.3", "3.75", "6");
    assertEquals(3_000_000, price.microDollars(new UsedTokens(1_000_000, 0, 0, 0, 0)));
    assertEquals(15_000_000, price.microDollars(new UsedTokens(0, 1_000_000, 0, 0, 0)));
    assertEquals(300_000, price.microDollars(new UsedTokens(0, 0, 1_000_000, 0, 0)));
    assertEquals(3_750_000, price.microDollars(new UsedTokens(0, 0, 0, 1_000_000, 0)));
    assertEquals(6_000_000, price.microDollars(new UsedTokens(0, 0, 0, 0, 1_000_000)));
  }

  @Test
  void costIsRoundedUpOnceAModel() {
    ModelPrice price = price("0.1", "0.1", "0.1", "0.1", "0.1");
    assertEquals(0, price.microDollars(new UsedTokens(0, 0, 0, 0, 0)));
    assertEquals(1, price.microDollars(ONE));
    assertEquals(1, price.microDollars(new UsedTokens(2, 2, 2, 2, 2)));
    assertEquals(2, price.microDollars(new UsedTokens(11, 0, 0, 0, 0)));
    Prices both = new Prices(List.of(Map.of("a", price, "b", price)));
    assertEquals(OptionalLong.of(2), both.microDollars(Map.of("a", ONE, "b", ONE)));
  }

  @Test
  void costIsUnknownOnceAModelWithoutAPriceWasUsed() {
    Prices prices = new Prices(List.of(Map.of("a", flat("1"))));
    assertEquals(OptionalLong.of(0), prices.microDollars(Map.of()));
    assertEquals(OptionalLong.of(1), prices.microDollars(Map.of("a", ONE)));
    assertEquals(OptionalLong.empty(), prices.microDollars(Map.of("a", ONE, "b", ONE)));
    UsedTokens none = new UsedTokens(0, 0, 0, 0, 0);
    assertEquals(OptionalLong.of(1), prices.microDollars(Map.of("a", ONE, "b", none)));
  }

  @ParameterizedTest
  @CsvSource({
    "opus-4-1, 1",
    "opus-4-1-20250805, 2",
    "opus-4-9, 3",
    "opus-, 4",
    "opus-mini, 5",
    "x-mini-y-z, 6",
    "miniy, ",
    "opus, ",
    "Opus-4-1, ",
    "'', ",
  })
  void nameIsBeforeStarsAndLongerStarsBeforeShorter(String model, String dollars) {
    Prices prices =
        new Prices(
            List.of(
                Map.of(
                    "opus-4-1", flat("1"),
                    "opus-4-1-*", flat("2"),
                    "opus-4*", flat("3"),
                    "opus-*", flat("4"),
                    "opus-*mini", flat("5"),
                    "*-mini*-*z", flat("6"))));
    assertEquals(
        Optional.ofNullable(dollars), prices.of(model).map(price -> price.input().toString()));
  }

  @Test
  void operatorsPricesAreBeforeAllOthers() {
    Prices ours = new Prices(List.of(Map.of("opus", flat("1"), "sonnet", flat("2"))));
    Prices both = ours.under(new Prices(List.of(Map.of("op*", flat("3")))));
    assertEquals(Optional.of(flat("3")), both.of("opus"));
    assertEquals(Optional.of(flat("2")), both.of("sonnet"));
    assertEquals(Optional.empty(), both.of("haiku"));
  }

  private static ModelPrice flat(String dollars) {
    return price(dollars, dollars, dollars, dollars, dollars);
  }

  private static ModelPrice price(
      String input, String output, String read, String write, String hour) {
    return new ModelPrice(
        new BigDecimal(input),
        new BigDecimal(output),
        new BigDecimal(read),
        new BigDecimal(write),
        new BigDecimal(hour));
  }
}
