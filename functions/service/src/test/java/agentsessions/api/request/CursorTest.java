package agentsessions.api.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import agentsessions.api.messages.MessageFilter;
import agentsessions.session.Refusal;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class CursorTest {
  private static final String URL = "http://x/rest/v1/sessions";

  @Property(seed = "1")
  void aCursorIsReadWithTheFiltersItCameFrom(
      @ForAll @CharRange(from = '0', to = '9') @StringLength(min = 1, max = 53) String place,
      @ForAll String binding) {
    assertEquals(place, Cursor.read(new Cursor(place).text(binding), binding).place());
  }

  @Property(seed = "1")
  void aCursorIsUselessWithOtherFilters(@ForAll String one, @ForAll String other) {
    if (!one.equals(other)) {
      refused(() -> Cursor.read(new Cursor("1").text(one), other));
    }
  }

  @Property(seed = "1")
  void anyOtherTextIsRefused(@ForAll String text) {
    refused(() -> Cursor.read(text, "binding"));
  }

  /// The binding is no secret, so a cursor can be made up; that too is only bad input.
  @Property(seed = "1")
  void aMadeUpPlaceIsTakenOrRefused(@ForAll @StringLength(min = 1) String place) {
    String messages = new Cursor(place).text("/rest/v1/sessions");
    takenOrRefused(() -> MessageFilter.read(query(messages), URL));
    takenOrRefused(() -> PageRange.read(query(messages), URL, false).last());
  }

  @Test
  void aPlaceThatNoKeyCouldHaveIsRefused() {
    for (String place : List.of("x", "1".repeat(2000), "\u0000", "-1", "1.5")) {
      refused(() -> MessageFilter.read(query(new Cursor(place).text("/rest/v1/sessions")), URL));
    }
    refused(() ->
        PageRange.read(query(new Cursor("1".repeat(2000)).text("/rest/v1/sessions")), URL, true));
  }

  private static Query query(String cursor) {
    return new Query(Map.of("cursor", List.of(cursor)));
  }

  private static void takenOrRefused(Runnable reading) {
    try {
      reading.run();
    } catch (Refusal refusal) {
      assertEquals(Refusal.Code.VALIDATION, refusal.code());
    }
  }

  private static void refused(Runnable reading) {
    Refusal refusal = assertThrows(Refusal.class, reading::run);
    assertEquals("cursor", refusal.details().getFirst().field());
  }
}
