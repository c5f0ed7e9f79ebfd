package agentsessions.runner.usage;

import agentsessions.rule.UsedTokens;
import agentsessions.runner.agent.Dialect;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/// Sample responses of each dialect, as models stream them, each with its own usage figures.
record Streams(String name, Dialect dialect, String model, UsedTokens tokens, String lines) {
  static final Streams ANTHROPIC =
      new Streams(
          "ANTHROPIC",
          Dialect.ANTHROPIC,
          "sonnet-a",
          new UsedTokens(10, 77, 300, 40, 60),
          """
          {"type":"message_start","message":{"id":"m","model":"sonnet-a","content":[],"stop_reason":null,"usage":{"input_tokens":10,"cache_creation_input_tokens":100,"cache_read_input_tokens":300,"cache_creation":{"ephemeral_5m_input_tokens":40,"ephemeral_1h_input_tokens":60},"output_tokens":1}}}
          {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}
          {"type":"ping"}
          {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hé \\"llo\\" 😀\\u00e9\\ud83d\\ude00"}}
          {"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\\"usage\\":{\\"output_tokens\\":9999}}"}}
          {"type":"message_delta","delta":{"stop_reason":null},"usage":{"output_tokens":50}}
          {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":77}}
          {"type":"message_stop"}
          """);

  static final Streams RESPONSES =
      new Streams(
          "RESPONSES",
          Dialect.RESPONSES,
          "five-b",
          new UsedTokens(80, 33, 20, 0, 0),
          """
          {"type":"response.created","response":{"id":"r","model":"five-b","status":"in_progress","usage":null}}
          {"type":"response.output_text.delta","delta":"Hello "}
          {"type":"response.output_text.delta","delta":"you"}
          {"type":"response.output_item.done","item":{"content":[{"type":"output_text","text":"Hello you"}],"usage":{"input_tokens":9999}}}
          {"type":"response.completed","response":{"id":"r","model":"five-b","usage":{"input_tokens":100,"input_tokens_details":{"cached_tokens":20},"output_tokens":33,"output_tokens_details":{"reasoning_tokens":11},"total_tokens":133}}}
          """);

  static final Streams RESPONSES_INCOMPLETE =
      new Streams(
          "RESPONSES_INCOMPLETE",
          Dialect.RESPONSES,
          "five-b",
          new UsedTokens(7, 3, 0, 0, 0),
          """
          {"type":"response.created","response":{"model":"five-b"}}
          {"type":"response.incomplete","response":{"model":"five-b","usage":{"input_tokens":7,"output_tokens":3}}}
          """);

  static final Streams RESPONSES_FAILED =
      new Streams(
          "RESPONSES_FAILED",
          Dialect.RESPONSES,
          "five-b",
          new UsedTokens(7, 0, 0, 0, 0),
          """
          {"type":"response.failed","response":{"model":"five-b","usage":{"input_tokens":7,"output_tokens":0}}}
          """);

  static final Streams CHAT =
      new Streams(
          "CHAT",
          Dialect.CHAT,
          "mini-c",
          new UsedTokens(60, 21, 40, 0, 0),
          """
          {"id":"c","model":"mini-c","choices":[{"index":0,"delta":{"role":"assistant","content":"He"}}],"usage":null}
          {"id":"c","model":"mini-c","choices":[{"index":0,"delta":{"content":"llo"},"finish_reason":null}],"usage":null}
          {"id":"c","model":"mini-c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":null}
          {"id":"c","model":"mini-c","choices":[],"usage":{"prompt_tokens":100,"completion_tokens":21,"total_tokens":121,"prompt_tokens_details":{"cached_tokens":40}}}
          [DONE]
          """);

  static final Streams CHAT_GROWING =
      new Streams(
          "CHAT_GROWING",
          Dialect.CHAT,
          "mini-c",
          new UsedTokens(100, 3, 0, 0, 0),
          """
          {"model":"mini-c","choices":[{"index":0,"delta":{"content":"He"}}],"usage":{"prompt_tokens":100,"completion_tokens":1}}
          {"model":"mini-c","choices":[{"index":0,"delta":{"content":"llo"}}],"usage":{"prompt_tokens":100,"completion_tokens":2}}
          {"model":"mini-c","choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":3}}
          [DONE]
          """);

  static final Streams GEMINI =
      new Streams(
          "GEMINI",
          Dialect.GEMINI,
          "pro-d",
          new UsedTokens(90, 35, 10, 0, 0),
          """
          {"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"He"}]}}],"usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":10,"candidatesTokenCount":2,"thoughtsTokenCount":5},"modelVersion":"pro-d"}
          {"candidates":[{"index":0,"content":{"role":"model","parts":[{"text":"llo"}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":10,"candidatesTokenCount":25,"thoughtsTokenCount":10},"modelVersion":"pro-d"}
          """);

  static List<Streams> all() {
    return List.of(
        ANTHROPIC, RESPONSES, RESPONSES_INCOMPLETE, RESPONSES_FAILED, CHAT, CHAT_GROWING, GEMINI);
  }

  @Override
  public String toString() {
    return name;
  }

  /// As an event stream.
  String events() {
    return lines.lines().map(line -> "data: " + line + "\n\n").collect(Collectors.joining());
  }

  /// The same with all optional fields of a stream.
  String oddEvents() {
    return lines
        .lines()
        .map(line -> ": keep-alive\r\n\r\nevent: x\r\nid: 1\r\ndata:" + line + "\r\n\r\n")
        .collect(Collectors.joining());
  }

  /// As one array, which Gemini sends if no event stream is requested.
  String array() {
    return Arrays.toString(lines.lines().toArray());
  }
}
