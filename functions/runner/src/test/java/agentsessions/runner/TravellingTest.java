package agentsessions.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A runner on Lambda: sessions come and go as objects, and an environment is one session's.
class TravellingTest {
  @TempDir Path folder;
  private Bench bench;

  @BeforeEach
  void open() throws IOException {
    bench = Bench.travelling(folder);
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void nothingOfATurnStays() throws IOException {
    assertEquals("kept", bench.run("echo kept | tee file").get("reply").textValue());
    assertEquals(1, bench.service.calls("snapshot"));
    assertFalse(Files.exists(bench.work("file")));
  }

  @Test
  void anEnvironmentLeavesOtherSessionsUnclaimed() throws IOException {
    bench.run("echo one");
    Invocation next = bench.offer("echo two");
    String another = UUID.randomUUID().toString();
    Invocation others = new Invocation(next.ticket(), next.url(), next.attempt(), another);
    assertThrows(OtherSession.class, () -> bench.run(others));
    assertEquals(0, bench.service.calls("claim"));
    assertEquals("two", bench.run(next).get("reply").textValue());
  }
}
