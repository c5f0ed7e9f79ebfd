package agentsessions.contract.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.Section;
import agentsessions.contract.SuiteTiming;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.PresignedLink;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Uploads: each file comes in by a presigned link of its own.
@Section(number = "api", title = "Uploads")
final class UploadsTest {
  private static final String SHA256_OF_TEST =
      "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
  private static final long GIBIBYTE = 1L << 30;
  private static final int MOST_OPEN = 20;

  private final Client client = Target.client();

  @Tag("stack")
  @Test
  void aFileIsPutOnce() {
    Map<String, ?> file = Map.of("file_name", "a", "size", 4, "sha256", SHA256_OF_TEST);
    JsonNode upload = SuiteTiming.ahead(Duration.ofHours(24), "expires_at", () -> announced(file));
    assertEquals(200, PresignedLink.upload(upload, "test"));
    assertEquals(412, PresignedLink.upload(upload, "test"));
  }

  @Tag("stack")
  @Test
  void aFileOfAnotherSizeIsNotTaken() {
    JsonNode upload = announced(Map.of("file_name", "a", "size", 4));
    assertTrue(PresignedLink.upload(upload, "tests") / 100 == 4);
    assertTrue(PresignedLink.upload(upload, "") / 100 == 4);
    assertEquals(200, PresignedLink.upload(upload, "TEST"));
  }

  /// Many programs declare a body as a form unless told otherwise, `curl --data-binary` too.
  @Tag("stack")
  @ParameterizedTest
  @ValueSource(strings = {"application/x-www-form-urlencoded", "text/plain", "image/png"})
  void aFileIsPutWhateverTypeItIsGiven(String type) {
    JsonNode upload = announced(Map.of("file_name", "a", "size", 7));
    assertEquals(200, PresignedLink.upload(upload, "a=1&b=2", "Content-Type", type));
  }

  @Test
  void anEmptyFileIsAFile() {
    assertEquals(200, PresignedLink.upload(announced(Map.of("file_name", "empty", "size", 0)), ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"size\":1} | file_name",
        "{\"file_name\":\" \",\"size\":1} | file_name",
        "{\"file_name\":\"a\"} | size",
        "{\"file_name\":\"a\",\"size\":-1} | size",
        "{\"file_name\":\"a\",\"size\":1073741825} | size",
        "{\"file_name\":\"a\",\"size\":\"1\"} | size",
        "{\"file_name\":\"a\",\"size\":1,\"sha256\":\"abc\"} | sha256",
        "{\"file_name\":\"a\",\"size\":1,\"mime_type\":\"text\"} | mime_type"
      })
  void whatCannotBeTakenIsRefusedByField(String body, String field) {
    client.send("POST", "/uploads", body).invalid(field);
  }

  @Test
  void theTwentyFirstThatHasNotArrivedIsTooMany() {
    Client full = other();
    List<JsonNode> open = new ArrayList<>();
    for (int number = 0; number < MOST_OPEN; number++) {
      open.add(announce(full, 4).expect(201).json());
    }
    announce(full, 4).refused(409, "TOO_MANY_UPLOADS");
    assertEquals(200, PresignedLink.upload(open.getFirst(), "test"));
    announce(full, 4).expect(201);
    announce(full, 4).refused(409, "TOO_MANY_UPLOADS");
  }

  @Test
  void fiveGibibytesTogetherAreTheMost() {
    if (Target.makesKeys()) { // else the test before has used up the limit
      Client full = other();
      for (int number = 0; number < 5; number++) {
        announce(full, GIBIBYTE).expect(201);
      }
      announce(full, 1).refused(409, "TOO_MANY_UPLOADS");
    }
  }

  private static Client other() {
    return Target.otherClient();
  }

  private static ApiResponse announce(Client client, long size) {
    return client.post("/uploads", Map.of("file_name", "a", "size", size));
  }

  private JsonNode announced(Map<String, ?> body) {
    return client.post("/uploads", body).expect(201).json();
  }
}
