package agentsessions.client.transcript;

import agentsessions.client.api.Wire;
import agentsessions.client.api.Wire.Message;
import agentsessions.client.transcript.TurnReader.Ending;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStyle;

/// What was said, as lines for people.
///
/// Whatever the agent says is cleaned first: it must not be able to steer the terminal.
public final class TranscriptPrinter {
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

  /// Without control characters, but for line ends and tabs.
  public static String clean(String text) {
    return STEERING.matcher(text.replace("\r\n", "\n")).replaceAll("\ufffd");
  }

  /// Of a reply only what the messages before it have not shown.
  public synchronized void show(Message message) {
    switch (message.type()) {
      case "tool_call" ->
          ToolCall.line(message.message()).ifPresent(call -> line("  " + call, FAINT));
      case "final_message" -> line(shown.rest(message), style(message));
      default -> said(message);
    }
  }

  /// What the user sent.
  public void sent(String message) {
    line("you> " + message, BOLD);
  }

  /// Says how it ended, where the messages do not.
  public void ended(Ending ending) {
    switch (ending.turn().status()) {
      case "interrupted" -> note("Interrupted by a newer message.");
      case "cancelled" -> note("Interrupted.");
      default -> {}
    }
  }

  /// Says what a turn has used of its models, where it asked any.
  public void used(Wire.Turn turn) {
    Optional.ofNullable(turn.usage()).flatMap(Wire.Usage::line).ifPresent(this::note);
  }

  /// Says what became of the session's repositories, where anything did.
  public void changed(RepositoryChanges changes) {
    changes.lines().forEach(this::note);
    changes.errors().forEach(this::failure);
  }

  /// A patch as git writes it.
  void patch(String text) {
    out.accept(ColouredPatch.of(clean(text).stripTrailing()));
  }

  /// Something this client has to say.
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

  /// As it was printed, so that it and the rest of the reply are the output.
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
