package agentsessions.agents;

import agentsessions.agents.model.ModelServer;
import agentsessions.local.LocalService;
import agentsessions.local.Settings;
import agentsessions.talk.Client;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/// The service on one machine with the packaged coding agents, and a scripted model in place of all
/// vendors' models.
///
/// The agents are expected in the folder that `AGENT_SESSIONS_TOOLS` names, which `scripts/tools`
/// fills.
record ScriptedService(ModelServer model, LocalService service) implements AutoCloseable {
  /// The API key that the scripted model demands.
  static final String KEY = ModelServer.KEY;

  /// @param allowed settings of the service, by name
  static ScriptedService start(Path data, Map<String, Object> allowed) {
    ModelServer model = ModelServer.start();
    Optional<Path> tools = Optional.ofNullable(System.getenv("AGENT_SESSIONS_TOOLS")).map(Path::of);
    Map<String, String> environment = environment(model.url().toString());
    return new ScriptedService(
        model, LocalService.start(new Settings(0, 0, data, tools, environment, allowed)));
  }

  private static Map<String, String> environment(String url) {
    return Map.of(
        "PATH", System.getenv("PATH"),
        "ANTHROPIC_API_KEY", KEY,
        "ANTHROPIC_BASE_URL", url,
        "OPENAI_API_KEY", KEY,
        "OPENAI_BASE_URL", url + "/v1",
        "GEMINI_API_KEY", KEY,
        "GOOGLE_GEMINI_BASE_URL", url);
  }

  /// A client in a workspace named after the agent. Where the agent is not installed the test is
  /// skipped, with a message.
  Client clientOf(String agent) {
    Client client = Client.of(service.baseUrl(), List.of(service.createKey(agent))).patient();
    boolean offered =
        client.get("/agents").ok().path("items").findValuesAsText("name").contains(agent);
    if (!offered) {
      System.err.println(
          "Not tested: " + agent + ", since it is not installed. See scripts/tools.");
    }
    Assumptions.assumeTrue(offered, agent + " is not installed");
    return client;
  }

  @Override
  public void close() {
    service.close();
    model.close();
  }
}
