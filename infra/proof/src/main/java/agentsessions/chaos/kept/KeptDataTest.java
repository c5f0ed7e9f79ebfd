package agentsessions.chaos.kept;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.table.Layout;
import agentsessions.talk.Client;
import agentsessions.talk.PresignedLink;
import agentsessions.talk.SessionHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Data of version 0.1.0 in the service of now: it answers as the service that wrote it, and goes
/// on.
@Tag("chaos")
class KeptDataTest {
  @TempDir private Path folder;

  @Test
  void dataOfTheFirstVersionIsReadAsItWasWritten() throws Exception {
    KeptData.copy(folder);
    assertEquals(
        Integer.toString(Layout.FORMAT),
        Files.readString(folder.resolve("format")).strip(),
        "A new format leaves the data of users behind: bring it over at the start, or say so in the"
            + " changelog and make these files anew (KeptDataMaker)");
    try (ServiceProcess service = new ServiceProcess(folder, Map.of())) {
      service.await();
      Client client = service.client().patient();
      assertAll(
          KeptData.answers()
              .propertyStream()
              .map(kept ->
                  () -> {
                    JsonNode now = KeptData.answer(service, client, kept.getKey());
                    assertKept(kept.getValue(), now, kept.getKey());
                  }));
      SessionHandle session = session(client);
      assertEquals("one", PresignedLink.content(session.artifactNamed("kept.txt")));
      assertEquals("one and more", session.send("cat kept.txt; echo ' and more'").completed());
    }
  }

  private static SessionHandle session(Client client) {
    JsonNode sessions = client.get("/sessions?limit=100").ok().path("items");
    return sessions
        .valueStream()
        .filter(one -> one.path("title").asText().equals(KeptDataMaker.FOLLOWED_UP))
        .map(one -> new SessionHandle(client, one))
        .findFirst()
        .orElseThrow();
  }

  /// A later version may add fields, and nothing else.
  private static void assertKept(JsonNode kept, JsonNode now, String where) {
    if (kept.isObject()) {
      kept.properties()
          .forEach(field ->
              assertKept(field.getValue(), now.path(field.getKey()), where + " " + field.getKey()));
    } else if (kept.isArray()) {
      assertEquals(kept.size(), now.size(), () -> where + ": " + now);
      for (int i = 0; i < kept.size(); i++) {
        assertKept(kept.path(i), now.path(i), where + " " + i);
      }
    } else if (kept.isNumber() && now.isNumber()) {
      assertEquals(0, kept.decimalValue().compareTo(now.decimalValue()), where + ": " + now);
    } else {
      assertEquals(kept, now, where);
    }
  }
}
