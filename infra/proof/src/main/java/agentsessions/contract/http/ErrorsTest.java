package agentsessions.contract.http;

import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.Route;
import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Section 7: all errors have one shape, from every part of the service.
@Section(number = "7", title = "Errors")
final class ErrorsTest {
  private final Client client = Target.client();

  @Tag("stack")
  @ParameterizedTest
  @ValueSource(strings = {"{", "", "nonsense", "{\"agent_name\":", "{} x", "\u0000"})
  void aBodyThatIsNotJsonIsABadRequest(String body) {
    for (Route route : Route.withBody(body)) {
      if (!body.isEmpty() || !route.path().endsWith("/interrupt")) { // which needs none
        route.send(client).refused(400, "BAD_REQUEST");
      }
    }
  }

  @Tag("stack")
  @ParameterizedTest
  @ValueSource(
      strings = {"/nowhere", "/sessions/x/y/z", "/", "/sessions//messages", "/%2e%2e/admin"})
  void aRouteThatDoesNotExistIsNotFound(String path) {
    JsonNode refusal = client.get(path).refused(404, "NOT_FOUND");
    assertTrue(refusal.path("message").asText().contains("/rest/v1/openapi.yaml"), path);
  }

  @Tag("stack")
  @ParameterizedTest
  @CsvSource({"PUT, /sessions", "DELETE, /agents", "POST, /agents", "PATCH, /health"})
  void aMethodThatARouteDoesNotHaveIsNotAllowed(String method, String path) {
    ApiResponse answer = client.send(method, path, method.equals("DELETE") ? null : "{}");
    JsonNode refusal = answer.refused(405, "METHOD_NOT_ALLOWED");
    String allowed = answer.header("Allow");
    assertTrue(allowed.contains("GET"), answer::toString);
    assertTrue(refusal.path("message").asText().endsWith(" takes " + allowed), answer::toString);
  }

  @Tag("stack")
  @ParameterizedTest
  @ValueSource(strings = {"application/xml", "text/plain", "application/x-www-form-urlencoded"})
  void aBodyOfAnotherMediaTypeIsRefused(String type) {
    for (Route route : Route.withBody(hello())) {
      route.send(client, "Content-Type", type).refused(415, "UNSUPPORTED_MEDIA_TYPE");
    }
  }

  @Test
  void jsonWithACharsetIsJson() {
    client
        .send("POST", "/sessions", hello(), "Content-Type", "application/json; charset=utf-8")
        .expect(201);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"message\":\"echo\"} | agent_name",
        "{\"agent_name\":\"shell\"} | message",
        "{\"agent_name\":\"shell\",\"message\":\"\"} | message",
        "{\"agent_name\":\"shell\",\"message\":\" \\n\\t\"} | message",
        "{\"agent_name\":\"shell\",\"message\":5} | message",
        "{\"agent_name\":\"shell\",\"message\":[\"echo\"]} | message",
        "{\"agent_name\":\"shell\",\"message\":{}} | message",
        "{\"agent_name\":true,\"message\":\"echo\"} | agent_name",
        "{\"agent_name\":\"shell\",\"message\":\"a\\ud800b\"} | message",
        "{\"agent_name\":\"nobody\",\"message\":\"echo\"} | agent_name",
        "{\"agent_name\":\"shell\",\"message\":\"echo\",\"title\":1} | title",
        "{\"agent_name\":\"shell\",\"message\":\"echo\",\"metadata\":[]} | metadata"
      })
  void aFieldThatIsMissingBlankOrOfTheWrongTypeIsNamed(String body, String field) {
    client.send("POST", "/sessions", body).invalid(field);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "5", "\"x\"", "null"})
  void aBodyThatIsNoObjectIsRefused(String body) {
    int status = client.send("POST", "/sessions", body).status();
    assertTrue(status == 400 || status == 422, "" + status);
  }

  @Test
  void anUnknownAgentIsAnsweredByTheNamesThereAre() {
    JsonNode details =
        client.post("/sessions", Map.of("agent_name", "x", "message", "y")).invalid("agent_name");
    assertTrue(details.toString().contains("shell"), details::toString);
  }

  @Test
  void everyFieldThatIsWrongIsNamedAtOnce() {
    ApiResponse answer = client.send("POST", "/sessions", "{}");
    answer.invalid("agent_name");
    answer.invalid("message");
  }

  @Test
  void aFollowUpIsHeldToTheSameRules() {
    SessionHandle session = client.create("echo ok");
    String path = session.path() + "/messages";
    client.send("POST", path, "{}").invalid("message");
    client.post(path, Map.of("message", " ")).invalid("message");
    client.send("POST", path, "{").refused(400, "BAD_REQUEST");
  }

  @Tag("stack")
  @Test
  void whatIsStrangeIsRefusedAndNeverAnErrorOfTheService() {
    String deep = "[".repeat(10_000) + "]".repeat(10_000);
    for (String body :
        List.of(
            deep,
            "{\"agent_name\":\"shell\",\"message\":" + deep + "}",
            "{\"agent_name\":\"shell\",\"message\":\"a\\u0000b\"}",
            "{\"message\":\"a\",\"message\":\"b\",\"agent_name\":\"shell\"}",
            "{\"agent_name\":\"shell\",\"message\":1e999999}")) {
      assertTrue(client.send("POST", "/sessions", body).status() < 500, body.substring(0, 20));
    }
  }

  private static String hello() {
    return "{\"agent_name\":\"shell\",\"message\":\"echo hello\"}";
  }
}
