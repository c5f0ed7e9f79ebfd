package agentsessions.chaos.rig;

import agentsessions.authorizer.WorkspaceKeys;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/// A client that reads more than one key allows: it takes a new key before the old one reaches its
/// rate limit.
public final class KeyRotatingClient {
  private static final int REQUESTS_A_KEY = 95;

  private final Rig rig;
  private final String workspace;
  private final WorkspaceKeys keys;
  private String key;
  private int requests;

  public KeyRotatingClient(Rig rig, String workspace) {
    this.rig = rig;
    this.workspace = workspace;
    keys = new WorkspaceKeys(rig.table(), "agent-sessions");
    key = rig.service().createKey(workspace);
  }

  public int requests() {
    return requests;
  }

  public JsonNode page(String path) {
    if (++requests % REQUESTS_A_KEY == 0) {
      keys.end(workspace, key.split("_", -1)[1]);
      key = rig.service().createKey(workspace);
    }
    ApiResponse answer = Client.of(rig.service().baseUrl(), List.of(key)).get(path);
    return answer.expect(200).json();
  }

  /// The items of all pages.
  public List<JsonNode> items(String first) {
    List<JsonNode> items = new ArrayList<>();
    for (String next = first; !next.isEmpty(); ) {
      JsonNode page = page(next);
      page.path("items").forEach(items::add);
      next = page.at("/_links/next/href").asText();
    }
    return items;
  }
}
