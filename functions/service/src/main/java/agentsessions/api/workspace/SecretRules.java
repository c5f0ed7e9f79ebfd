package agentsessions.api.workspace;

import agentsessions.api.request.BodyFields;
import agentsessions.session.id.Workspace;
import agentsessions.session.input.Secret;
import agentsessions.session.repository.Checkout.Credential;
import agentsessions.session.repository.RepositoryUrl;
import agentsessions.store.workspace.Secrets;
import io.micronaut.context.BeanProvider;
import java.util.List;
import java.util.Map;

/// The rules for secrets that a request names: each must exist in the workspace, and its record
/// must allow the use. A request that names none costs no read.
///
/// @param near whether secrets may reach the agent at all
public record SecretRules(Workspace workspace, BeanProvider<Secrets> secrets, boolean near) {
  private static final String UNCONFINED =
      "needs an agent that is confined, or an operator who trusts agents with secrets";
  private static final String UNKNOWN = "must be a secret of the workspace";

  /// Checks the credential of a repository at `url`.
  public void credential(BodyFields repository, RepositoryUrl url, Credential credential) {
    if (!near) {
      repository.fault("credential", UNCONFINED);
    } else if (credential instanceof Credential.OfSecret(_, String name)
        && name.matches(Secret.NAME)) {
      Secret secret = secrets.get().find(workspace, List.of(name)).get(name);
      if (secret == null) {
        repository.fault("credential.secret", UNKNOWN);
      } else if (!secret.mayGoTo(url.uri())) {
        repository.fault(
            "credential.secret",
            "must have %s among its hosts".formatted(url.uri().getAuthority()));
      }
    }
  }

  /// Checks whether the changes of a repository may be pushed.
  public void push(BodyFields repository) {
    if (!near) {
      repository.fault("push", UNCONFINED);
    }
  }

  /// Checks the secrets that an agent is to be given.
  public void environment(BodyFields environment, List<String> names) {
    if (!names.isEmpty() && !near) {
      environment.fault("secrets", UNCONFINED);
    } else if (!names.isEmpty()) {
      Map<String, Secret> known =
          secrets.get().find(workspace, names.stream().filter(SecretRules::isName).toList());
      for (int i = 0; i < names.size(); i++) {
        check(environment, "secrets[%d]".formatted(i), names.get(i), known);
      }
    }
  }

  private static void check(
      BodyFields environment, String field, String name, Map<String, Secret> known) {
    Secret secret = known.get(name);
    if (secret == null && isName(name)) {
      environment.fault(field, UNKNOWN);
    } else if (secret != null && !secret.environment()) {
      environment.fault(
          field, "must be a secret that agents may be given: one with environment true");
    }
  }

  private static boolean isName(String name) {
    return name.matches(Secret.NAME);
  }
}
