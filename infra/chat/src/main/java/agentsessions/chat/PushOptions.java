package agentsessions.chat;

import agentsessions.chat.api.ChatFailure;
import agentsessions.chat.api.Push;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/// The command-line options for pushing the first repository's changes.
final class PushOptions {
  @Option(
      names = "--push",
      arity = "0..1",
      fallbackValue = "",
      paramLabel = "BRANCH",
      preprocessor = OnlyAttached.class,
      description =
          "After each completed turn the first repository's changes are pushed, to a branch of the"
              + " session's own or this one.")
  private @Nullable String branch;

  @Option(
      names = "--pull-request",
      arity = "0..1",
      fallbackValue = "",
      paramLabel = "TITLE",
      preprocessor = OnlyAttached.class,
      description =
          "They are pushed, and a pull request is asked for, with this title or the message's first"
              + " line.")
  private @Nullable String title;

  @Option(
      names = "--provider",
      paramLabel = "NAME",
      description =
          "How to ask for it where the host's name does not tell: as github, gitlab or gitea.")
  private @Nullable String provider;

  /// The names of the options that were given.
  List<String> names() {
    Map<String, Boolean> given = new LinkedHashMap<>();
    given.put("--push", branch != null);
    given.put("--pull-request", title != null);
    given.put("--provider", provider != null);
    return given.keySet().stream().filter(given::get).toList();
  }

  /// The push that the options ask for; null without one.
  ///
  /// @throws ChatFailure for contradictory options
  @Nullable Push read() {
    if (provider != null && title == null) {
      throw new ChatFailure("--provider is for a pull request: --pull-request");
    }
    return names().isEmpty() ? null : new Push(branch, title, provider);
  }

  /// A preprocessor that takes an option's value only after `=`, as in `--push=BRANCH`; a word
  /// after a bare `--push` is the message.
  static final class OnlyAttached implements IParameterPreprocessor {
    @Override
    public boolean preprocess(
        Stack<String> arguments, CommandSpec command, ArgSpec option, Map<String, Object> info) {
      if (" ".equals(info.get("separator"))) {
        arguments.push("");
      }
      return false;
    }
  }
}
