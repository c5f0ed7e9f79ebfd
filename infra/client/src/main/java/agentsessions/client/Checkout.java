package agentsessions.client;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A repository that a new session is to start with.
///
/// @param ref a branch, tag or commit; without it the remote's usual branch
/// @param secret the name of the workspace's secret that opens it
/// @param push whether changes are to be pushed after each completed turn
/// @param branch to push to; without it one of the session's own
record Checkout(
    String url,
    @Nullable String ref,
    @Nullable String secret,
    boolean push,
    @Nullable String branch) {

  /// As the API takes it.
  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("url", url);
    if (ref != null) {
      fields.put("ref", ref);
    }
    if (secret != null) {
      fields.put("credential", Map.of("secret", secret));
    }
    if (push) {
      fields.put("push", branch == null ? Map.of() : Map.of("branch", branch));
    }
    return fields;
  }
}
