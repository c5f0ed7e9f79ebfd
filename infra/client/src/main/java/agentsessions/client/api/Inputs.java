package agentsessions.client.api;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What goes along with a message: what a new session starts with, or what a follow-up brings.
///
/// @param variables of the agent's environment, by name
/// @param secrets the names of the workspace's secrets that the agent gets as variables
public record Inputs(
    List<Checkout> repositories,
    List<LocalFile> files,
    Map<String, String> variables,
    List<String> secrets,
    @Nullable String model) {
  public static final Inputs NONE = new Inputs(List.of(), List.of(), Map.of(), List.of(), null);

  /// What of it a message to a session that is there may bring.
  public Inputs ofFollowUp() {
    return new Inputs(List.of(), files, Map.of(), List.of(), model);
  }

  /// As the API takes it, beside the message.
  ///
  /// @param sent makes the files known to the service
  Map<String, Object> fields(Function<List<LocalFile>, List<Map<String, Object>>> sent) {
    Map<String, Object> fields = new LinkedHashMap<>();
    if (!repositories.isEmpty()) {
      fields.put("repositories", repositories.stream().map(Checkout::fields).toList());
    }
    if (!files.isEmpty()) {
      fields.put("files", sent.apply(files));
    }
    if (!variables.isEmpty() || !secrets.isEmpty()) {
      fields.put("environment", Map.of("variables", variables, "secrets", secrets));
    }
    if (model != null) {
      fields.put("model", model);
    }
    return fields;
  }

  /// The values of variables have no place in a message or a log.
  @Override
  public String toString() {
    return "Inputs of " + repositories + files + variables.keySet() + secrets + model;
  }
}
