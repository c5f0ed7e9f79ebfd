package agentsessions.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/// The catalogue's coding agents once more, as `hooked-NAME`: each with an MCP server, and with the
/// hook of its own that is called before a tool, which notes what it is told in
/// `/workspace/told.jsonl` and allows everything.
final class HookedEntries {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String HOOK = "bash /home/agent/hook.sh";
  private static final String HOOKS =
      """
      {"hooks": {"%s": [{"matcher": "*", "hooks": [{"type": "command", "command": "%s"}]}]}}
      """;
  private static final String SERVER =
      """
      {"mcpServers": {"probe": {"command": "bash", "args": ["/home/agent/mcp.sh"], %s}}}
      """;

  private HookedEntries() {}

  /// The entries in YAML.
  ///
  /// @param catalogue the packaged catalogue
  static String of(String catalogue) throws IOException {
    JsonNode entries = new YAMLMapper().readTree(catalogue);
    StringBuilder hooked = new StringBuilder();
    for (String name : List.of("claude", "codex", "gemini", "opencode")) {
      ObjectNode entry = (ObjectNode) entries.path(name);
      seed(entry, "mcp.sh", resource("mcp.sh"));
      seed(entry, "hook.sh", resource("hook.sh"));
      hook(name, entry);
      hooked.append("hooked-%s: %s%n".formatted(name, entry));
    }
    return hooked.toString();
  }

  private static void hook(String name, ObjectNode entry) throws IOException {
    switch (name) {
      case "claude" -> claude(entry);
      case "codex" -> codex(entry);
      case "gemini" -> gemini(entry);
      default -> opencode(entry);
    }
  }

  private static void claude(ObjectNode entry) {
    seed(entry, ".claude/settings.json", HOOKS.formatted("PreToolUse", HOOK));
    seed(entry, "mcp.json", SERVER.formatted("\"alwaysLoad\": true"));
    command(entry).add("--mcp-config").add("/home/agent/mcp.json").add("--strict-mcp-config");
  }

  private static void codex(ObjectNode entry) {
    String hook = "{type=\"command\",command=\"" + HOOK + "\"}";
    String hooks = "hooks.PreToolUse=[{matcher=\"*\",hooks=[" + hook + "]}]";
    String server = "mcp_servers.probe={command=\"bash\",args=[\"/home/agent/mcp.sh\"]}";
    List<String> added = List.of("--dangerously-bypass-hook-trust", "-c", hooks, "-c", server);
    added.reversed().forEach(argument -> command(entry).insert(2, argument));
  }

  private static void gemini(ObjectNode entry) throws IOException {
    String path = ".gemini/settings.json";
    ObjectNode settings = (ObjectNode) JSON.readTree(entry.path("seed").path(path).asText());
    settings.setAll((ObjectNode) JSON.readTree(HOOKS.formatted("BeforeTool", HOOK)));
    settings.setAll((ObjectNode) JSON.readTree(SERVER.formatted("\"timeout\": 60000")));
    seed(entry, path, settings.toString());
  }

  private static void opencode(ObjectNode entry) throws IOException {
    seed(entry, ".config/opencode/plugins/hook.js", resource("hook.js"));
    ObjectNode environment = (ObjectNode) entry.path("environment");
    String name = "OPENCODE_CONFIG_CONTENT";
    ObjectNode content = (ObjectNode) JSON.readTree(environment.path(name).asText());
    ObjectNode server = content.withObject("/mcp/probe").put("type", "local");
    server.putArray("command").add("bash").add("/home/agent/mcp.sh");
    environment.put(name, content.toString());
  }

  private static void seed(ObjectNode entry, String path, String text) {
    entry.withObject("/seed").put(path, text);
  }

  private static ArrayNode command(ObjectNode entry) {
    return (ArrayNode) entry.path("command");
  }

  private static String resource(String name) throws IOException {
    try (InputStream text =
        Objects.requireNonNull(HookedEntries.class.getResourceAsStream(name), name)) {
      return new String(text.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
