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

  private Environment environment(BodyFields given) {
    Map<String, String> variables = variables(given);
    return new Environment(variables, secrets(given, variables.keySet()), setup(given));
  }

  private Map<String, String> variables(BodyFields given) {
    Map<String, String> variables = given.texts("variables");
    if (variables.size() > MOST_VARIABLES) {
      given.fault("variables", "must be at most 64");
      return Map.of();
    }
    variables.forEach((name, value) -> check(given, name, value));
    long bytes =
        variables.entrySet().stream()
            .mapToLong(pair -> bytes(pair.getKey()) + bytes(pair.getValue()))
            .sum();
    if (bytes > MOST_BYTES) {
      given.fault("variables", "must be at most 32,768 bytes together");
    }
    return variables;
  }

  private void check(BodyFields given, String name, String value) {
    String field = "variables." + BodyFields.shown(name);
    given.fault(field, VariableName.fault(name, taken));
    if (value.indexOf('\0') >= 0) {
      given.fault(field, "must not have a NUL character");
    }
  }

  private List<String> secrets(BodyFields given, Set<String> variables) {
    List<String> names = given.list("secrets", MOST_SECRETS);
    Set<String> seen = new HashSet<>(variables);
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      String field = "secrets[%d]".formatted(i);
      if (!name.matches(Secret.NAME)) {
        given.fault(field, "must be the name of a secret");
      } else if (!seen.add(name)) {
        given.fault(field, "must have a name of its own");
      } else {
        given.fault(field, VariableName.fault(name, taken));
      }
    }
    rules.environment(given, names);
    return names;
  }

  private static @Nullable String setup(BodyFields given) {
    String script = given.has("setup") ? given.required("setup") : null;
    if (script != null && (bytes(script) > MOST_SETUP || script.indexOf('\0') >= 0)) {
      given.fault("setup", "must be at most 65,536 bytes of UTF-8, without a NUL character");
    }
    return script;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
