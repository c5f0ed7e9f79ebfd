package agentsessions.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.chat.api.ApiModel;
import java.math.BigDecimal;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Tests of the line about a turn's cost: it states only what is known.
class UsageLineTest {
  private static final String TOKENS = ": 5 tokens read (2 of them cached), 3 written";

  @Test
  void whatIsKnownOfACostIsSaid() {
    assertEquals("$0.0009" + TOKENS, line("0.0009", "0.0009"));
    assertEquals("at least $0.0007" + TOKENS, line(null, "0.0007"));
    assertEquals("no price" + TOKENS, line(null, "0.0000"));
    assertEquals("no price" + TOKENS, line(null, null));
  }

  private static String line(@Nullable String cost, @Nullable String known) {
    return new ApiModel.Usage(1, 1, 3, 2, 2, BigDecimal.ONE, dollars(cost), dollars(known), true)
        .line()
        .orElseThrow();
  }

  private static @Nullable BigDecimal dollars(@Nullable String text) {
    return Optional.ofNullable(text).map(BigDecimal::new).orElse(null);
  }
}
