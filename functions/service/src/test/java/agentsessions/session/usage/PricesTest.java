package agentsessions.session.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.rule.ModelPrice;
import agentsessions.rule.UsedTokens;
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
  void costIsRoundedUpOnceAModel() {
    Prices both = Prices.of(List.of(flat("a", "0.1"), flat("b", "0.1")));
    assertEquals(OptionalLong.of(2), both.microDollars(Map.of("a", ONE, "b", ONE)));
  }

  @Test
  void costIsUnknownOnceAModelWithoutAPriceWasUsed() {
    Prices prices = Prices.of(List.of(flat("a", "1")));
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
        Prices.of(
            List.of(
                flat("opus-*", "4"),
                flat("opus-4*", "3"),
                flat("opus-4-1-*", "2"),
                flat("opus-4-1", "1"),
                flat("opus-*mini", "5"),
                flat("*-mini*-*z", "6")));
    assertEquals(
        Optional.ofNullable(dollars), prices.of(model).map(price -> price.input().toString()));
  }

  @Test
  void operatorsPricesAreBeforeAllOthers() {
    Prices ours = Prices.of(List.of(flat("opus", "1"), flat("sonnet", "2")));
    Prices both = ours.under(Prices.of(List.of(flat("op*", "3"))));
    assertEquals(Optional.of(flat("op*", "3")), both.of("opus"));
    assertEquals(Optional.of(flat("sonnet", "2")), both.of("sonnet"));
    assertEquals(Optional.empty(), both.of("haiku"));
  }

  private static ModelPrice flat(String model, String dollars) {
    BigDecimal each = new BigDecimal(dollars);
    return new ModelPrice(model, each, each, each, each, each);
  }
}
