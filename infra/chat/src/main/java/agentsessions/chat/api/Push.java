package agentsessions.chat.api;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The push of a repository's changes after each completed turn, with a pull request if wanted.
///
/// @param branch the branch to push to; null or empty: the session's own
/// @param title the pull request's title; empty: chosen by the service; null: no pull request
/// @param provider the API of the git host; null: recognised by the host's name
public record Push(@Nullable String branch, @Nullable String title, @Nullable String provider) {

  /// The JSON fields of the API's request.
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
