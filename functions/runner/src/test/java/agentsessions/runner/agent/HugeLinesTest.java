package agentsessions.runner.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.runner.Bench;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Sixteen agents at once, each of which prints lines made to fill the memory of the process that
/// reads them.
class HugeLinesTest {
  private static final int AGENTS = 16;
  private static final int LINE = 8 * 1024 * 1024;

  @Test
  void aSmallHeapIsEnoughForAllOfThem() throws Exception {
    Process reader =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:+ExitOnOutOfMemoryError",
                "-cp",
                System.getProperty("java.class.path"),
                HugeLinesTest.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(AGENTS + " replies", said.strip());
    assertEquals(0, reader.waitFor());
  }

  /// Reads the lines, and prints how many agents have a reply after all.
  public static void main(String[] arguments) throws Exception {
    try (ExecutorService agents = Executors.newFixedThreadPool(AGENTS)) {
      List<Future<Boolean>> read = new ArrayList<>();
      for (int agent = 0; agent < AGENTS; agent++) {
        read.add(agents.submit(HugeLinesTest::hasReply));
      }
      int replies = 0;
      for (Future<Boolean> one : read) {
        replies += one.get() ? 1 : 0;
      }
      System.out.println(replies + " replies");
    }
  }

  private static boolean hasReply() throws IOException {
    AgentEntry entry = Json.MAPPER.treeToValue(Bench.entry("claude"), AgentEntry.class);
    Transcript transcript = new Transcript(entry, event -> {}, Mask.NONE, Optional.empty());
    new ProcessOutput(0, transcript::line, Mask.NONE).drain(lines(), Long.MAX_VALUE, () -> {});
    return transcript.reply().isPresent();
  }

  private static InputStream lines() {
    Stream<InputStream> lines =
        Stream.of(
            repeated("{},", "[", "{}]\n"),
            repeated("[", "", "\n"),
            repeated("\"\":0,", "{", "}\n"),
            repeated("x", "{\"type\":\"", "\"}\n"),
            text("{\"type\":\"result\",\"result\":\"done\"}\n"));
    return new SequenceInputStream(Collections.enumeration(lines.toList()));
  }

  /// A line of 8 MiB that takes little room.
  private static InputStream repeated(String unit, String begin, String end) {
    byte[] block = unit.repeat(4096).getBytes(StandardCharsets.UTF_8);
    Stream<InputStream> middle =
        Stream.<InputStream>generate(() -> new ByteArrayInputStream(block))
            .limit(LINE / block.length);
    Stream<InputStream> all =
        Stream.concat(Stream.concat(Stream.of(text(begin)), middle), Stream.of(text(end)));
    return new SequenceInputStream(Collections.enumeration(all.toList()));
  }

  private static InputStream text(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}
