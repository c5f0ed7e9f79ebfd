package agentsessions.api.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.session.Refusal;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryTest {

  @Test
  void whatIsNotGivenHasItsDefault() {
    Query query = new Query(Map.of("unknown", List.of("x")));
    assertEquals(50, query.limit());
    assertTrue(query.ascending(true));
    assertEquals(Optional.empty(), query.epochSeconds("gts"));
    assertEquals(List.of(), query.some("type", "message"));
  }

  @Test
  void aParameterThatIsOneIsGivenOnce() {
    refused("limit", () -> new Query(Map.of("limit", List.of("1", "1"))).limit());
  }

  @Test
  void aParameterThatMayBeRepeatedIsNoCommaList() {
    assertEquals(
        List.of("message", "tool_call"),
        query("type", "message", "tool_call", "message").some("type", "message", "tool_call"));
    refused("type", () -> query("type", "message,tool_call").some("type", "message", "tool_call"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "101", "-1", "+1", "01", "1.0", "", " 1", "9999999999"})
  void aLimitIsAWholeNumberFromOneToAHundred(String text) {
    refused("limit", () -> query("limit", text).limit());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-1",
        "1e10",
        "1e999",
        "NaN",
        "1.",
        ".5",
        "0x10",
        "10000000000",
        "1_0",
        "\u0661"
      })
  void epochSecondsAreADecimal(String text) {
    refused("gts", () -> query("gts", text).epochSeconds("gts"));
  }

  @Test
  void epochSecondsKeepTheirDigits() {
    assertEquals(
        Optional.of(new BigDecimal("1763745000.123456789")),
        query("gts", "1763745000.123456789").epochSeconds("gts"));
  }

  /// As Java writes a number of this size.
  @Test
  void epochSecondsMayHaveAnExponent() {
    assertEquals(
        Optional.of(new BigDecimal("1763745000.123456")),
        query("gts", "1.763745000123456E9").epochSeconds("gts"));
  }

  @Property(seed = "1")
  void whateverIsGivenIsTakenOrRefused(@ForAll String text) {
    Query query = query("x", text);
    List<Executable> readings =
        List.of(
            () -> query.epochSeconds("x"),
            () -> query.instant("x"),
            () -> new Query(Map.of("limit", List.of(text))).limit(),
            () -> query.oneOf("x", "a", "b"));
    readings.forEach(QueryTest::taken);
  }

  @Test
  void aTimeIsIsoWithItsOffset() {
    assertEquals(
        Optional.of(Instant.parse("2026-11-21T11:00:00Z")),
        query("created_after", "2026-11-21T12:00:00+01:00").instant("created_after"));
    refused("created_after", () -> query("created_after", "2026-11-21").instant("created_after"));
  }

  private static void taken(Executable reading) {
    try {
      reading.execute();
    } catch (Refusal refusal) {
      assertEquals(Refusal.Code.VALIDATION, refusal.code());
    } catch (Throwable fault) {
      throw new AssertionError(fault);
    }
  }

  private static Query query(String name, String... values) {
    return new Query(Map.of(name, List.of(values)));
  }

  private static void refused(String field, Executable reading) {
    Refusal refusal = assertThrows(Refusal.class, reading);
    assertEquals(List.of(field), refusal.details().stream().map(Refusal.Detail::field).toList());
  }
}
