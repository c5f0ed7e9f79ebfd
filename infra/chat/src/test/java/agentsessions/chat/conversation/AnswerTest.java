package agentsessions.chat.conversation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Tests of what is taken for a decision, and above all of what is not.
class AnswerTest {
  @Test
  void aLetterOrItsWordDecidesAndOnlyADenialHasANote() {
    assertEquals(Optional.of(new Answer("allow", null)), Answer.of(" a "));
    assertEquals(Optional.of(new Answer("allow_session", null)), Answer.of("Session"));
    assertEquals(Optional.of(new Answer("deny", null)), Answer.of("d"));
    assertEquals(
        Optional.of(new Answer("deny", "not on  a Friday")), Answer.of("d not on  a Friday"));
  }

  @Test
  void aPlanIsApprovedOrSentBackAndNeverAllowedForTheSession() {
    assertEquals("Approved.", Answer.ofPlan("approve").orElseThrow().said(true));
    assertEquals("Sent back.", Answer.ofPlan("d use Go").orElseThrow().said(true));
    assertEquals("Denied.", Answer.ofPlan("deny").orElseThrow().said(true));
    assertEquals(Optional.empty(), Answer.ofPlan("s"));
  }

  @Test
  void noMessageIsTakenForConsent() {
    Stream.of("a test", "allow it", "s please", "y", "yes", "ad", "all", "")
        .forEach(line -> assertEquals(Optional.empty(), Answer.of(line), line));
  }
}
