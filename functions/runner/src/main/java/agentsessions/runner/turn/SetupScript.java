package agentsessions.runner.turn;

import agentsessions.rule.TurnErrorCode;
import agentsessions.runner.agent.LiveOutput;
import agentsessions.runner.agent.Mask;
import agentsessions.runner.agent.TurnFailed;
import agentsessions.runner.agent.Utf8;
import agentsessions.runner.capture.Digest;
import agentsessions.runner.repository.ScriptRunner;
import agentsessions.runner.sandbox.SandboxCommand;
import agentsessions.runner.sandbox.SessionFolder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// A session's setup script: runs once in its sandbox, before the agent, with the agent's
/// environment and network except the model. Its output goes to the transcript. A record that it
/// succeeded is kept beside the session's folders, where no agent can see or change it.
///
/// @param mask hides secrets in its output
record SetupScript(String text, SessionFolder folder, EventFeed feed, Mask mask) {
  /// The most time that a script gets.
  static final Duration MOST = Duration.ofMinutes(10);

  private static final int LINES = 20;
  private static final int REASON = 2000;

  /// The script comes from a file, since other processes can read a command line; its own standard
  /// input is empty.
  static final List<String> WORDS =
      List.of(
          "bash",
          "-c",
          "file=$(mktemp) && cat >\"$file\" && bash \"$file\" </dev/null 2>&1; status=$?;"
              + " rm -f -- \"$file\"; exit $status",
          "setup");

  /// Whether this same script has succeeded in this sandbox.
  boolean isDone() throws IOException {
    return Files.exists(folder.setUp()) && Files.readString(folder.setUp()).equals(name());
  }

  /// Runs the script.
  ///
  /// @param nanosLeft the time that it has left
  /// @throws TurnFailed with its last lines, if it fails
  void run(
      ScriptRunner scripts,
      SandboxCommand command,
      Map<String, String> environment,
      LongSupplier nanosLeft)
      throws TurnFailed, IOException, InterruptedException {
    Path script = Files.writeString(folder.incoming(), text);
    Deque<String> last = new ArrayDeque<>();
    try (LiveOutput live = new LiveOutput(feed, mask)) {
      ScriptRunner.Outcome outcome =
          scripts.run(
              command,
              environment,
              script,
              nanosLeft,
              line -> {
                live.accept(line);
                keep(last, line);
              });
      live.flush();
      if (!outcome.isDone()) {
        throw failed(outcome, String.join("\n", last));
      }
    } finally {
      Files.deleteIfExists(script);
    }
    Files.writeString(folder.setUp(), name());
  }

  private void keep(Deque<String> last, byte[] line) {
    String output = Utf8.plain(mask.text(new String(line, StandardCharsets.UTF_8)));
    last.add(output.substring(Math.max(0, output.length() - REASON)));
    if (last.size() > LINES) {
      last.remove();
    }
  }

  private static TurnFailed failed(ScriptRunner.Outcome outcome, String last) {
    String end = last.substring(Math.max(0, last.length() - REASON)).strip();
    return new TurnFailed(
        TurnErrorCode.SETUP_FAILED,
        "The setup script %s.%s".formatted(why(outcome), end.isEmpty() ? "" : "\n" + end));
  }

  private static String why(ScriptRunner.Outcome outcome) {
    return switch (outcome.ending()) {
      case EXIT -> "ended with status " + outcome.status();
      case TIME_LIMIT -> "took longer than it may";
      case OUTPUT_LIMIT -> "printed more than it may";
      case MEMORY -> "used more memory than it may";
      case DISK_QUOTA, INODE_QUOTA, DISK_FULL -> "wrote more to the disk than it may";
      case NOT_LIVE, MODEL_LIMIT, UNAPPROVED_CALL, REQUEST_EXPIRED -> "was stopped";
    };
  }

  private String name() throws IOException {
    return Digest.of(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }
}
