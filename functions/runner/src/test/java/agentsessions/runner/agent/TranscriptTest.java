package agentsessions.runner.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.runner.Bench;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The catalogue's event, reply and error rules on what the agents print.
class TranscriptTest {
  private final List<String> events = new ArrayList<>();

  @Test
  void claudeSaysItsReplyTwiceAndItIsKeptOnce() throws IOException {
    Transcript transcript = transcript("claude");
    transcript.line("{\"type\":\"system\",\"subtype\":\"init\"}");
    transcript.line(
        """
        {"type":"assistant","message":{"content":[{"type":"text","text":"Let me look."},{"type":"tool_use","name":"Bash","input":{"command":"ls"}}]}}\
        """);
    transcript.line(
        """
        {"type":"assistant","message":{"content":[{"type":"text","text":"Done."}]}}\
        """);
    transcript.line(
        """
        {"type":"result","is_error":false,"result":"Done."}\
        """);
    assertEquals("Done.", transcript.reply().orElseThrow());
    assertEquals(true, transcript.error().isEmpty());
    transcript.end("Done.");
    assertEquals(
        List.of(
            "MESSAGE Let me look.", "TOOL_CALL {\"name\":\"Bash\",\"input\":{\"command\":\"ls\"}}"),
        events);
  }

  @Test
  void claudeErrorsAreInItsResult() throws IOException {
    Transcript transcript = transcript("claude");
    transcript.line(
        """
        {"type":"result","is_error":true,"result":"API Error: 400"}\
        """);
    assertEquals("API Error: 400", transcript.error().orElseThrow());
  }

  @Test
  void geminiSpeaksInPiecesAndItsReplyIsWhatFollowsTheLastTool() throws IOException {
    Transcript transcript = transcript("gemini");
    transcript.line(gemini("I will "));
    transcript.line(gemini("look."));
    transcript.line(
        """
        {"type":"tool_use","tool_name":"run","parameters":{"c":"ls"}}\
        """);
    transcript.line("{\"type\":\"tool_result\"}");
    transcript.line(gemini("All "));
    transcript.line(gemini("done."));
    transcript.line("{\"type\":\"result\",\"status\":\"success\"}");
    assertEquals("All done.", transcript.reply().orElseThrow());
    transcript.end("All done.");
    assertEquals(
        List.of("MESSAGE I will look.", "TOOL_CALL {\"name\":\"run\",\"input\":{\"c\":\"ls\"}}"),
        events);
  }

  @Test
  void codexNamesWhatItDoes() throws IOException {
    Transcript transcript = transcript("codex");
    transcript.line(
        """
        {"type":"item.started","item":{"type":"command_execution","command":"ls"}}\
        """);
    transcript.line(
        """
        {"type":"item.completed","item":{"type":"agent_message","text":"one"}}\
        """);
    transcript.line(
        """
        {"type":"item.completed","item":{"type":"error","message":"a warning only"}}\
        """);
    transcript.line(
        """
        {"type":"turn.failed","error":{"message":"refused"}}\
        """);
    assertEquals("refused", transcript.error().orElseThrow());
    transcript.end(null);
    assertEquals(
        List.of("TOOL_CALL {\"name\":\"command_execution\",\"input\":\"ls\"}", "MESSAGE one"),
        events);
  }

  @Test
  void linesThatAreNoJsonAreNoEvents() throws IOException {
    Transcript transcript = transcript("opencode");
    transcript.line("{\"type\":\"text\",");
    transcript.line("[]");
    transcript.line("\u0000");
    transcript.line("{\"type\":\"text\",\"part\":{\"text\":\"\\ud800x\"}}");
    transcript.end(null);
    assertEquals(List.of("MESSAGE ?x"), events);
  }

  private static String gemini(String piece) {
    return "{\"type\":\"message\",\"role\":\"assistant\",\"delta\":true,\"content\":\"%s\"}"
        .formatted(piece);
  }

  private Transcript transcript(String agent) throws IOException {
    AgentEntry entry = Json.MAPPER.treeToValue(Bench.entry(agent), AgentEntry.class);
    return new Transcript(entry, event -> events.add(event.type() + " " + event.text()));
  }
}
