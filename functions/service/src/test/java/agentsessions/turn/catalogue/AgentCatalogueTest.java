package agentsessions.turn.catalogue;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.session.Agent;
import agentsessions.session.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentCatalogueTest {
  private static final List<String> AGENTS = List.of("shell", "claude");

  @TempDir Path folder;

  @Test
  void whereNothingConfinesAgentsOnlyTrustedOnesAreOffered() {
    assertEquals(List.of("shell"), offered(List.of("shell"), engines("lambda", "none", "*")));
    assertEquals(List.of(), offered(List.of(), engines("lambda", "none", "*")));
    assertEquals(AGENTS, offered(List.of(), engines("machine", "bubblewrap", "")));
  }

  @Test
  void aTaskConfinesAgentsButNotWhatTheyReach() {
    assertEquals(AGENTS, offered(List.of(), engines("fargate", "none", "shell,claude")));
    assertEquals(List.of("claude"), offered(List.of(), engines("fargate", "none", "claude")));
    assertEquals(List.of(), offered(AGENTS, engines("lambda", "none", "")));
  }

  @Test
  void anEntryNamesItsEngineAndIsOfferedOnlyWhereThatIs() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("agents.yaml"),
            """
            short: {command: [a], reply: {from: stdout}, engine: lambda, time_limit_seconds: 20000}
            long: {command: [b], reply: {from: stdout}, engine: fargate, time_limit_seconds: 40000}
            either: {command: [c], reply: {from: stdout}}
            """);
    Engines both = new Engines("fargate", List.of("lambda"), "", List.of("*"), 840, 28_800);
    Map<String, String> agents = agents(file, both);
    assertEquals(
        Map.of(
            "short", "LAMBDA for PT14M",
            "long", "FARGATE for PT8H",
            "either", "FARGATE for PT1H"),
        agents);
    assertEquals(Set.of("short", "either"), agents(file, Offers.on(Engine.LAMBDA)).keySet());
    assertEquals(3, agents(file, Offers.on(Engine.MACHINE)).size());
  }

  /// What runs each, and for how long.
  private static Map<String, String> agents(Path file, Engines engines) {
    return new AgentCatalogue(
            List.of("short", "long", "either"), file.toString(), List.of(), engines)
        .offered().stream()
            .collect(
                Collectors.toMap(
                    Agent::name, agent -> agent.engine() + " for " + agent.timeLimit()));
  }

  private static Engines engines(String engine, String isolation, String open) {
    return new Engines(engine, List.of(), isolation, List.of(open.split(",", -1)), 840, 28_800);
  }

  private static List<String> offered(List<String> trusted, Engines engines) {
    return new AgentCatalogue(AGENTS, null, trusted, engines)
        .offered().stream().map(Agent::name).toList();
  }
}
