package agentsessions.contract;

import static org.junit.jupiter.api.Assertions.assertThrows;

import agentsessions.talk.ApiResponse;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The contract check finds each kind of fault in planted exchanges, and accepts right ones.
final class ContractTest {
  private static final String BASE = "http://service.example/stage/rest/v1";
  private static final String SESSION = "/sessions/6513270e-269e-4d37-b2a7-4de452e6b438";
  private static final String THREAD =
      """
      {"id": "01a207b3-d11e-7938-8fd6-30f1f29d0da9", "session_id": "6513270e-269e-4d37-b2a7-4de452e6b438",
       "status": "failed", "error": {"code": "AGENT_FAILED", "message": "x", "retryable": true},
       "position": null, "pending_requests": 0, "superseded_by": null, "created_at": "2026-11-23T09:14:02.318Z", "started_at": null, "ended_at": null, "sandbox": null,
       "model": null, "repositories": [],
       "usage": {"model_requests": 0, "input_tokens": 0, "output_tokens": 0, "cache_read_tokens": 0, "cache_write_tokens": 0,
                 "active_seconds": 0, "cost_usd": null, "known_cost_usd": 0, "complete": true},
       "_links": {"self": {"href": "http://x/1"}, "messages": {"href": "http://x/2"},
                  "final_message": {"href": "http://x/3"}}}\
      """;
  private static final String MESSAGE =
      """
      {"id": "01a207af-0cce-7182-892f-902bd23f0824", "session_id": "6513270e-269e-4d37-b2a7-4de452e6b438",
       "thread_id": "01a207b3-d11e-7938-8fd6-30f1f29d0da9", "role": "assistant", "type": "final_message",
       "message": "x", "outcome": "completed", "ts": 1795425242.318402, "created_at": "2026-11-23T09:14:02.318Z",
       "chat_id": "6513270e-269e-4d37-b2a7-4de452e6b438", "chat_thread_id": "01a207b3-d11e-7938-8fd6-30f1f29d0da9",
       "updated_at": "2026-11-23T09:14:02.318Z"}\
      """;
  private static final String PAGE =
      "{\"items\": ["
          + MESSAGE
          + "], \"thread\": "
          + THREAD
          + ", \"_links\": "
          + "{\"self\": {\"href\": \"http://x/1\"}, \"new_messages\": {\"href\": \"http://x/2\"}}}";
  private static final String ERROR =
      "{\"code\": \"NOT_FOUND\", \"message\": \"Session not found\", \"request_id\": \"1\"}";
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Type", "application/json",
          "X-Request-Id", "1",
          "RateLimit-Policy", "\"default\";q=100;w=60");

  @Test
  void whatItSaysIsTaken() {
    check("GET", SESSION + "/messages", null, answer(200, HEADERS, PAGE));
    check(
        "GET", SESSION + "/messages?type=message&type=tool_call", null, answer(200, HEADERS, PAGE));
    check("GET", SESSION + "/messages?colour=red", null, answer(200, HEADERS, PAGE));
    check("GET", SESSION, null, answer(404, HEADERS, ERROR));
    check("GET", "/nowhere", null, answer(404, HEADERS, ERROR));
    check("PATCH", SESSION, "{\"title\": 5}", answer(404, HEADERS, ERROR));
    check("PATCH", SESSION, "{\"colour\": \"red\"}", answer(404, HEADERS, ERROR));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"status\": \"failed\",    |                            | a field that is missing",
        "\"status\": \"failed\"     | \"status\": \"lost\"       | a value that is not listed",
        "\"retryable\": true        | \"retryable\": \"yes\"     | another type",
        "\"retryable\": true        | \"retryable\": true, \"x\": 1 | a field more, deep down",
        "\"outcome\": \"completed\",|                            | a reply without an outcome",
        "\"type\": \"final_message\"| \"type\": \"message\"      | a text with an outcome",
        "\"type\": \"final_message\"| \"type\": \"thought\"      | a type that is not listed",
        "09:14:02.318Z              | 09:14:02Z                  | a time without milliseconds",
        "01a207af-0cce              | 01A207AF-0cce              | an id in upper case",
        "\"error\": {\"code\": \"AGENT_FAILED\", \"message\": \"x\", \"retryable\": true}, | | a"
            + " thread without its error",
        "\"items\":                 | \"next\": null, \"items\": | a field more on top",
      })
  void aBodyOfAnotherShapeIsNot(String part, @Nullable String other, String what) {
    String body = PAGE.replace(part, other == null ? "" : other);
    refused(what, "GET", SESSION + "/messages", null, answer(200, HEADERS, body));
  }

  @Test
  void anAnswerOfAnotherStatusTypeOrHeaderIsNot() {
    refused("status", "GET", SESSION, null, answer(418, HEADERS, ERROR));
    refused("no body", "GET", SESSION, null, answer(404, HEADERS, ""));
    refused("a body", "DELETE", SESSION, null, answer(204, HEADERS, ERROR));
    refused("no JSON", "GET", SESSION, null, answer(404, HEADERS, "not found"));
    for (String header : HEADERS.keySet()) {
      Map<String, String> fewer = with(headers -> headers.remove(header));
      refused("without " + header, "GET", SESSION, null, answer(404, fewer, ERROR));
      Map<String, String> others = with(headers -> headers.put(header, ""));
      refused("empty " + header, "GET", SESSION, null, answer(404, others, ERROR));
    }
    Map<String, String> policy = with(headers -> headers.put("RateLimit-Policy", "q=1"));
    refused("another policy", "GET", SESSION, null, answer(404, policy, ERROR));
    Map<String, String> html = with(headers -> headers.put("Content-Type", "text/html"));
    refused("another type", "GET", SESSION, null, answer(404, html, ERROR));
  }

  @Test
  void aWrongRequestThatIsNotRefusedIsNot() {
    ApiResponse taken = answer(200, HEADERS, PAGE);
    refused("type", "GET", SESSION + "/messages?type=message,tool_call", null, taken);
    refused("limit", "GET", SESSION + "/messages?limit=101", null, taken);
    refused("id", "GET", "/sessions/1-1-1-1-1/messages", null, taken);
    ApiResponse failed =
        answer(
            500,
            HEADERS,
            ERROR
                .replace("NOT_FOUND", "INTERNAL")
                .replace("Session not found", "Something went wrong on our side"));
    check("PATCH", SESSION, "{\"title\": \"x\"}", failed);
    refused("type", "PATCH", SESSION, "{\"title\": 5}", failed);
    refused("not known", "PATCH", SESSION, "{\"colour\": \"red\"}", failed);
    refused("not known", "PATCH", SESSION, "{\"limits\": {\"colour\": \"red\"}}", failed);
    refused("no JSON", "PATCH", SESSION, "{", failed);
  }

  @Test
  void whatIsNoOperationIsNotAnswered() {
    ApiResponse taken = answer(200, HEADERS, PAGE);
    refused("path", "GET", "/nowhere", null, taken);
    refused("method", "PUT", SESSION, "{}", taken);
    assertThrows(
        AssertionError.class,
        () -> Contract.check("http://other.example", request("GET", "/x", null), null, taken));
  }

  private static void refused(
      String what, String method, String path, @Nullable String body, ApiResponse answer) {
    assertThrows(AssertionError.class, () -> check(method, path, body, answer), what);
  }

  private static void check(String method, String path, @Nullable String body, ApiResponse answer) {
    Contract.check(BASE, request(method, path, body), body, answer);
  }

  private static HttpRequest request(String method, String path, @Nullable String body) {
    return HttpRequest.newBuilder(URI.create(BASE + path))
        .header("Authorization", "ApiKey x")
        .header("Content-Type", "application/json")
        .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
        .build();
  }

  private static Map<String, String> with(Consumer<Map<String, String>> change) {
    Map<String, String> headers = new HashMap<>(HEADERS);
    change.accept(headers);
    return headers;
  }

  private static ApiResponse answer(int status, Map<String, String> headers, String body) {
    Map<String, List<String>> lists = new HashMap<>();
    headers.forEach((name, value) -> lists.put(name, List.of(value)));
    return new ApiResponse("a request", status, HttpHeaders.of(lists, (_, _) -> true), body);
  }
}
