package agentsessions.runner.turn;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.CatalogueTemplate;
import agentsessions.runner.agent.TurnFailed;
import agentsessions.runner.agent.tool.PlanMode;
import agentsessions.runner.agent.tool.ToolGateEntry;
import agentsessions.runner.control.Claim;
import agentsessions.runner.network.tool.ToolGate;
import agentsessions.runner.sandbox.AgentFolders;
import agentsessions.runner.sandbox.ClientVariables;
import agentsessions.runner.sandbox.Sandbox;
import agentsessions.wire.Work;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The environment variables of one turn's agent, and its command and seed files with their
/// templates filled in.
///
/// @param proxies the proxies of the sandbox
/// @param settles whether the agent is only to hear that calls which it keeps do not run
/// @param own the runner's environment, whose variables entries may name
record AgentEnvironment(
    Claim claim,
    Sandbox sandbox,
    SandboxProxies proxies,
    boolean settles,
    Map<String, String> own) {

  /// Defaults, which the entry and the client may override.
  private static final Map<String, String> USUAL =
      Map.of(
          "LANG", "C.UTF-8",
          "TERM", "dumb",
          "NO_COLOR", "1",
          "CI", "1",
          "TMPDIR", "/tmp");

  /// The defaults, then the entry's variables, then the documented ones of the service, which an
  /// entry cannot change.
  Map<String, String> variables() throws TurnFailed {
    Map<String, String> variables = new LinkedHashMap<>(USUAL);
    variables.putAll(standardVariables());
    proxies.hosts().ifPresent(proxy -> variables.putAll(proxy.variables()));
    Map<String, String> known = new HashMap<>(own);
    known.putAll(ours());
    for (Map.Entry<String, String> named : named().entrySet()) {
      String value = new CatalogueTemplate(named.getValue()).fill(known);
      if (!value.isEmpty()) {
        variables.put(named.getKey(), value);
      }
    }
    variables.putAll(ours());
    return variables;
  }

  /// The entry's variables; where its tools are judged, with those of its gate.
  private Map<String, String> named() {
    Map<String, String> named = new LinkedHashMap<>(claim.agent().environment());
    gate().ifPresent(entry -> named.putAll(entry.environment()));
    return named;
  }

  /// The files of the entry's gate, by path in the sandbox; none where its tools are not judged.
  Map<String, String> gateFiles() throws TurnFailed {
    Map<String, String> files = new LinkedHashMap<>();
    Map<String, String> ours = ours();
    ours.putAll(standardVariables());
    if (gate().isPresent()) {
      files.putAll(ToolGate.program());
      for (Map.Entry<String, String> file : gate().get().files(isAnswered()).entrySet()) {
        String path = file.getKey().replaceFirst("^~", sandbox.folders().home());
        files.put(path, new CatalogueTemplate(file.getValue()).fill(ours));
      }
    }
    return files;
  }

  private Optional<ToolGateEntry> gate() {
    return proxies.gate().map(_ -> claim.agent().gate());
  }

  /// What an agent keeps may be a question, for which it has to have the tool.
  private boolean isAnswered() {
    return settles || claim.permissions().filter(Work.Permissions::questions).isPresent();
  }

  /// The client's variables and secrets. They may override a default, but no variable of the
  /// service or the entry.
  ClientVariables clientVariables() throws TurnFailed {
    Map<String, String> variables = new LinkedHashMap<>();
    if (claim.turn().work() != null) {
      variables.putAll(claim.turn().work().variables());
      variables.putAll(claim.turn().work().secrets());
    }
    Map<String, String> others = variables();
    variables.keySet().removeIf(name -> others.containsKey(name) && isOurs(name));
    return new ClientVariables(variables);
  }

  /// The command, with the entry's `resume` arguments if there is something to resume.
  List<String> command(boolean resumes) throws TurnFailed {
    List<String> words =
        new ArrayList<>(
            claim
                .planMode()
                .filter(_ -> !settles)
                .map(PlanMode.Entry::command)
                .or(() -> gate().map(entry -> entry.command(isAnswered())))
                .filter(own -> !own.isEmpty())
                .orElse(claim.agent().command()));
    if (resumes && claim.agent().resume() != null) {
      words.addAll(claim.agent().resume().arguments());
    }
    Map<String, String> ours = ours();
    List<String> filled = new ArrayList<>();
    for (String word : words) {
      filled.add(new CatalogueTemplate(word).fill(ours));
    }
    return filled;
  }

  static Map<String, String> seed(AgentEntry entry, Map<String, String> own) throws TurnFailed {
    Map<String, String> files = new LinkedHashMap<>();
    for (Map.Entry<String, String> file : entry.seed().entrySet()) {
      files.put(file.getKey(), new CatalogueTemplate(file.getValue()).fill(own));
    }
    return files;
  }

  private boolean isOurs(String name) {
    return !USUAL.containsKey(name) || named().containsKey(name);
  }

  private Map<String, String> standardVariables() {
    return Map.of(
        "PATH", sandbox.searchPath(),
        "HOME", sandbox.folders().home(),
        "USER", "agent");
  }

  private Map<String, String> ours() {
    AgentFolders folders = sandbox.folders();
    Map<String, String> ours = new LinkedHashMap<>();
    ours.put("AGENT_SESSION_ID", claim.turn().sessionId());
    ours.put("AGENT_TURN_ID", claim.turn().threadId());
    ours.put("AGENT_TURN_NUMBER", String.valueOf(claim.turn().turnNumber()));
    ours.put("AGENT_NAME", claim.turn().agentName());
    ours.put("AGENT_WORKSPACE", folders.workspace());
    ours.put("AGENT_OUTPUTS_DIR", folders.workspace() + "/outputs");
    ours.put("AGENT_PLANS_DIR", folders.workspace() + "/plans");
    ours.put("AGENT_MESSAGE_FILE", folders.io() + "/message.txt");
    ours.put("AGENT_REPLY_FILE", folders.io() + "/reply.txt");
    model().ifPresent(name -> ours.put("AGENT_MODEL", name));
    ours.putAll(proxies.variables());
    return ours;
  }

  /// The model that the client chose, else the entry's first; empty if the entry offers none.
  private Optional<String> model() {
    return Optional.ofNullable(claim.turn().work())
        .map(Work::model)
        .or(() -> claim.agent().models().stream().findFirst());
  }
}
