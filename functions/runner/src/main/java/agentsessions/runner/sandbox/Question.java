package agentsessions.runner.sandbox;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// A command of the system that knows what the JDK does not, such as `du`.
public record Question(List<String> words) {
  private static final String PATIENCE_SECONDS = "60";

  /// The lines that it prints in the time it has; what it complains of nobody reads.
  ///
  /// @throws IOException if it cannot be asked
  public List<String> answer() throws IOException {
    List<String> line = new ArrayList<>(List.of("timeout", PATIENCE_SECONDS));
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
