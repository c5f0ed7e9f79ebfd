package agentsessions.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The catalogue, its schema and the runner's reading of entries agree.
class CatalogueTest {
  private static final Path INFRA = Path.of("../../infra");
  private final Schema schema = schema();

  @Test
  void catalogueIsAsItsSchemaSays() throws IOException {
    assertEquals(List.of(), errors(Files.readString(INFRA.resolve("agents.yaml"))));
  }

  /// An agent runs the tool once its hook takes longer: than a line of 16 calls of 900 s each.
  @ParameterizedTest
  @CsvSource({
    "claude, /etc/claude-code/managed-settings.json, PreToolUse, 1",
    "gemini, ~/.gemini/settings.json, BeforeTool, 1000"
  })
  void aHookWaitsLongerThanPeopleMay(String agent, String file, String hook, int second)
      throws IOException {
    JsonNode settings =
        Json.MAPPER.readTree(Bench.entry(agent).at("/gate/files").path(file).textValue());
    int timeout = settings.at("/hooks/%s/0/hooks/0/timeout".formatted(hook)).intValue();
    assertTrue(timeout >= 16 * 900 * second, () -> timeout + " of " + agent);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "command: bash",
        "command: []",
        "command: [x, '${SECRET}']",
        "reply: stdout",
        "reply: {from: jsonl}",
        "reply: {from: json, pointer: result}",
        "environment: {AGENT_NAME: x}",
        "seed: {../../etc/passwd: x}",
        "command: [x, '${AGENT_MODEL_SECRET}']",
        "events: [{type: message, where: {/a: 1}}]",
        "events: [{type: tool_result, where: {/a: 1}}]",
        "events: [{type: tool_call, where: {/a: 1}, name: /b, input: {c: d}}]",
        "model: {url: 'http://x', allow: [FETCH /x]}",
        "model: {url: 'http://x', allow: [GET x]}",
        "model: {url: 'http://x', allow: ['GET /x?y']}",
        "model: {url: 'http://x', max_requests: 0}",
        "model: {url: 'http://x', dialect: smoke, counted: [POST /x]}",
        "model: {url: 'http://x', dialect: chat}",
        "model: {url: 'http://x', counted: [POST /x]}",
        "model: {url: 'http://x', dialect: chat, counted: [GET /x]}",
        "plans: [/etc/passwd]",
        "interrupt: {signal: KILL}",
        "network: everything",
        "network: {model: true}",
        "network: {hosts: []}",
        "network: {hosts: ['https://example.com']}",
        "network: {hosts: ['*']}",
        "network: {hosts: ['a.*.example.com']}",
        "network: {hosts: [example.com], model: true}",
        "models: []",
        "models: [-x]",
        "colour: red",
      })
  void entryThatIsWrongIsRefused(String line) {
    String entry = "agent:\n  description: d\n  command: [x]\n  reply: {from: stdout}\n";
    assertEquals(List.of(), errors(entry));
    String field = line.substring(0, line.indexOf(':'));
    assertFalse(
        errors(entry.replaceAll("  " + field + ":.*\n", "") + "  " + line + "\n").isEmpty());
  }

  @Test
  void runnerReadsEveryFieldOfTheSchema() throws IOException {
    Set<String> read = new TreeSet<>(Set.of("description", "engine"));
    Stream.of(AgentEntry.class.getRecordComponents())
        .map(RecordComponent::getName)
        .map(name -> name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT))
        .forEach(read::add);
    try (InputStream file = Files.newInputStream(INFRA.resolve("agents.schema.json"))) {
      Set<String> described = new TreeSet<>();
      Json.MAPPER
          .readTree(file)
          .at("/$defs/entry/properties")
          .fieldNames()
          .forEachRemaining(described::add);
      assertEquals(described, read);
    }
  }

  private List<String> errors(String catalogue) {
    return schema.validate(catalogue, InputFormat.YAML).stream().map(Error::toString).toList();
  }

  private static Schema schema() {
    try {
      return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
          .getSchema(Files.readString(INFRA.resolve("agents.schema.json")), InputFormat.JSON);
    } catch (IOException missing) {
      throw new IllegalStateException(missing);
    }
  }
}
