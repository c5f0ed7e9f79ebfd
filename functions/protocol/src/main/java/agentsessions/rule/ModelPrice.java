package agentsessions.rule;

import java.math.BigDecimal;
import java.math.RoundingMode;

/// The price of a model, in dollars for a million tokens of each kind; the same number is the price
/// of one token in micro-dollars.
///
/// @param model the model's name, or a pattern in which each star stands for any text
public record ModelPrice(
    String model,
    BigDecimal input,
    BigDecimal output,
    BigDecimal cacheRead,
    BigDecimal cacheWrite,
    BigDecimal cacheWriteHour) {

  /// Whether this price applies to a model.
  public boolean isOf(String name) {
    return Wildcard.of(model).matches(name);
  }

  /// The cost of these tokens in whole micro-dollars, rounded up once.
  public long microDollars(UsedTokens tokens) {
    BigDecimal exact =
        of(input, tokens.input())
            .add(of(output, tokens.output()))
            .add(of(cacheRead, tokens.cacheRead()))
            .add(of(cacheWrite, tokens.cacheWrite()))
            .add(of(cacheWriteHour, tokens.cacheWriteHour()));
    return exact.setScale(0, RoundingMode.CEILING).longValueExact();
  }

  private static BigDecimal of(BigDecimal price, long tokens) {
    return price.multiply(BigDecimal.valueOf(tokens));
  }
}
