package agentsessions.runner;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.Template;
import agentsessions.runner.agent.TurnFailed;
import agentsessions.runner.network.ModelProxy;
import agentsessions.runner.protocol.Claim;
import agentsessions.runner.sandbox.Sandbox;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The variables one turn's agent gets, and its command and seed with the names in them replaced.
///
/// @param proxy the way to the model, where it is the agent's only network
/// @param own the runner's own environment, which entries may name
record AgentEnvironment(
    Claim claim, Sandbox sandbox, Optional<ModelProxy> proxy, Map<String, String> own) {

  /// A fixed base, then the entry's, then ours: an entry cannot change what we promise.
  Map<String, String> variables() throws TurnFailed {
    Map<String, String> variables = new LinkedHashMap<>(base());
    Map<String, String> known = new HashMap<>(own);
    known.putAll(ours());
    for (Map.Entry<String, String> named : claim.agent().environment().entrySet()) {
      String value = new Template(named.getValue()).fill(known);
      if (!value.isEmpty()) {
        variables.put(named.getKey(), value);
      }
    }
    variables.putAll(ours());
    return variables;
  }

  /// The command, with `resumed` arguments if the agent has something to resume.
  List<String> command(boolean resumes) throws TurnFailed {
    List<String> words = new ArrayList<>(claim.agent().command());
    if (resumes && claim.agent().resume() != null) {
      words.addAll(claim.agent().resume().arguments());
    }
    Map<String, String> ours = ours();
    List<String> filled = new ArrayList<>();
    for (String word : words) {
      filled.add(new Template(word).fill(ours));
    }
    return filled;
  }

  static Map<String, String> seed(AgentEntry entry, Map<String, String> own) throws TurnFailed {
    Map<String, String> files = new LinkedHashMap<>();
    for (Map.Entry<String, String> file : entry.seed().entrySet()) {
      files.put(file.getKey(), new Template(file.getValue()).fill(own));
    }
    return files;
  }

  private Map<String, String> base() {
    return Map.of(
        "PATH", sandbox.searchPath(),
        "HOME", sandbox.places().home(),
        "USER", "agent",
        "LANG", "C.UTF-8",
        "TERM", "dumb",
        "NO_COLOR", "1",
        "CI", "1",
        "TMPDIR", "/tmp");
  }

  private Map<String, String> ours() {
    Sandbox.Places places = sandbox.places();
    Map<String, String> ours = new LinkedHashMap<>();
    ours.put("AGENT_SESSION_ID", claim.sessionId());
    ours.put("AGENT_TURN_ID", claim.threadId());
    ours.put("AGENT_TURN_NUMBER", String.valueOf(claim.turnNumber()));
    ours.put("AGENT_NAME", claim.agentName());
    ours.put("AGENT_WORKSPACE", places.workspace());
    ours.put("AGENT_PLANS_DIR", places.workspace() + "/plans");
    ours.put("AGENT_MESSAGE_FILE", places.io() + "/message.txt");
    ours.put("AGENT_REPLY_FILE", places.io() + "/reply.txt");
    proxy.ifPresent(way -> ours.putAll(model(way)));
    return ours;
  }

  /// An agent that would show its URL to others, as an argument, takes port and secret instead.
  private static Map<String, String> model(ModelProxy way) {
    String url = "http://127.0.0.1:" + way.port();
    Map<String, String> model = new LinkedHashMap<>();
    model.put("AGENT_MODEL_URL", way.secret().map(secret -> url + "/" + secret).orElse(url));
    model.put("AGENT_MODEL_PORT", String.valueOf(way.port()));
    way.secret().ifPresent(secret -> model.put("AGENT_MODEL_SECRET", secret));
    return model;
  }
}
