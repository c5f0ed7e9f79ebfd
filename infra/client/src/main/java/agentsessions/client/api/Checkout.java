package agentsessions.client.api;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A repository that a new session is to start with.
///
/// @param ref a branch, tag or commit; without it the remote's usual branch
/// @param secret the name of the workspace's secret that opens it
/// @param push what is to become of its changes; without it they stay in the session
public record Checkout(
    String url, @Nullable String ref, @Nullable String secret, @Nullable Push push) {

  /// As the API takes it.
  public Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("url", url);
    if (ref != null) {
      fields.put("ref", ref);
    }
    if (secret != null) {
      fields.put("credential", Map.of("secret", secret));
    }
    if (push != null) {
      fields.put("push", push.fields());
    }
    return fields;
  }
}
