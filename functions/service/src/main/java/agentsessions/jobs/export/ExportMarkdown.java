package agentsessions.jobs.export;

import agentsessions.api.request.CommonJson;
import agentsessions.api.sessions.ThreadBody;
import agentsessions.session.Message;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.id.TurnId;
import agentsessions.session.input.BroughtFile;
import agentsessions.store.session.Turns;
import java.io.IOException;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A conversation as one page of Markdown: a heading for each turn, and its messages below.
final class ExportMarkdown {
  private static final Pattern FENCE = Pattern.compile("`{3,}");

  private final Turns turns;
  private final Page page;
  private @Nullable TurnId turn;

  /// The receiver of the text, piece by piece.
  @FunctionalInterface
  interface Page {
    void put(String text) throws IOException;
  }

  ExportMarkdown(Turns turns, Page page) {
    this.turns = turns;
    this.page = page;
  }

  void head(Session session) throws IOException {
    String title =
        session.title() == null ? "A session with " + session.agentName() : session.title();
    page.put("# %s\n\n".formatted(line(title)));
    page.put("- Session: `%s`\n".formatted(session.id()));
    page.put("- Agent: `%s`\n".formatted(session.agentName()));
    page.put("- Created: %s\n".formatted(CommonJson.time(session.createdAt().instant())));
    page.put("- Changed: %s\n".formatted(CommonJson.time(session.updatedAt().instant())));
  }

  void message(Message message, String text) throws IOException {
    if (!message.turnId().equals(turn)) {
      turn = message.turnId();
      page.put(turns.load(message.turn()).map(ExportMarkdown::heading).orElse(""));
    }
    page.put(
        "\n**%s** · %s\n\n"
            .formatted(speaker(message), CommonJson.time(message.stamp().instant())));
    page.put(said(message, text) + "\n");
    for (BroughtFile file : message.files()) {
      page.put("\n- File: `%s`, %d bytes\n".formatted(line(file.path()), file.size()));
    }
  }

  private static String line(String text) {
    return text.replaceAll("\\s+", " ");
  }

  private static String heading(Turn turn) {
    return "\n## Turn %d: %s\n".formatted(turn.number(), ThreadBody.status(turn).replace('_', ' '));
  }

  private static String speaker(Message message) {
    return switch (message.kind()) {
      case USER -> "User";
      case PROGRESS -> "Agent";
      case FINAL -> "Reply";
      case TOOL_CALL -> "Tool call";
    };
  }

  private static String said(Message message, String text) {
    return switch (message.kind()) {
      case USER, PROGRESS, FINAL -> text;
      case TOOL_CALL -> fenced(text);
    };
  }

  /// The text in a fence that is longer than any fence within it.
  private static String fenced(String text) {
    int longest =
        FENCE
            .matcher(text)
            .results()
            .map(MatchResult::group)
            .mapToInt(String::length)
            .max()
            .orElse(2);
    String fence = "`".repeat(longest + 1);
    return "%sjson\n%s\n%s".formatted(fence, text, fence);
  }
}
