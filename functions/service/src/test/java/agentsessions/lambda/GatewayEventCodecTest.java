package agentsessions.lambda;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GatewayEventCodecTest {

  @ParameterizedTest
  @CsvSource({
    "/rest/v1/sessions, /rest/v1/sessions, /rest/v1/sessions",
    "/agents/rest/v1/sessions, /rest/v1/sessions, /rest/v1/sessions",
    "/a/b/rest/v1/sessions/x, /rest/v1/sessions/{session_id}, /rest/v1/sessions/x",
    "/agents/runner/v1/claim, /runner/v1/claim, /runner/v1/claim",
    "/agents/else, /{proxy+}, /agents/else"
  })
  void aDomainsOwnPathIsNotOurs(String path, String resource, String routed) throws IOException {
    String event =
        "{\"path\":\"%s\",\"resource\":\"%s\",\"httpMethod\":\"GET\"}".formatted(path, resource);
    assertEquals(
        routed,
        new GatewayEventCodec()
            .read(new ByteArrayInputStream(event.getBytes(StandardCharsets.UTF_8)))
            .getPath());
  }
}
