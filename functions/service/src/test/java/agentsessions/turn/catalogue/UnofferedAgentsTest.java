package agentsessions.turn.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.session.Engine;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UnofferedAgentsTest {
  private final AgentCatalogue catalogue =
      new AgentCatalogue(List.of("shell"), null, List.of(), Offers.on(Engine.MACHINE));

  @Test
  void whatAnAgentLacksIsSaidAndElseThatItWasNotChosen() {
    UnofferedAgents absences =
        new UnofferedAgents(catalogue, "claude its command, claude, is not installed");
    assertEquals(Optional.of("its command, claude, is not installed"), absences.reason("claude"));
    assertEquals(
        Optional.of("the operator has not chosen it, or nothing here may run it"),
        absences.reason("codex"));
    assertEquals(Optional.empty(), absences.reason("shell"));
    assertEquals(Optional.empty(), absences.reason("nobody"));
  }

  @Test
  void allThatAreAbsentAreTold() {
    Map<String, String> reasons = new UnofferedAgents(catalogue, "claude is asleep").reasons();
    assertEquals("is asleep", reasons.get("claude"));
    assertTrue(reasons.containsKey("codex"), reasons::toString);
    assertFalse(reasons.containsKey("shell"), reasons::toString);
  }
}
