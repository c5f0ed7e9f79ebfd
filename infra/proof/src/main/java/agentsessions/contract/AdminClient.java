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
    assumeTrue(
        client.get("/me").ok().path("scopes").toString().contains("admin"),
        "needs a key with the scope admin");
    return new AdminClient(client);
  }

  /// The body of the answer with a new key.
  public JsonNode made(String... scopes) {
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
