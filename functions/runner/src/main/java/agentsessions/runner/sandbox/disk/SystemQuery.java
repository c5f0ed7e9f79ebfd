package agentsessions.runner.sandbox.disk;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// A query by a command of the system, such as `du`, for facts that the JDK does not offer.
record SystemQuery(List<String> words) {
  private static final String TIMEOUT_SECONDS = "60";

  /// The lines of its output within a minute; its standard error is discarded.
  ///
  /// @throws IOException if it cannot be started or read
  List<String> answer() throws IOException {
    List<String> line = new ArrayList<>(List.of("timeout", TIMEOUT_SECONDS));
    line.addAll(words);
    ProcessBuilder builder = new ProcessBuilder(line);
    builder.environment().keySet().retainAll(List.of("PATH"));
    Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      return lines.lines().toList();
    } catch (UncheckedIOException unread) {
      throw new IOException(words.getFirst() + ": " + unread.getMessage(), unread);
    }
  }
}
