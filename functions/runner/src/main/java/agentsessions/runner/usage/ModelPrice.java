package agentsessions.runner.usage;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// What a model takes for its tokens, in dollars for a million of each kind: that many
/// micro-dollars one token costs.
///
/// @param model its name, or with stars that of several
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

  /// In whole micro-dollars, rounded up.
  long of(Tokens tokens) {
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
