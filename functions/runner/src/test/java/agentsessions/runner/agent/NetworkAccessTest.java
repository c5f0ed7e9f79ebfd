package agentsessions.runner.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What an entry's `network` allows.
class NetworkAccessTest {
  @ParameterizedTest
  @CsvSource({
    "example.com, example.com, 443, true",
    "example.com, EXAMPLE.com., 443, true",
    "example.com, example.com, 80, false",
    "example.com:8443, example.com, 8443, true",
    "example.com:8443, example.com, 443, false",
    "example.com, www.example.com, 443, false",
    "example.com, badexample.com, 443, false",
    "*.example.com, www.example.com, 443, true",
    "*.example.com, a.b.example.com, 443, true",
    "*.example.com, example.com, 443, false",
    "*.example.com, badexample.com, 443, false",
    "*.example.com:8443, www.example.com, 8443, true",
    "*.example.com, www.example.com.evil.org, 443, false",
  })
  void ruleAllowsWhatItSays(String rule, String host, int port, boolean allowed) {
    assertEquals(allowed, HostRule.of(rule).allows(host, port));
  }

  @Test
  void networkIsAWordOrAnObject() throws JsonProcessingException {
    assertEquals(NetworkAccess.NONE, network("\"none\""));
    assertTrue(network("\"model\"").model());
    assertTrue(network("\"host\"").unrestricted());
    assertEquals(
        new NetworkAccess(false, true, List.of(HostRule.of("*.example.com"), HostRule.of("b:1"))),
        network("{\"model\": true, \"hosts\": [\"*.example.com\", \"b:1\"]}"));
    assertFalse(network("{\"hosts\": [\"b\"]}").model());
  }

  private static NetworkAccess network(String said) throws JsonProcessingException {
    return Json.MAPPER.readValue(said, NetworkAccess.class);
  }
}
