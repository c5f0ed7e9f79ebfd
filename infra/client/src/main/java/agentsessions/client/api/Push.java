package agentsessions.client.api;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What is to become of a repository's changes after each completed turn: they are pushed.
///
/// @param branch to push to; without it, or empty, one of the session's own
/// @param title of a pull request; empty: the service finds one; without it none is asked for
/// @param provider how the host is asked for it; without it as its name tells
public record Push(@Nullable String branch, @Nullable String title, @Nullable String provider) {

  /// As the API takes it.
  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (branch != null && !branch.isEmpty()) {
      fields.put("branch", branch);
    }
    if (title != null) {
      fields.put("pull_request", title.isEmpty() ? Map.of() : Map.of("title", title));
    }
    if (provider != null) {
      fields.put("provider", provider);
    }
    return fields;
  }
}
