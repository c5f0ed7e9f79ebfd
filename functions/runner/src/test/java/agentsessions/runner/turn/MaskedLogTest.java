package agentsessions.runner.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.runner.agent.Mask;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The log of a running turn does not contain its secrets.
class MaskedLogTest {
  @Test
  void linesAreMaskedAsLongAsATurnRuns() {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    try (PrintStream log = new PrintStream(new MaskedLog(written), true, StandardCharsets.UTF_8)) {
      try (MaskedLog.Hold _ = MaskedLog.of(Mask.of(List.of("s3cret-of-a-log", "other-värde")))) {
        log.print("file s3cr");
        log.println("et-of-a-log of other-värde");
      }
      log.print("s3cret-of-a-log");
    }
    assertEquals("file *** of ***\ns3cret-of-a-log", written.toString(StandardCharsets.UTF_8));
  }
}
