package agentsessions.api.sessions;

import agentsessions.api.request.BodyFields;
import agentsessions.api.workspace.SecretRules;
import agentsessions.session.input.Environment;
import agentsessions.session.input.Secret;
import agentsessions.session.input.VariableName;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The reader of `environment` in a request: variables, secrets and the set-up script.
///
/// @param taken the names of the variables that the agent's entry sets
/// @param rules the check of the secrets that are named
record EnvironmentFields(Collection<String> taken, SecretRules rules) {
  private static final int MOST_VARIABLES = 64;
  private static final int MOST_BYTES = 32 * 1024;
  private static final int MOST_SECRETS = 64;
  private static final int MOST_SETUP = 64 * 1024;

  Environment read(BodyFields body) {
    return body.object("environment", "{\"variables\": …}")
        .map(this::environment)
        .orElse(Environment.NONE);
  }

  private Environment environment(BodyFields fields) {
    Map<String, String> variables = variables(fields);
    return new Environment(variables, secrets(fields, variables.keySet()), setup(fields));
  }

  private Map<String, String> variables(BodyFields fields) {
    Map<String, String> variables = fields.texts("variables");
    if (variables.size() > MOST_VARIABLES) {
      fields.fault("variables", "must be at most 64");
      return Map.of();
    }
    variables.forEach((name, value) -> check(fields, name, value));
    long bytes =
        variables.entrySet().stream()
            .mapToLong(pair -> bytes(pair.getKey()) + bytes(pair.getValue()))
            .sum();
    if (bytes > MOST_BYTES) {
      fields.fault("variables", "must be at most 32,768 bytes together");
    }
    return variables;
  }

  private void check(BodyFields fields, String name, String value) {
    String field = "variables." + BodyFields.shown(name);
    fields.fault(field, VariableName.fault(name, taken));
    if (value.indexOf('\0') >= 0) {
      fields.fault(field, "must not have a NUL character");
    }
  }

  private List<String> secrets(BodyFields fields, Set<String> variables) {
    List<String> names = fields.list("secrets", MOST_SECRETS);
    Set<String> seen = new HashSet<>(variables);
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      String field = "secrets[%d]".formatted(i);
      if (!name.matches(Secret.NAME)) {
        fields.fault(field, "must be the name of a secret");
      } else if (!seen.add(name)) {
        fields.fault(field, "must have a name of its own");
      } else {
        fields.fault(field, VariableName.fault(name, taken));
      }
    }
    rules.environment(fields, names);
    return names;
  }

  private static @Nullable String setup(BodyFields fields) {
    String script = fields.has("setup") ? fields.required("setup") : null;
    if (script != null && (bytes(script) > MOST_SETUP || script.indexOf('\0') >= 0)) {
      fields.fault("setup", "must be at most 65,536 bytes of UTF-8, without a NUL character");
    }
    return script;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
