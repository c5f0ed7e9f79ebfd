package agentsessions.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.talk.Client;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;

/// Who makes keys of a workspace for tests.
public record Admin(Client client) {
  /// The one of a client's workspace.
  ///
  /// @throws org.opentest4j.TestAbortedException if the client's key may not
  public static Admin of(Client client) {
    assumeTrue(
        client.get("/me").ok().path("scopes").toString().contains("admin"),
        "needs a key with the scope admin");
    return new Admin(client);
  }

  /// The answer that has a new key.
  public JsonNode made(String... scopes) {
    return client
        .post("/keys", Map.of("name", "contract", "scopes", List.of(scopes)))
        .expect(201)
        .json();
  }

  /// A client with a key of its own.
  public Client with(String... scopes) {
    return client.with(made(scopes).path("key").asText());
  }

  public void revoke(String id) {
    client.send("DELETE", "/keys/" + id, null).expect(204);
  }
}
