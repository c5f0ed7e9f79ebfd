package agentsessions.runner.control;

import agentsessions.rule.TurnErrorCode;
import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.FailureReason;
import agentsessions.runner.agent.Json;
import agentsessions.runner.agent.ProcessOutput;
import agentsessions.runner.agent.TextRule;
import agentsessions.runner.agent.Transcript;
import agentsessions.runner.agent.Utf8;
import agentsessions.runner.network.model.ModelResponses;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.function.Supplier;

/// The reader of an ended agent's reply: finds the reply or the error in its output, by the rules
/// of its entry.
///
/// @param file the content of the reply file, if there is one
/// @param model the record of the model's failures, to explain an error of the agent
public record ReplyReader(
    AgentEntry entry,
    ProcessOutput out,
    ProcessOutput err,
    Transcript transcript,
    Supplier<Optional<String>> file,
    ModelResponses model) {
  private static final int REASON = 2000;
  private static final String SILENT = "The agent ended without a reply.";

  TurnOutcome verdict(int status) {
    Optional<String> error = Optional.ofNullable(entry.error()).flatMap(this::text);
    if (error.isPresent()) {
      return failed(TurnErrorCode.AGENT_FAILED, "The agent failed: " + reason(error.get()));
    }
    if (status != 0) {
      return exited(status);
    }
    return reply()
        .or(() -> Optional.ofNullable(entry.reply().empty()))
        .<TurnOutcome>map(TurnOutcome.Completed::new)
        .orElseGet(() -> failed(TurnErrorCode.EMPTY_REPLY, silent()));
  }

  private Optional<String> reply() {
    return text(entry.reply()).map(String::strip).filter(text -> !text.isEmpty());
  }

  private TurnOutcome failed(TurnErrorCode code, String message) {
    return new TurnOutcome.Failed(model.explain(FailureReason.of(code, message)));
  }

  private TurnOutcome exited(int status) {
    String last = reason(err.tail().isBlank() ? out.tail() : err.tail());
    return status == 1 && last.startsWith("bwrap: ")
        ? failed(TurnErrorCode.SANDBOX_FAILED, "The sandbox could not be made: " + last)
        : failed(
            TurnErrorCode.AGENT_FAILED,
            "The agent ended with status %d%s%s"
                .formatted(status, last.isEmpty() ? "." : ": " + last, printed()));
  }

  /// The output that would have been the reply, where the error message is on stderr.
  private String printed() {
    boolean isReply = entry.reply().from() == TextRule.From.STDOUT;
    return !isReply || err.tail().isBlank() || out.tail().isBlank()
        ? ""
        : "\nIt had printed: " + reason(out.tail());
  }

  /// The sentence that says why the output contains no reply.
  private String silent() {
    if (out.tail().isBlank()) {
      return SILENT;
    }
    String printed = " What it printed ended with: " + reason(out.tail());
    return switch (entry.reply().from()) {
      case JSON ->
          json().isEmpty()
              ? "The agent's reply could not be read: it is no JSON." + printed
              : "The agent's reply could not be read: its JSON has nothing at %s.%s"
                  .formatted(entry.reply().pointer(), printed);
      case JSONL -> "The agent's reply could not be read: no line of it is one." + printed;
      case STDOUT, FILE, MESSAGES -> SILENT;
    };
  }

  private Optional<String> text(TextRule rule) {
    return switch (rule.from()) {
      case STDOUT -> Optional.of(out.text());
      case FILE -> file.get();
      case JSON -> json().flatMap(rule::read);
      case JSONL -> rule.equals(entry.reply()) ? transcript.reply() : transcript.error();
      case MESSAGES -> transcript.reply();
    };
  }

  private Optional<JsonNode> json() {
    return Json.ofAgent(out.bytes());
  }

  private static String reason(String text) {
    String plain = Utf8.plain(text);
    return Utf8.clip(plain.substring(Math.max(0, plain.length() - REASON)), 4 * REASON);
  }
}
