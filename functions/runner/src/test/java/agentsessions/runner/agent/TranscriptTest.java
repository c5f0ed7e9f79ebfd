package agentsessions.runner.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.runner.Bench;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The catalogue's event, reply and error rules on what the agents print.
class TranscriptTest {
  private final List<String> events = new ArrayList<>();

  @Test
  void claudeSaysItsReplyTwiceAndItIsKeptOnce() throws IOException {
    Transcript transcript = transcript("claude");
    say(transcript, "{\"type\":\"system\",\"subtype\":\"init\"}");
    say(
        transcript,
        """
        {"type":"assistant","message":{"content":[{"type":"text","text":"Let me look."},{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}}]}}\
        """);
    say(
        transcript,
        """
        {"type":"assistant","message":{"content":[{"type":"text","text":"Done."}]}}\
        """);
    say(
        transcript,
        """
        {"type":"result","is_error":false,"result":"Done."}\
        """);
    assertEquals("Done.", transcript.reply().orElseThrow());
    assertEquals(true, transcript.error().isEmpty());
    transcript.end("Done.");
    assertEquals(
        List.of(
            "message Let me look.",
            "tool_call {'id':'t1','name':'Bash','__name__':'Bash','input':{'command':'ls'}}"),
        events);
  }

  @Test
  void secretIsInNoPieceNoMessageAndNoToolCall() throws IOException {
    Transcript transcript = transcript("gemini", Mask.of(List.of("s3cret\"value")));
    say(transcript, gemini("It is s3cr"));
    say(transcript, gemini("et\\\"value."));
    say(
        transcript,
        """
        {"type":"tool_use","tool_id":"r1","tool_name":"run","parameters":{"s3cret\\"value":["echo s3cret\\"value"]}}\
        """);
    say(transcript, gemini("Done: s3cret\\\"value"));
    assertEquals("Done: ***", transcript.reply().orElseThrow());
    assertEquals(
        List.of(
            "message It is ***.",
            "tool_call {'id':'r1','name':'run','__name__':'run','input':{'***':['echo ***']}}"),
        events);
  }

  @Test
  void secretIsHiddenBeforeALongMessageIsCut() throws IOException {
    Transcript transcript = transcript("opencode", Mask.of(List.of("s3cret-value")));
    String text = "x".repeat(Limits.MESSAGE - 6) + "s3cret-value";
    say(transcript, "{\"type\":\"text\",\"part\":{\"text\":\"%s\"}}".formatted(text));
    transcript.end(null);
    assertEquals("message " + "x".repeat(Limits.MESSAGE - 6) + "***", events.getLast());
  }

  @Test
  void claudeErrorsAreInItsResult() throws IOException {
    Transcript transcript = transcript("claude");
    say(
        transcript,
        """
        {"type":"result","is_error":true,"result":"API Error: 400"}\
        """);
    assertEquals("API Error: 400", transcript.error().orElseThrow());
  }

  @Test
  void geminiSpeaksInPiecesAndItsReplyIsWhatFollowsTheLastTool() throws IOException {
    Transcript transcript = transcript("gemini");
    say(transcript, gemini("I will "));
    say(transcript, gemini("look."));
    say(
        transcript,
        """
        {"type":"tool_use","tool_id":"r1","tool_name":"run","parameters":{"c":"ls"}}\
        """);
    say(transcript, "{\"type\":\"tool_result\"}");
    say(transcript, gemini("All "));
    say(transcript, gemini("done."));
    say(transcript, "{\"type\":\"result\",\"status\":\"success\"}");
    assertEquals("All done.", transcript.reply().orElseThrow());
    transcript.end("All done.");
    assertEquals(
        List.of(
            "message I will look.",
            "tool_call {'id':'r1','name':'run','__name__':'run','input':{'c':'ls'}}"),
        events);
  }

  @Test
  void codexNamesWhatItDoes() throws IOException {
    Transcript transcript = transcript("codex");
    say(
        transcript,
        """
        {"type":"item.started","item":{"id":"i1","type":"command_execution","command":"ls"}}\
        """);
    say(
        transcript,
        """
        {"type":"item.completed","item":{"type":"agent_message","text":"one"}}\
        """);
    say(
        transcript,
        """
        {"type":"item.completed","item":{"type":"error","message":"a warning only"}}\
        """);
    say(
        transcript,
        """
        {"type":"turn.failed","error":{"message":"refused"}}\
        """);
    assertEquals("refused", transcript.error().orElseThrow());
    transcript.end(null);
    assertEquals(
        List.of(
            "tool_call {'id':'i1','name':'shell','__name__':'shell','input':{'command':'ls'}}",
            "message one"),
        events);
  }

