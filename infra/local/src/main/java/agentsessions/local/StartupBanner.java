package agentsessions.local;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/// The text that a start prints: the service's address, its agents, how to try it and how to stop
/// it. It suggests only what can work on this machine.
///
/// @param version the service's version
/// @param url the service's URL, without a path
/// @param key the key of workspace `local`
/// @param signInCode one-time code for the console
/// @param data the data folder
/// @param reach sentences about what other machines can reach
/// @param machine programs that this machine has
record StartupBanner(
    String version,
    URI url,
    String key,
    String signInCode,
    List<AgentAvailability> availability,
    SandboxSupport isolation,
    Path data,
    List<String> reach,
    Machine machine) {
  private static final String SHELL = "shell";

  /// The programs of this machine on which the suggestions depend.
  ///
  /// @param scripts the project's folder `scripts`
  /// @param hasBubblewrap whether bubblewrap's command is installed
  /// @param hasJq whether `jq`, which reads JSON in shells, is installed
  /// @param hasGit whether `git` is installed, without which sessions cannot have repositories
  record Machine(Path scripts, boolean hasBubblewrap, boolean hasJq, boolean hasGit) {}

  /// The full text, with the key, a sign-in link, and commands to paste if they would work here.
  String text() {
    String console = "Console: " + ConsoleKeys.link(url, signInCode);
    return String.join("\n", lines("API key: " + key, console)) + "\n" + session();
  }

  /// The text without key and link, so that it can go to a log.
  String quiet() {
    String key = "API key: in " + data.resolve(LocalService.KEY_FILE);
    return String.join("\n", lines(key)) + "\n";
  }

  private List<String> lines(String... credentials) {
    List<String> lines = new ArrayList<>();
    lines.add("Agent Sessions " + version);
    lines.add("Base URL: " + url + "/rest/v1");
    lines.addAll(reach);
    lines.addAll(List.of(credentials));
    lines.add("Workspace: " + LocalService.WORKSPACE + " (keys of others: scripts/keys)");
    lines.add("Agents: " + offered());
    availability.stream()
        .filter(AgentAvailability.Missing.class::isInstance)
        .map(AgentAvailability.Missing.class::cast)
        .forEach(each -> lines.add("Not offered: " + each.name() + ", " + each.obstacle()));
    lines.add("Isolation: " + isolated());
    lines.add("Memory of a turn: bounded by " + isolation.memory());
    if (!machine.hasGit()) {
      lines.add(
          "Repositories: none. git is missing: apt install git (or dnf, zypper, pacman), and start again.");
    }
    lines.add("Documentation: " + url + "/docs");
    lines.add("Data: " + data);
    lines.add("Stop it with Ctrl-C. Talk to it: scripts/chat" + dataOption());
    return lines;
  }

  private String offered() {
    String names =
        availability.stream()
            .filter(AgentAvailability.Offered.class::isInstance)
            .map(AgentAvailability.Offered.class::cast)
            .map(StartupBanner::offered)
            .collect(Collectors.joining(", "));
    return names.isEmpty() ? "none" : names;
  }

  private static String offered(AgentAvailability.Offered agent) {
    return agent.unset().isEmpty()
        ? agent.name()
        : agent.name() + " (will fail: " + String.join(", ", agent.unset()) + " not set)";
  }

  private String isolated() {
    if (isolation.isSandbox()) {
      return isolation.name();
    }
    String remedy =
        machine.hasBubblewrap()
            ? isolation.reason().replaceFirst("[.]+$", "") + "."
            : "bubblewrap is missing: apt install bubblewrap (or dnf, zypper, pacman), and start again.";
    return "none. "
        + remedy
        + (AgentAvailability.offeredNames(availability).isEmpty()
            ? " Or let an agent run without: scripts/start --trust " + SHELL
            : " The agents above can read and change all that you can.");
  }

  private String dataOption() {
    return data.equals(Main.usualFolder()) ? "" : " --data " + quoted(data);
  }

  /// Agent `shell` needs neither a model's key nor a network, so it works on any machine.
  private String session() {
    if (!AgentAvailability.offeredNames(availability).contains(SHELL)) {
      return "";
    }
    return "\nTo try it, paste this into another terminal:\n\n"
        + resource(machine.hasJq() ? "curl-session.txt" : "chat-session.txt")
            .replace("{{base_url}}", url.toString())
            .replace("{{key}}", key)
            .replace("{{chat}}", quoted(machine.scripts().resolve("chat")));
  }

  /// The path quoted as one word of a shell.
  private static String quoted(Path path) {
    String text = path.toString();
    return text.matches("[A-Za-z0-9/._-]+") ? text : "'" + text.replace("'", "'\\''") + "'";
  }

  private static String resource(String name) {
    try (InputStream text = StartupBanner.class.getResourceAsStream(name)) {
      return text == null ? "" : new String(text.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }
}
