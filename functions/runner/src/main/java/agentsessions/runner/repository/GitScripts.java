package agentsessions.runner.repository;

import static java.util.Objects.requireNonNull;

import agentsessions.runner.agent.NetworkAccess;
import agentsessions.runner.network.connection.PortForward;
import agentsessions.runner.network.git.GitProxy;
import agentsessions.runner.network.git.GitRemote;
import agentsessions.runner.sandbox.AgentProcess.Ending;
import agentsessions.runner.sandbox.SandboxCommand;
import agentsessions.runner.sandbox.SandboxCommand.Workspace;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The git scripts of this room, run in a session's sandbox. Only the settings made here count: not
/// the machine's, not the user's, and not the repository's as far as git lets them be overridden.
///
/// @param io the path of the turn's own folder inside the sandbox
/// @param network the network access of the scripts, where the proxy is on loopback
record GitScripts(ScriptRunner scripts, String io, GitProxy proxy, NetworkAccess network) {
  private static final List<String> SETTINGS =
      List.of(
          "safe.directory=*",
          "core.hooksPath=/dev/null",
          "core.commitGraph=false",
          "core.fsmonitor=false",
          "core.untrackedCache=false",
          "gc.auto=0",
          "maintenance.auto=false",
          "pack.useBitmaps=false",
          "submodule.recurse=false",
          "credential.helper=",
          "http.emptyAuth=false",
          "advice.detachedHead=false",
          "advice.graftFileDeprecated=false");

  private static final Map<String, String> ENVIRONMENT =
      Map.ofEntries(
          Map.entry("LC_ALL", "C.UTF-8"),
          Map.entry("GIT_CONFIG_NOSYSTEM", "1"),
          Map.entry("GIT_CONFIG_GLOBAL", "/dev/null"),
          Map.entry("GIT_ATTR_NOSYSTEM", "1"),
          Map.entry("GIT_TERMINAL_PROMPT", "0"),
          Map.entry("GIT_ASKPASS", "/bin/false"),
          Map.entry("GIT_ALLOW_PROTOCOL", "http"),
          // Else git fetches a missing object from wherever the repository's own settings say, and
          // runs the programs that they name for it.
          Map.entry("GIT_NO_LAZY_FETCH", "1"),
          Map.entry("GIT_LITERAL_PATHSPECS", "1"),
          Map.entry("GIT_NO_REPLACE_OBJECTS", "1"),
          Map.entry("GIT_OPTIONAL_LOCKS", "0"));

  /// Git itself asks no remote, and so no helper of one.
  private static final Map<String, String> NO_NETWORK = Map.of("GIT_ALLOW_PROTOCOL", "none");

  /// Runs a script that connects to the hosts of the session's repositories.
  Answer remote(
      String script,
      List<String> arguments,
      Workspace workspace,
      Map<String, String> more,
      Duration time)
      throws IOException, InterruptedException {
    return run(script, arguments, workspace, more, proxy.portForward().stream().toList(), time);
  }

  /// Runs a script without a network, where there is a sandbox, which only reads the workspace.
  Answer local(String script, List<String> arguments, Duration time)
      throws IOException, InterruptedException {
    return run(script, arguments, Workspace.READ, NO_NETWORK, List.of(), time);
  }

