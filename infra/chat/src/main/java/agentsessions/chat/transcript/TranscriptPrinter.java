package agentsessions.chat.transcript;

import agentsessions.chat.api.ApiModel;
import agentsessions.chat.api.ApiModel.Message;
import agentsessions.chat.api.PendingRequest;
import agentsessions.chat.transcript.TurnReader.Ending;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;
import org.jspecify.annotations.Nullable;

/// A printer of the transcript, as lines for people.
///
/// Control characters in an agent's text are replaced first, so that it cannot control the
/// terminal.
public final class TranscriptPrinter {
  /// What is not seen, or moves what is beside it; carriage returns too, since a shell reads them.
  private static final Pattern UNSEEN =
      Pattern.compile(
          "[\\p{Cc}\\p{Cf}\\u00a0\\u034f\\u115f\\u1160\\u1680\\u17b4\\u17b5\\u180b-\\u180f\\u2000-\\u200a"
              + "\\u2028\\u2029\\u202f\\u205f\\u2065\\u2800\\u3000\\u3164\\ufe00-\\ufe0f\\uffa0\\ufff0-\\ufff8"
              + "\\x{e0000}-\\x{e0fff}&&[^\n\t]]");

  private static final Pattern STEERING =
      Pattern.compile("[\\p{Cc}\u202a-\u202e\u2066-\u2069&&[^\n\t]]");
  private static final AttributedStyle FAINT = AttributedStyle.DEFAULT.faint();
  private static final AttributedStyle BOLD = AttributedStyle.BOLD;
  private static final AttributedStyle RED =
      AttributedStyle.DEFAULT.foreground(AttributedStyle.RED);

  private final Consumer<AttributedString> out;
  private final ShownOutput shown = new ShownOutput();

  public TranscriptPrinter(Consumer<AttributedString> out) {
    this.out = out;
  }

  /// A text with its control characters replaced, except line ends and tabs.
  public static String clean(String text) {
    return STEERING.matcher(text.replace("\r\n", "\n")).replaceAll("\ufffd");
  }

  /// A text that somebody decides on: each letter that is not seen stands as its number.
  static String exact(String text) {
    return UNSEEN
        .matcher(text)
        .replaceAll(
            hidden -> Matcher.quoteReplacement("\\u{%x}".formatted(hidden.group().codePointAt(0))));
  }

  /// Prints a message; of a reply only the part that earlier messages have not shown.
  public synchronized void show(Message message) {
    switch (message.type()) {
      case "tool_call" ->
          ToolCall.line(message.message()).ifPresent(call -> line("  " + call, FAINT));
      case "final_message" -> line(shown.rest(message), style(message));
      default -> said(message);
    }
  }

  /// Prints a message that the user has sent.
  public void sent(String message) {
    line("you> " + message, BOLD);
  }

  /// Prints what the agent asks, with the whole input of its call, or with the options of its
  /// questions.
  public void asked(PendingRequest request) {
    PendingRequest.@Nullable Tool tool = request.tool();
    if (!request.asked().isEmpty()) {
      request.asked().forEach(this::asked);
    } else if (request.isPlan()) {
      line("The agent asks to carry out its plan: " + request.title(), BOLD);
    } else if (tool == null) {
      line("The agent asks: " + request.title(), BOLD);
    } else if (request.isPush()) {
      line("The changes wait to be pushed:", BOLD);
      tool.input()
          .path("repositories")
          .forEach(each -> line("  " + destination(each), AttributedStyle.DEFAULT));
    } else if (tool.address().isPresent()) {
      line("The agent asks to connect to " + tool.address().get(), BOLD);
    } else {
      line("The agent asks: %s (%s)".formatted(tool.name(), tool.kind()), BOLD);
      line("  " + ToolCall.whole(tool.input()).replace("\n", "\n  "), AttributedStyle.DEFAULT);
    }
  }

  private static String destination(JsonNode push) {
    return "%s to the branch %s of %s%s"
        .formatted(
            push.path("path").asText(),
            push.path("branch").asText(),
            push.path("url").asText(),
            push.path("pull_request").asBoolean() ? ", with a pull request" : "");
  }

  private void asked(PendingRequest.Question question) {
    line("The agent asks: " + question.text(), BOLD);
    int number = 0;
    for (PendingRequest.Option option : question.options()) {
      String described =
          Optional.ofNullable(option.description())
              .filter(text -> !text.isBlank())
              .map(text -> ": " + text)
              .orElse("");
      line("%3d  %s%s".formatted(++number, option.label(), described), AttributedStyle.DEFAULT);
    }
  }

  /// Prints a plan.
  public void plan(String text) {
    line("  " + exact(text).strip().replace("\n", "\n  "), AttributedStyle.DEFAULT);
  }

  /// Prints the end of a turn, where no message shows it.
  public void ended(Ending ending) {
    switch (ending.turn().status()) {
      case "interrupted" -> note("Interrupted by a newer message.");
      case "cancelled" -> note("Interrupted.");
      default -> {}
    }
  }

  /// Prints the usage of a turn that has called a model.
  public void used(ApiModel.Turn turn) {
    Optional.ofNullable(turn.usage()).flatMap(ApiModel.Usage::line).ifPresent(this::note);
  }

  /// Prints the changes in the session's repositories, if there are any.
  public void changed(RepositoryChanges changes) {
    changes.lines().forEach(this::note);
    changes.errors().forEach(this::failure);
  }

  /// Prints a git patch.
  void patch(String text) {
    out.accept(ColouredPatch.of(exact(text).stripTrailing()));
  }

  /// Prints a remark of this client.
  public void note(String text) {
    line(text, FAINT);
  }

  public void failure(String text) {
    line("Error: " + text, RED);
  }

  private void said(Message message) {
    if (message.isFromUser()) {
      sent(message.message());
      return;
    }
    shown.add(message);
    if (ShownOutput.isLines(message)) {
      output(message.message());
    } else {
      line("  " + message.message().strip().replace("\n", "\n  "), AttributedStyle.DEFAULT);
    }
  }

  /// Prints lines of output without indentation, so that they and the rest of the reply are the
  /// exact output.
  private void output(String lines) {
    out.accept(new AttributedString(clean(lines.substring(0, lines.length() - 1))));
  }

  private static AttributedStyle style(Message message) {
    return "completed".equals(message.outcome()) ? AttributedStyle.DEFAULT : RED;
  }

  private void line(String text, AttributedStyle style) {
    out.accept(new AttributedString(clean(text).stripTrailing(), style));
  }
}