  @Test
  void linesThatAreNoJsonAreNoEvents() throws IOException {
    Transcript transcript = transcript("opencode");
    say(transcript, "{\"type\":\"text\",");
    say(transcript, "[]");
    say(transcript, "\u0000");
    say(transcript, "{\"type\":\"text\",\"part\":{\"text\":\"\\ud800x\"}}");
    transcript.end(null);
    assertEquals(
        List.of(
            "message ?x",
            "message 1 lines of the agent's output could not be read: they are not JSON, or larger"
                + " than what is read."),
        events);
  }

  @Test
  void failedToolCallIsToldAsFailedByEveryAgent() throws IOException {
    assertEquals(
        List.of("{'id':'t','name':'Bash','__name__':'Bash','status':'failed','duration_ms':N}"),
        ends(
            "claude",
            "{'type':'assistant','message':{'content':[{'type':'tool_use','id':'t','name':'Bash'}]}}",
            "{'type':'user','message':{'content':[{'type':'tool_result','tool_use_id':'t','is_error':true}]}}"));
    assertEquals(
        List.of("{'id':'i','name':'shell','__name__':'shell','status':'failed','duration_ms':N}"),
        ends(
            "codex",
            "{'type':'item.started','item':{'id':'i','type':'command_execution','command':'x'}}",
            "{'type':'item.completed','item':{'id':'i','type':'command_execution','status':'failed'}}"));
    assertEquals(
        List.of("{'id':'c','name':'bash','__name__':'bash','status':'failed','duration_ms':N}"),
        ends(
            "opencode",
            "{'type':'tool_use','part':{'callID':'c','tool':'bash','state':{'status':'completed','metadata':{'exit':2},'time':{'start':5,'end':47}}}}"));
    assertEquals(
        List.of("{'id':'g','name':'run','__name__':'run','status':'failed','duration_ms':N}"),
        ends(
            "gemini",
            "{'type':'tool_use','tool_id':'g','tool_name':'run'}",
            "{'type':'tool_result','tool_id':'g','status':'error'}"));
  }

  @Test
  void toolCallThatIsToldWhenItIsOverHasItsOwnTimes() throws IOException {
    Transcript transcript = transcript("opencode");
    say(
        transcript,
        "{'type':'tool_use','part':{'callID':'c','tool':'edit','state':{'status':'completed','time':{'start':5,'end':47}}}}"
            .replace('\'', '"'));
    assertEquals(
        "tool_call {'id':'c','name':'edit','__name__':'edit','status':'ok','duration_ms':42}",
        events.getLast());
  }

  @Test
  void resultOfACallThatNeverBeganIsNone() throws IOException {
    assertEquals(
        List.of(), ends("gemini", "{'type':'tool_result','tool_id':'g','status':'error'}"));
  }

  @Test
  void codexPlanListIsInTheTranscriptEachTimeItChanges() throws IOException {
    Transcript transcript = transcript("codex");
    for (String type : List.of("item.started", "item.updated", "item.completed")) {
      say(
          transcript,
          "{'type':'%s','item':{'id':'i','type':'todo_list','items':[{'text':'a'}]}}"
              .formatted(type)
              .replace('\'', '"'));
    }
    assertEquals(4, events.size());
    assertEquals(
        "tool_call {'id':'call-1','name':'update_plan','__name__':'update_plan','input':{'plan':[{'text':'a'}]}}",
        events.getFirst());
  }

  private List<String> ends(String agent, String... lines) throws IOException {
    events.clear();
    Transcript transcript = transcript(agent);
    for (String line : lines) {
      say(transcript, line.replace('\'', '"'));
    }
    return events.stream()
        .filter(event -> event.contains("status"))
        .map(event -> event.replace("tool_call ", "").replaceAll(":[0-9]+}", ":N}"))
        .toList();
  }

  private static void say(Transcript transcript, String line) {
    transcript.line(line.getBytes(StandardCharsets.UTF_8));
  }

  private static String gemini(String piece) {
    return "{\"type\":\"message\",\"role\":\"assistant\",\"delta\":true,\"content\":\"%s\"}"
        .formatted(piece);
  }

  private Transcript transcript(String agent) throws IOException {
    return transcript(agent, Mask.NONE);
  }

  private Transcript transcript(String agent, Mask mask) throws IOException {
    AgentEntry entry = Json.MAPPER.treeToValue(Bench.entry(agent), AgentEntry.class);
    return new Transcript(
        entry,
        event -> events.add(event.type() + " " + event.text().replace('"', '\'')),
        mask,
        Optional.empty());
  }
}
