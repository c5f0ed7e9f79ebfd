package agentsessions.runner.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What waits until no call waits for a person.
class ModelPauseTest {
  private final ModelPause pause = new ModelPause();
  private final BlockingQueue<String> run = new LinkedBlockingQueue<>();

  @Test
  void whatWaitsRunsOnceWhenTheLastCallIsDecided() throws Exception {
    pause.after(() -> run.add("at once"));
    assertEquals("at once", run.poll());
    pause.begin();
    pause.begin();
    pause.after(() -> run.add("later"));
    pause.end();
    pause.after(() -> run.add("not yet"));
    pause.after(() -> {
      throw new IllegalStateException("of a test");
    });
    assertEquals(0, run.size());
    pause.end();
    assertEquals(List.of("later", "not yet"), Stream.of(run.take(), run.take()).sorted().toList());
    pause.begin();
    pause.end();
    assertEquals(0, run.size());
  }
}
