package agentsessions.session.id;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UuidsTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1-1-1-1-1",
        "0193b0a0-0000-7000-8000-00000000000",
        "0193b0a0-0000-7000-8000-0000000000000",
        "0193b0a0-0000-7000-8000-00000000000g",
        "0193b0a000007000800000000000000a",
        "{0193b0a0-0000-7000-8000-00000000000a}",
        " 0193b0a0-0000-7000-8000-00000000000a",
        "0193b0a0-0000-7000-8000-00000000000a\n",
        "0193b0a0-0000-7000-8000-0000000000\u0660a"
      })
  void whatOnlyLooksLikeAUuidIsNone(String text) {
    assertEquals(Optional.empty(), Uuids.parse(text));
  }

  @Property(seed = "1")
  void aUuidIsTakenInAnyCaseAndShownInLowerCase(@ForAll long most, @ForAll long least) {
    UUID uuid = new UUID(most, least);
    assertEquals(Optional.of(uuid), Uuids.parse(uuid.toString()));
    assertEquals(Optional.of(uuid), Uuids.parse(uuid.toString().toUpperCase(Locale.ROOT)));
    assertEquals(uuid.toString(), new SessionId(uuid).toString());
  }
}
