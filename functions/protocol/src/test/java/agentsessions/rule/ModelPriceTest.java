package agentsessions.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The cost of tokens is exact, and a pattern matches the model names that it stands for.
class ModelPriceTest {
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
  void costIsRoundedUpOnce() {
    ModelPrice price = price("0.1", "0.1", "0.1", "0.1", "0.1");
    assertEquals(0, price.microDollars(new UsedTokens(0, 0, 0, 0, 0)));
    assertEquals(1, price.microDollars(new UsedTokens(1, 0, 0, 0, 0)));
    assertEquals(1, price.microDollars(new UsedTokens(2, 2, 2, 2, 2)));
    assertEquals(2, price.microDollars(new UsedTokens(11, 0, 0, 0, 0)));
  }

  @ParameterizedTest
  @CsvSource({
    "opus, opus, true",
    "opus, Opus, false",
    "opus, opus-4, false",
    "opus, '', false",
    "opus*, opus, true",
    "opus-*, opus-, true",
    "opus-*, opus, false",
    "*, '', true",
    "*, anything, true",
    "a*a, a, false",
    "a*a, aa, true",
    "*-mini*-*z, x-mini-y-z, true",
    "*-mini*-*z, miniy, false",
    "a*bc*c, abc, false",
    "a.c, abc, false",
  })
  void eachStarStandsForAnyText(String model, String name, boolean is) {
    assertEquals(is, price(model, "1", "1", "1", "1", "1").isOf(name));
  }

  private static ModelPrice price(
      String input, String output, String read, String write, String hour) {
    return price("any", input, output, read, write, hour);
  }

  private static ModelPrice price(
      String model, String input, String output, String read, String write, String hour) {
    return new ModelPrice(
        model,
        new BigDecimal(input),
        new BigDecimal(output),
        new BigDecimal(read),
        new BigDecimal(write),
        new BigDecimal(hour));
  }
}
