package agentsessions.runner.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.Bench;
import agentsessions.runner.capture.Digest;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// A large file of a message, where the object store is on this machine.
@Isolated("what this process writes is counted")
class LargeInputFileTest {
  private static final String UNAVAILABLE =
      "The file up could not be written: it could not be fetched.";

  @TempDir Path folder;

  @Test
  void itIsWrittenOnceAndNotSent() throws IOException {
    byte[] content = new byte[32 << 20];
    new Random(7).nextBytes(content);
    String sha256 = Digest.of(new ByteArrayInputStream(content));
    try (Bench bench = Bench.besideObjects(folder)) {
      bench.work = Bench.nothing();
      Files.write(bench.service.object("upload"), content);
      uploaded(bench, content.length, sha256);
      long before = written();
      JsonNode result = bench.run("sha256sum <up; stat -c '%a %U' up; ls -A");
      long during = written() - before;
      assertEquals(sha256 + "  -\n644 agent\nup", result.get("reply").textValue());
      assertTrue(during < content.length * 5L / 4, during + " bytes were written");
      assertEquals(0, bench.service.calls("download"));
      uploaded(bench, content.length, "0".repeat(64));
      assertEquals(UNAVAILABLE, failure(bench));
      uploaded(bench, content.length, sha256);
      bench.service.objectsAnswer(403);
      assertEquals(UNAVAILABLE, failure(bench));
    }
  }

  private static void uploaded(Bench bench, int size, String sha256) {
    ObjectNode file = bench.work.putArray("files").addObject();
    file.put("path", "up").putNull("content_base64").put("url", bench.service.link("upload"));
    file.put("size", size).put("sha256", sha256);
  }

  private static String failure(Bench bench) throws IOException {
    return bench.run("true").at("/error/message").textValue();
  }

  /// The bytes that this process and those that it has awaited have written, also to sockets.
  private static long written() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/io")).stream()
        .filter(line -> line.startsWith("wchar: "))
        .mapToLong(line -> Long.parseLong(line.substring("wchar: ".length())))
        .sum();
  }
}
