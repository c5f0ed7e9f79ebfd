package agentsessions.session.usage;

import java.math.BigDecimal;
import java.math.RoundingMode;

/// The price of a model's tokens, in dollars for a million of each kind. The same number is the
/// price of one token in micro-dollars.
public record ModelPrice(
    BigDecimal input,
    BigDecimal output,
    BigDecimal cacheRead,
    BigDecimal cacheWrite,
    BigDecimal cacheWriteHour) {

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
