package agentsessions.chat.api;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A repository that a new session starts with.
///
/// @param ref a branch, tag or commit; null: the remote's default branch
/// @param secret the name of the workspace's secret with the credential for it
/// @param push the push of its changes; null: they stay in the session
public record RepositoryRequest(
    String url, @Nullable String ref, @Nullable String secret, @Nullable Push push) {

  /// The JSON fields of the API's request.
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
