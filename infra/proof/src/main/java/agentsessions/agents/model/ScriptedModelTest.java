package agentsessions.agents.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The scripted model refuses what the vendors refuse, with each vendor's own error.
@Tag("agents")
final class ScriptedModelTest {
  private final ModelServer model = ModelServer.start();
  private final HttpClient client = HttpClient.newHttpClient();

  enum Vendor {
    ANTHROPIC(
        "/v1/messages",
        "x-api-key",
        "",
        """
        {"model": "claude-haiku-5-5", "max_tokens": 9, "stream": true, "new": 1,
         "messages": [{"role": "user", "content": [{"type": "text", "text": "Hello. [[ok]]"}]}],
         "tools": [{"name": "Bash", "input_schema": {"type": "object"}}]}
        """,
        "/error/type"),
    OPENAI(
        "/v1/responses",
        "authorization",
        "Bearer ",
        """
        {"model": "gpt-6-luna", "stream": true, "new": 1, "reasoning": {"effort": "high"},
         "input": [{"role": "user", "content": [{"type": "input_text", "text": "Hello. [[ok]]"}]}],
         "tools": [{"type": "function", "name": "shell", "parameters": {}}]}
        """,
        "/error/code"),
    GOOGLE(
        "/v1beta/models/gemini-3.8-flash:streamGenerateContent",
        "x-goog-api-key",
        "",
        """
        {"new": 1, "contents": [{"role": "user", "parts": [{"text": "Hello. [[ok]]"}]}],
         "tools": [{"functionDeclarations": [{"name": "run_shell_command"}]}]}
        """,
        "/error/status");

    private final String path;
    private final String header;
    private final String before;
    private final String body;
    private final String kind;

    /// @param kind JSON pointer of the error's kind in the vendor's error body
    Vendor(String path, String header, String before, String body, String kind) {
      this.path = path;
      this.header = header;
      this.before = before;
      this.body = body;
      this.kind = kind;
    }

    private String body(String pointer, String json) throws IOException {
      JsonNode request = ModelJson.MAPPER.readTree(body);
      int last = pointer.lastIndexOf('/');
      ObjectNode parent = (ObjectNode) request.at(pointer.substring(0, last));
      String name = pointer.substring(last + 1);
      if (json.isEmpty()) {
        parent.remove(name);
      } else {
        parent.set(name, ModelJson.MAPPER.readTree(json));
      }
      return request.toString();
    }
  }

  @AfterEach
  void stop() {
    model.close();
  }

  /// A right request is answered, also with a field that the vendor does not document.
  @ParameterizedTest
  @EnumSource
  void whatIsRightIsAnswered(Vendor vendor) throws Exception {
    HttpResponse<String> answer = ask(vendor, ModelServer.KEY, vendor.path, vendor.body);
    assertEquals(200, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains("Hello."), answer.body());
  }

  @ParameterizedTest
  @CsvSource({
    "ANTHROPIC, 401, authentication_error",
    "OPENAI, 401, invalid_api_key",
    "GOOGLE, 400, INVALID_ARGUMENT"
  })
  void anotherKeyIsRefused(Vendor vendor, int status, String kind) throws Exception {
    assertRefused(vendor, status, kind, ask(vendor, "sk-other", vendor.path, vendor.body));
    assertEquals(1, model.refused().size());
  }

  /// Wrong names: an unknown model, an agent's own short name, a model that was shut down, and one
  /// of another vendor.
  @ParameterizedTest
  @CsvSource({
    "ANTHROPIC, claude-opus-9, not_found_error",
    "ANTHROPIC, default, not_found_error",
    "ANTHROPIC, claude-opus-4-1, not_found_error",
    "OPENAI, gpt-5-codex, model_not_found",
    "OPENAI, claude-haiku-5-5, model_not_found",
    "GOOGLE, flash, NOT_FOUND"
  })
  void anotherModelIsNotFound(Vendor vendor, String name, String kind) throws Exception {
    String path = vendor.path.replace("gemini-3.8-flash", name);
    String body = vendor.body("/model", "\"" + name + "\"");
    assertRefused(vendor, 404, kind, ask(vendor, ModelServer.KEY, path, body));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "ANTHROPIC | /max_tokens | ``",
        "ANTHROPIC | /messages | []",
        "ANTHROPIC | /messages/0/role | \"tool\"",
        "ANTHROPIC | /messages/0/content | [{\"type\": \"text\", \"text\": \"\"}]",
        "ANTHROPIC | /messages/0/content | [{\"type\": \"tool_result\"}]",
        "ANTHROPIC | /temperature | 1.5",
        "ANTHROPIC | /thinking | {\"type\": \"enabled\"}",
        "ANTHROPIC | /tools/0/input_schema | ``",
        "OPENAI | /input | ``",
        "OPENAI | /input/0/content | ``",
        "OPENAI | /input/0/type | \"function_call_output\"",
        "OPENAI | /reasoning/effort | \"most\"",
        "OPENAI | /reasoning/effort | \"minimal\"",
        "OPENAI | /tools/0/type | ``",
        "GOOGLE | /contents | []",
        "GOOGLE | /contents/0/role | \"assistant\"",
        "GOOGLE | /contents/0/parts | []",
        "GOOGLE | /tools/0/functionDeclarations/0/name | ``"
      })
  void aBodyThatIsNotAsDocumentedIsRefused(Vendor vendor, String pointer, String json)
      throws Exception {
    String kind =
        Map.of(
                Vendor.ANTHROPIC, "invalid_request_error",
                Vendor.OPENAI, "",
                Vendor.GOOGLE, "INVALID_ARGUMENT")
            .getOrDefault(vendor, "");
    String body = vendor.body(pointer, json);
    assertRefused(vendor, 400, kind, ask(vendor, ModelServer.KEY, vendor.path, body));
  }

  @ParameterizedTest
  @CsvSource({
    "ANTHROPIC, 429, rate_limit_error",
    "ANTHROPIC, 529, overloaded_error",
    "OPENAI, 429, rate_limit_exceeded",
    "GOOGLE, 429, RESOURCE_EXHAUSTED",
    "GOOGLE, 503, UNAVAILABLE"
  })
  void aVendorThatIsBusySaysSo(Vendor vendor, int status, String kind) throws Exception {
    String body = vendor.body.replace("[[ok]]", "[[status %d]]".formatted(status));
    assertRefused(vendor, status, kind, ask(vendor, ModelServer.KEY, vendor.path, body));
    assertEquals(0, model.refused().size());
  }

  private static void assertRefused(
      Vendor vendor, int status, String kind, HttpResponse<String> answer) throws IOException {
    assertEquals(status, answer.statusCode(), answer.body());
    JsonNode error = ModelJson.MAPPER.readTree(answer.body());
    assertEquals(kind, error.at(vendor.kind).asText(""), answer.body());
    assertTrue(error.at("/error/message").isTextual(), answer.body());
  }

  private HttpResponse<String> ask(Vendor vendor, String key, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(model.url().resolve(path))
            .header(vendor.header, vendor.before + key)
            .header("anthropic-version", "2023-06-01")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString());
  }
}
