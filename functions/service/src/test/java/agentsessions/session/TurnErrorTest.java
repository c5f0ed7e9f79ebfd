package agentsessions.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The text for a client that only polls for a reply, where there is none.
class TurnErrorTest {

  @Test
  void aLostRunnerIsWorthAnotherTry() {
    assertEquals(
        "This turn failed: The process that ran the agent was lost before it could answer. You can"
            + " send the message again.",
        TurnError.runnerLost().sentence(TurnStatus.FAILED));
  }

  @Test
  void aTurnThatTookTooLongSaysSo() {
    assertEquals(
        "This turn timed out: The agent did not finish within its time limit. Sending the same"
            + " message again will not help.",
        TurnError.timeLimit().sentence(TurnStatus.TIMED_OUT));
  }

  @Test
  void anAgentThatIsGoneIsNotWorthAnotherTry() {
    assertEquals(
        "This turn failed: The agent \"x\" is no longer offered here. Sending the same message"
            + " again will not help.",
        TurnError.agentNotAvailable("x").sentence(TurnStatus.FAILED));
  }

  @Test
  void aSentenceEndsOnce() {
    for (String message : List.of("Why", "Why.", "Why. ", "Why\n")) {
      assertEquals(
          "This turn failed: Why. You can send the message again.",
          new TurnError("X", message, true).sentence(TurnStatus.FAILED));
    }
    assertEquals(
        "This turn failed: Why? You can send the message again.",
        new TurnError("X", "Why?", true).sentence(TurnStatus.FAILED));
  }

  @Test
  void onlyTurnsThatEndByThemselvesSpeak() {
    assertEquals(
        List.of(TurnStatus.COMPLETED, TurnStatus.FAILED, TurnStatus.TIMED_OUT),
        Arrays.stream(TurnStatus.values()).filter(TurnStatus::spoke).toList());
    assertEquals(
        List.of(TurnStatus.QUEUED, TurnStatus.RUNNING, TurnStatus.PARKED),
        Arrays.stream(TurnStatus.values()).filter(TurnStatus::live).toList());
  }
}
