package agentsessions.runner.protocol;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.Json;
import agentsessions.runner.agent.Output;
import agentsessions.runner.agent.TextRule;
import agentsessions.runner.agent.Transcript;
import agentsessions.runner.agent.TurnError;
import agentsessions.runner.agent.Utf8;
import agentsessions.runner.sandbox.AgentProcess;
import java.util.Optional;
import java.util.function.Supplier;

/// What a turn came to. There is a reply if and only if it was completed.
public sealed interface Verdict {
  record Completed(String reply) implements Verdict {}

  record Failed(TurnError error) implements Verdict {}

  record TimedOut(TurnError error) implements Verdict {}

  static Verdict failed(TurnError.Code code, String message) {
    return new Failed(TurnError.of(code, message));
  }

  /// The order matters: a stopped agent may have answered, a failed one may exit with 0, and an
  /// error may look like a reply.
  static Verdict of(Said said, AgentProcess.Exit exit) {
    return switch (exit.ending()) {
      case TIME_LIMIT ->
          new TimedOut(
              TurnError.of(TurnError.Code.TIME_LIMIT, "The agent took longer than it may."));
      case OUTPUT_LIMIT ->
          failed(TurnError.Code.LIMIT_EXCEEDED, "The agent printed more than it may.");
      case DISK_FULL -> failed(TurnError.Code.LIMIT_EXCEEDED, "The disk is nearly full.");
      case NOT_LIVE, EXIT -> said.verdict(exit.status());
    };
  }

  /// What an agent has said, and how its entry wants it read.
  record Said(
      AgentEntry entry,
      Output out,
      Output err,
      Transcript transcript,
      Supplier<Optional<String>> file) {
    private static final int REASON = 2000;

    Optional<String> reply() {
      return text(entry.reply()).map(String::strip).filter(text -> !text.isEmpty());
    }

    private Verdict verdict(int status) {
      Optional<String> error = Optional.ofNullable(entry.error()).flatMap(this::text);
      if (error.isPresent()) {
        return failed(TurnError.Code.AGENT_FAILED, "The agent failed: " + reason(error.get()));
      }
      if (status != 0) {
        return exited(status);
      }
      return reply()
          .<Verdict>map(Completed::new)
          .orElseGet(() -> failed(TurnError.Code.EMPTY_REPLY, "The agent ended without a reply."));
    }

    private Verdict exited(int status) {
      String last = reason(err.tail().isBlank() ? out.tail() : err.tail());
      return status == 1 && last.startsWith("bwrap: ")
          ? failed(TurnError.Code.SANDBOX_FAILED, "The sandbox could not be made: " + last)
          : failed(
              TurnError.Code.AGENT_FAILED,
              "The agent ended with status %d%s"
                  .formatted(status, last.isEmpty() ? "." : ": " + last));
    }

    private Optional<String> text(TextRule rule) {
      return switch (rule.from()) {
        case STDOUT -> Optional.of(out.text());
        case FILE -> file.get();
        case JSON -> Json.parse(out.text()).flatMap(rule::read);
        case JSONL -> rule.equals(entry.reply()) ? transcript.reply() : transcript.error();
        case MESSAGES -> transcript.reply();
      };
    }

    private static String reason(String text) {
      String plain = Utf8.plain(text);
      return Utf8.clip(plain.substring(Math.max(0, plain.length() - REASON)), 4 * REASON);
    }
  }
}
