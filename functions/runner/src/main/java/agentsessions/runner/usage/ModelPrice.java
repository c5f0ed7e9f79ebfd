package agentsessions.runner.usage;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// The price of a model's tokens, in dollars for a million of each kind, which is the same as
/// micro-dollars for one token.
///
/// @param model its name, or a pattern with `*` for several
public record ModelPrice(
    String model,
    BigDecimal input,
    BigDecimal output,
    BigDecimal cacheRead,
    BigDecimal cacheWrite,
    BigDecimal cacheWriteHour) {

  boolean isOf(String name) {
    return Pattern.matches(
        Arrays.stream(model.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")),
        name);
  }

  /// The price of these tokens in whole micro-dollars, rounded up.
  long of(TokenCounts tokens) {
    return of(input, tokens.input())
        .add(of(output, tokens.output()))
        .add(of(cacheRead, tokens.cacheRead()))
        .add(of(cacheWrite, tokens.cacheWrite()))
        .add(of(cacheWriteHour, tokens.cacheWriteHour()))
        .setScale(0, RoundingMode.CEILING)
        .longValue();
  }

  private static BigDecimal of(BigDecimal price, long tokens) {
    return price.multiply(BigDecimal.valueOf(tokens));
  }
}