  private Answer run(
      String script,
      List<String> arguments,
      Workspace workspace,
      Map<String, String> more,
      List<PortForward> portForwards,
      Duration time)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of("bash", "-c", text(script), script));
    words.addAll(arguments);
    Map<String, String> environment = new LinkedHashMap<>(ENVIRONMENT);
    environment.put("HOME", io);
    environment.put("IO", io);
    environment.putAll(more);
    environment.putAll(settings(proxy, SETTINGS));
    List<String> printed = new ArrayList<>();
    // Discards the reasons that belong to an earlier command.
    proxy.takeCuts();
    ScriptRunner.Outcome outcome =
        scripts.run(
            new SandboxCommand(words, network, portForwards, "").with(workspace),
            environment,
            time,
            line -> printed.add(new String(line, StandardCharsets.UTF_8)));
    return new Answer(outcome, List.copyOf(printed), time, proxy.takeCuts());
  }

  /// Git settings as environment variables, which override a repository's own; with a URL rewrite
  /// to the proxy's real address, where it differs from the one that clones use.
  static Map<String, String> settings(GitProxy proxy, List<String> settings) {
    List<String> all =
        Stream.concat(
                settings.stream(),
                proxy.loopbackUrl().stream()
                    .map(place -> "url.%s/.insteadOf=%s/".formatted(place, GitProxy.sandboxUrl())))
            .toList();
    Map<String, String> variables = new LinkedHashMap<>();
    for (String setting : all) {
      int number = variables.size() / 2;
      int end = setting.lastIndexOf('=');
      variables.put("GIT_CONFIG_KEY_" + number, setting.substring(0, end));
      variables.put("GIT_CONFIG_VALUE_" + number, setting.substring(end + 1));
    }
    variables.put("GIT_CONFIG_COUNT", String.valueOf(all.size()));
    return variables;
  }

  /// The error message of a script, with the proxy's URL replaced by the one that the client knows.
  String failure(Answer answer, GitRemote remote) {
    URI url = remote.url();
    String known = "%s://%s/".formatted(url.getScheme(), url.getRawAuthority());
    String below = "/" + remote.number() + "/";
    return answer
        .failure()
        .replace(proxy.loopbackUrl().orElse(GitProxy.sandboxUrl()) + below, known)
        .replace(GitProxy.sandboxUrl() + below, known);
  }

  /// The output of a script: `name=value` on each line.
  ///
  /// @param time the time limit that it had
  /// @param cuts reasons why the proxy cut its connections
  record Answer(
      ScriptRunner.Outcome outcome, List<String> printed, Duration time, List<String> cuts) {
    private static final int LINES = 4;

    /// The signal of the kernel for a file beyond the size limit.
    private static final int SIGXFSZ = 25;

    private static final String UNPACKER_DIED = "fatal: fetch-pack: invalid index-pack output";
    private static final List<String> TOO_LARGE =
        List.of("File size limit exceeded", "File too large", "died of signal " + SIGXFSZ);

    /// The last value with a name; empty if there is none.
    String value(String name) {
      List<String> all = values(name);
      return all.isEmpty() ? "" : all.getLast();
    }

    List<String> values(String name) {
      return printed.stream()
          .filter(line -> line.startsWith(name + "="))
          .map(line -> line.substring(name.length() + 1))
          .toList();
    }

    /// The error message: the last lines on git's standard error, if the script came to that.
    String failure() {
      return switch (outcome.ending()) {
        case TIME_LIMIT ->
            withCuts("it took longer than the %d seconds it had.".formatted(time.toSeconds()));
        case MEMORY -> "it needed more memory than a turn may have.";
        default ->
            withCuts(
                lastLines()
                    .orElse(
                        "it ended without a word, with status %d.".formatted(outcome.status())));
      };
    }

    /// Whether a file grew beyond the size limit. If that ends git's unpacker, git only reports
    /// that the unpacker's output is missing.
    boolean isFileTooLarge() {
      String err = outcome.err();
      return outcome.ending() == Ending.EXIT
          && (outcome.status() == 128 + SIGXFSZ
              || TOO_LARGE.stream().anyMatch(err::contains)
              || (cuts.isEmpty() && err.strip().equals(UNPACKER_DIED)));
    }

    private String withCuts(String text) {
      return Stream.concat(
              Stream.of(text), cuts.stream().filter(sentence -> !text.contains(sentence)))
          .collect(Collectors.joining("\n"));
    }

    private Optional<String> lastLines() {
      List<String> lines = outcome.err().lines().filter(line -> !line.isBlank()).toList();
      String last =
          String.join("\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
      return Optional.of(last).filter(text -> !text.isEmpty());
    }
  }

  private static String text(String script) throws IOException {
    try (InputStream file = requireNonNull(GitScripts.class.getResourceAsStream(script))) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
