package agentsessions.api.request;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryTable;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent.ProxyRequestContext;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Property;
import io.micronaut.context.annotation.Replaces;
import io.micronaut.context.annotation.Requires;
import io.micronaut.core.type.Argument;
import io.micronaut.function.aws.proxy.payload1.ApiGatewayProxyEventHandler;
import io.micronaut.json.JsonMapper;
import io.micronaut.test.extensions.junit5.annotation.MicronautTest;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/// The way of an event of the gateway through routes and binder to an answer, and the refusals on
/// that way.
@MicronautTest(startApplication = false)
@Property(name = "table", value = InMemoryAws.TABLE)
@Property(name = "agents", value = "shell")
@Property(name = "spec.name", value = "ProblemsTest")
class ProblemsTest {
  private final ApiGatewayProxyEventHandler routes;
  private final JsonMapper json;

  ProblemsTest(ApiGatewayProxyEventHandler routes, JsonMapper json) {
    this.routes = routes;
    this.json = json;
  }

  /// The other rooms that the api room needs here.
  @Factory
  @Requires(property = "spec.name", value = "ProblemsTest")
  static final class Surroundings {
    @Singleton
    @Replaces(DynamoDbClient.class)
    DynamoDbClient table() {
      return new InMemoryTable(InMemoryAws.TABLE);
    }
  }

  @Test
  void whomTheAuthorizerKnowsIsLetInWithoutAKey() throws IOException {
    APIGatewayProxyResponseEvent answer =
        answer("GET", "/rest/v1/agents", Map.of("workspace", "w", "key_id", "k"));
    assertEquals(200, answer.getStatusCode());
    assertEquals(Set.of("items", "not_offered"), body(answer).keySet());
  }

  @Test
  void whereNoAuthorizerStoodAKeyIsAskedForAllTheSame() throws IOException {
    APIGatewayProxyResponseEvent answer = answer("GET", "/rest/v1/me", Map.of());
    isProblem(401, "UNAUTHORIZED", answer);
    assertEquals(List.of("ApiKey"), answer.getMultiValueHeaders().get("WWW-Authenticate"));
  }

  @Test
  void whatIsNoRouteIsNotFound() throws IOException {
    isProblem(404, "NOT_FOUND", answer("GET", "/rest/v1/nowhere", Map.of()));
  }

  @Test
  void whatARouteDoesNotTakeIsAnsweredWithWhatItDoes() throws IOException {
    APIGatewayProxyResponseEvent answer = answer("DELETE", "/rest/v1/agents", Map.of());
    isProblem(405, "METHOD_NOT_ALLOWED", answer);
    assertTrue(allowed(answer).contains("GET"), allowed(answer).toString());
  }

  private void isProblem(int status, String code, APIGatewayProxyResponseEvent answer)
      throws IOException {
    assertEquals(status, answer.getStatusCode());
    Map<String, Object> problem = body(answer);
    assertEquals(Set.of("code", "message", "request_id"), problem.keySet());
    assertEquals(code, problem.get("code"));
    assertFalse(String.valueOf(problem.get("message")).isBlank());
    assertEquals(Problems.REQUEST_ID, problem.get("request_id"));
  }

  private static List<String> allowed(APIGatewayProxyResponseEvent answer) {
    return requireNonNull(answer.getMultiValueHeaders().get("Allow")).stream()
        .flatMap(value -> List.of(value.split(", *", -1)).stream())
        .toList();
  }

  private Map<String, Object> body(APIGatewayProxyResponseEvent answer) throws IOException {
    return json.readValue(answer.getBody(), Argument.mapOf(String.class, Object.class));
  }

  private APIGatewayProxyResponseEvent answer(
      String method, String path, Map<String, Object> authorized) {
    ProxyRequestContext context = new ProxyRequestContext();
    context.setAuthorizer(authorized);
    APIGatewayProxyRequestEvent event =
        new APIGatewayProxyRequestEvent()
            .withHttpMethod(method)
            .withPath(path)
            .withHeaders(Map.of())
            .withMultiValueHeaders(Map.of())
            .withRequestContext(context);
    return routes
        .exchange(event, new APIGatewayProxyResponseEvent())
        .getResponse()
        .getNativeResponse();
  }
}
