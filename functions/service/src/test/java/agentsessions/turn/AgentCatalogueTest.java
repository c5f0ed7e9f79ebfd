package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.session.Agent;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgentCatalogueTest {

  @Test
  void whereNothingConfinesAgentsOnlyTrustedOnesAreOffered() {
    assertEquals(List.of("shell"), offered(List.of("shell"), "none"));
    assertEquals(List.of(), offered(List.of(), "none"));
    assertEquals(List.of("shell", "claude"), offered(List.of(), "bubblewrap"));
  }

  private static List<String> offered(List<String> trusted, String isolation) {
    return new AgentCatalogue(List.of("shell", "claude"), null, trusted, isolation, 840)
        .offered().stream().map(Agent::name).toList();
  }
}
