package agentsessions.contract.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import agentsessions.contract.AdminClient;
import agentsessions.contract.Contract;
import agentsessions.contract.Route;
import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The scopes of a key, which are checked before anything else of a request.
@Section(number = "5", title = "Scopes of keys")
final class ScopesTest {
  private final AdminClient admin = AdminClient.of(Target.client());

  @Tag("stack")
  @ParameterizedTest
  @ValueSource(strings = {"read", "write", "admin", "decide"})
  void everyOperationIsForTheScopeThatTheContractNames(String scope) {
    Client client = admin.with(scope);
    for (Route route : Route.keyed()) {
      String needed = Contract.scope(route.method(), route.path());
      ApiResponse answer = route.send(client);
      if (includes(scope, needed)) {
        assertNotEquals(403, answer.status(), route + " " + answer);
      } else {
        assertEquals(
            "This key lacks the scope \"%s\"".formatted(needed),
            answer.refused(403, "FORBIDDEN").path("message").asText(),
            route.toString());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"read", "write", "admin", "decide"})
  void aRouteThatDoesNotExistIsNotFoundForEveryScope(String scope) {
    Client client = admin.with(scope);
    client.get("/nowhere").refused(404, "NOT_FOUND");
    client.send("PUT", "/sessions", "{}").refused(405, "METHOD_NOT_ALLOWED");
    assertEquals("[\"" + scope + "\"]", client.get("/me").ok().path("scopes").toString());
  }

  private static boolean includes(String scope, String needed) {
    return needed.equals("any")
        || needed.equals(scope)
        || (needed.equals("read") && scope.equals("write"));
  }
}
