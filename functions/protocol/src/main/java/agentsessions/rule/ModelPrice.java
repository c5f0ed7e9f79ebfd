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

  /// Whether this price applies to a model. The pieces between the stars are searched from left to
  /// right, without backtracking, so that no name takes long.
  public boolean isOf(String name) {
    String[] pieces = model.split("\\*", -1);
    String last = pieces[pieces.length - 1];
    if (pieces.length == 1) {
      return name.equals(model);
    }
    int from = pieces[0].length();
    int end = name.length() - last.length();
    if (from > end || !name.startsWith(pieces[0]) || !name.endsWith(last)) {
      return false;
    }
    for (int i = 1; i < pieces.length - 1; i++) {
      int at = name.indexOf(pieces[i], from);
      if (at < 0 || at + pieces[i].length() > end) {
        return false;
      }
      from = at + pieces[i].length();
    }
    return true;
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
