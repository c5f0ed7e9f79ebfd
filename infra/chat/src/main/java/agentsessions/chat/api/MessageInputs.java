package agentsessions.chat.api;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The inputs of a message: repositories, files, environment and model of a new session, or files
/// and model of a follow-up.
///
/// @param variables the agent's environment variables, by name
/// @param secrets the names of the workspace's secrets that the agent gets as variables
/// @param asks whether the agent asks before it does more than read or search
public record MessageInputs(
    List<RepositoryRequest> repositories,
    List<LocalFile> files,
    Map<String, String> variables,
    List<String> secrets,
    boolean asks,
    @Nullable String model) {
  public static final MessageInputs NONE =
      new MessageInputs(List.of(), List.of(), Map.of(), List.of(), false, null);

  private static final Map<String, Object> ASKING =
      Map.of(
          "default",
          "ask",
          "rules",
          List.of(allowed("read"), allowed("search")),
          "hold_seconds",
          900);

  private static Map<String, String> allowed(String kind) {
    return Map.of("kind", kind, "policy", "allow");
  }

  /// The inputs that a follow-up message may have.
  public MessageInputs ofFollowUp() {
    return new MessageInputs(List.of(), files, Map.of(), List.of(), false, model);
  }

  /// The JSON fields of the API's request, beside the message.
  ///
  /// @param sent sends the files, or uploads them, and returns their fields
  Map<String, Object> fields(Function<List<LocalFile>, List<Map<String, Object>>> sent) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (!repositories.isEmpty()) {
      fields.put("repositories", repositories.stream().map(RepositoryRequest::fields).toList());
    }
    if (!files.isEmpty()) {
      fields.put("files", sent.apply(files));
    }
    if (!variables.isEmpty() || !secrets.isEmpty()) {
      fields.put("environment", Map.of("variables", variables, "secrets", secrets));
    }
    if (asks) {
      fields.put("permissions", ASKING);
    }
    if (model != null) {
      fields.put("model", model);
    }
    return fields;
  }

  /// Leaves the values of variables out, so that no message or log can hold them.
  @Override
  public String toString() {
    return "Inputs of " + repositories + files + variables.keySet() + secrets + model;
  }
}
