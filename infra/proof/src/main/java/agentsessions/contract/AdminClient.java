package agentsessions.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.talk.Client;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/// A client with the scope `admin`, which makes and revokes keys of its workspace for tests.
public record AdminClient(Client client) {
  /// The admin of a client's own workspace.
  ///
  /// @throws org.opentest4j.TestAbortedException if the client's key has no scope `admin`
  public static AdminClient of(Client client) {
    AdminClient admin = new AdminClient(client);
    admin.assume("admin");
    return admin;
  }

  private void assume(String scope) {
    assumeTrue(
        client.get("/me").ok().path("scopes").toString().contains(scope),
        "needs a key with the scope " + scope);
  }

  /// The body of the answer with a new key.
  ///
  /// @throws org.opentest4j.TestAbortedException if they have one that the client cannot give
  public JsonNode made(String... scopes) {
    if (List.of(scopes).contains("decide")) {
      assume("decide");
    }
    return client
        .post("/keys", Map.of("name", "contract", "scopes", List.of(scopes)))
        .expect(201)
        .json();
  }

  /// A client with a new key that has these scopes.
  public Client with(String... scopes) {
    return client.with(made(scopes).path("key").asText());
  }

  public void revoke(String id) {
    client.send("DELETE", "/keys/" + id, null).expect(204);
  }
}
