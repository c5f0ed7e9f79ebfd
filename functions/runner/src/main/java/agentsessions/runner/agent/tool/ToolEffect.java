package agentsessions.runner.agent.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Locale;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The effect of a tool call, as one text for a call as codex' hook tells of it and as codex'
/// output shows it: the command that it runs, the files that it patches, or that it changes the
/// plan; else the tool's name and its input.
///
/// Why: decision 041.
final class ToolEffect {
  private static final String COMMAND = "command ";
  private static final String PLAN = "update_plan";

  private static final Pattern SHELL_LINE =
      Pattern.compile("(/usr)?/bin/(ba|z)?sh -l?c (?<word>.*)", Pattern.DOTALL);

  /// A command that codex takes for a patch and shows as one, by paths from a folder that its hook
  /// is not told.
  private static final Pattern PATCH_COMMAND =
      Pattern.compile("\\s*(cd\\s[^\\n]*&&\\s*)?apply_?patch[\\s<].*", Pattern.DOTALL);

  private static final Pattern PATCHED =
      Pattern.compile(
          "(?<before>\\s*)\\*\\*\\* (?<kind>Add|Update|Delete) File: (?<path>.*)", Pattern.DOTALL);

  private ToolEffect() {}

  /// The effect of a call that the hook tells of.
  ///
  /// @param start the agent's working directory, from which paths in patches start
  /// @throws IllegalArgumentException with a sentence for the agent, if that cannot be said
  static String ofHook(AgentToolCall call, Path start) {
    String command = call.input().path("command").asText();
    return switch (call.name()) {
      case "Bash" -> command(command);
      case "apply_patch" -> patch(command, start);
      default -> other(call);
    };
  }

  /// The effect of a call in the output.
  ///
  /// @param start the agent's working directory
  /// @throws IllegalArgumentException if that cannot be said
  static String ofOutput(AgentToolCall call, Path start) {
    return switch (call.name()) {
      case "shell" -> COMMAND + commandOf(call.input().path("command").asText());
      case "apply_patch" -> changes(call.input().path("changes"), start);
      default -> other(call);
    };
  }

  /// A plan's two forms have but their number of steps in common, and it runs nothing.
  private static String other(AgentToolCall call) {
    return call.name().equals(PLAN) ? PLAN : call.name() + " " + call.canonicalInput();
  }

  private static String command(String text) {
    if (PATCH_COMMAND.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "A patch by a command is not allowed here. Call the tool apply_patch itself.");
    }
    return COMMAND + text;
  }

  private static String patch(String text, Path start) {
    TreeSet<String> files = new TreeSet<>();
    for (String line : text.split("\n", -1)) {
      Matcher file = PATCHED.matcher(line);
      if (file.matches() && !file.group("before").isEmpty()) {
        // Codex may read it as a file or as text of the file before.
        throw new IllegalArgumentException("No line of a patch may begin so: " + line);
      }
      if (file.matches()) {
        String kind = file.group("kind").toLowerCase(Locale.ROOT);
        files.add(file(kind, start.resolve(file.group("path").strip())));
      }
    }
    return String.join("\n", files);
  }

  private static String changes(JsonNode changes, Path start) {
    TreeSet<String> files = new TreeSet<>();
    changes.forEach(each ->
        files.add(file(each.path("kind").asText(), start.resolve(each.path("path").asText()))));
    return String.join("\n", files);
  }

  private static String file(String kind, Path path) {
    return "file " + kind + " " + path.normalize();
  }

  /// The command in a command line, such as `/bin/bash -lc 'echo one'`.
  private static String commandOf(String line) {
    Matcher parts = SHELL_LINE.matcher(line);
    if (!parts.matches()) {
      throw new IllegalArgumentException(line);
    }
    return unquoted(parts.group("word"));
  }

  /// The text that a shell takes one word for.
  private static String unquoted(String word) {
    StringBuilder text = new StringBuilder();
    char quote = 0;
    for (int at = 0; at < word.length(); at++) {
      char next = word.charAt(at);
      if (next == quote) {
        quote = 0;
      } else if (quote == 0 && (next == '\'' || next == '"')) {
        quote = next;
      } else if (quote == 0 && Character.isWhitespace(next)) {
        throw new IllegalArgumentException(word);
      } else if (next == '\\' && quote != '\'' && at + 1 < word.length()) {
        at++;
        text.append(word.charAt(at));
      } else {
        text.append(next);
      }
    }
    return text.toString();
  }
}
