package agentsessions.api.sessions;

import agentsessions.api.request.BodyFields;
import agentsessions.api.workspace.SecretRules;
import agentsessions.aws.SecretCipher;
import agentsessions.session.Agent;
import agentsessions.session.FollowUp;
import agentsessions.session.NewSession;
import agentsessions.session.OnRunning;
import agentsessions.session.Session;
import agentsessions.session.SessionInputs;
import agentsessions.session.id.Sha256;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.Workspace;
import agentsessions.session.input.Environment;
import agentsessions.session.input.InputFile;
import agentsessions.session.repository.Checkout;
import agentsessions.session.repository.Checkout.Credential;
import agentsessions.session.repository.Repository;
import agentsessions.session.repository.RepositoryUrl;
import agentsessions.session.usage.Ceilings;
import agentsessions.store.artifact.Artifacts;
import agentsessions.store.artifact.Uploads;
import agentsessions.store.workspace.Secrets;
import agentsessions.turn.catalogue.OperatorPolicy;
import io.micronaut.context.BeanProvider;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The reader of the inputs that a request gives an agent beside the message (model, repositories,
/// files, environment), with the check that the deployment, the agent and the workspace's secrets
/// allow them.
@Singleton
final class WorkFields {
  private static final int MOST_REPOSITORIES = 10;
  private static final String REPOSITORY = "{\"path\": …, \"credential\": …}";

  private final OperatorPolicy allowed;
  private final Artifacts artifacts;
  private final BeanProvider<Uploads> uploads;
  private final BeanProvider<Secrets> secrets;
  private final BeanProvider<SecretCipher> seal;

  WorkFields(
      OperatorPolicy allowed,
      Artifacts artifacts,
      BeanProvider<Uploads> uploads,
      BeanProvider<Secrets> secrets,
      BeanProvider<SecretCipher> seal) {
    this.allowed = allowed;
    this.artifacts = artifacts;
    this.uploads = uploads;
    this.secrets = secrets;
    this.seal = seal;
  }

  /// The inputs of a new session. The agent is empty where none has the name.
  SessionInputs ofSession(BodyFields body, Workspace workspace, Optional<Agent> agent) {
    refuseWithoutGit(body, agent);
    SecretRules rules = new SecretRules(workspace, secrets, allowed.secrets(agent));
    List<Checkout> checkouts = new RepositoryFields(allowed, rules).read(body);
    Environment environment =
        new EnvironmentFields(agent.map(Agent::variables).orElse(Set.of()), rules).read(body);
    return new SessionInputs(
        model(body, agent), checkouts, files(body, workspace, checkouts), environment);
  }

  /// A sentence on each part of a new session that has no effect on its agent.
  List<String> warnings(NewSession session, Optional<Agent> agent) {
    return agent
        .flatMap(
            known -> PermissionFields.warning(session.permissions(), known, allowed.agentHosts()))
        .stream()
        .toList();
  }

  /// The follow-up that a message makes. The session is empty where there is none, or where it was
  /// not needed and so not read.
  FollowUp ofMessage(
      BodyFields body,
      Workspace workspace,
      @Nullable TurnId expected,
      String message,
      Optional<Session> session,
      Optional<Agent> agent,
      Ceilings limits,
      String keyId) {
    refuseWithoutGit(body, agent);
    return new FollowUp(
        message,
        expected,
        body.oneOf("on_running", OnRunning.class).orElse(OnRunning.INTERRUPT),
        session.isEmpty() ? null : model(body, agent),
        files(body, workspace, List.of()),
        credentials(body, workspace, session, agent),
        limits,
        keyId);
  }

  /// Whether the session must be read to check a message that goes to it.
  static boolean asksOfSession(BodyFields body) {
    return body.has("model") || body.has("repositories");
  }

  /// The hash of a request body, which is stored with its idempotency key. A body that may hold
  /// tokens has a keyed hash, since a short token could be guessed by a plain one.
  Function<byte[], String> hash(BodyFields body) {
    return body.has("repositories") || body.has("environment") || body.has("webhook")
        ? bytes -> seal.get().fingerprint(bytes)
        : Sha256::hex;
  }

  private void refuseWithoutGit(BodyFields body, Optional<Agent> agent) {
    if (body.has("repositories") && !allowed.git(agent)) {
      body.fault("repositories", "needs git, which the operator has not installed");
    }
  }

  private static @Nullable String model(BodyFields body, Optional<Agent> agent) {
    Optional<String> model = body.optional("model", Integer.MAX_VALUE);
    List<String> models = agent.map(Agent::models).orElse(List.of());
    if (model.isPresent() && agent.isPresent() && !models.contains(model.get())) {
      body.fault(
          "model",
          models.isEmpty()
              ? "must be left out: this agent has no choice of models"
              : "must be one of " + String.join(", ", models));
    }
    return model.orElse(null);
  }

  private List<InputFile> files(BodyFields body, Workspace workspace, List<Checkout> checkouts) {
    return new FileFields(
            artifact -> artifacts.find(workspace, artifact),
            upload -> uploads.get().ready(workspace, upload))
        .read(body, checkouts);
  }

  private Map<Integer, Credential> credentials(
      BodyFields body, Workspace workspace, Optional<Session> session, Optional<Agent> agent) {
    Map<Integer, Credential> credentials = new LinkedHashMap<>();
    SecretRules rules = new SecretRules(workspace, secrets, allowed.secrets(agent));
    for (BodyFields one : body.objects("repositories", MOST_REPOSITORIES, REPOSITORY)) {
      String path = one.required("path");
      Optional<Credential> credential = RepositoryFields.credential(one);
      if (!one.has("credential")) {
        one.fault("credential", "is required");
      }
      List<Repository> known =
          session.map(found -> found.configuration().repositories()).orElse(List.of());
      int number = number(known, path);
      if (session.isPresent() && number == 0) {
        one.fault("path", "must be that of a repository of the session");
      }
      if (number > 0 && credential.isPresent()) {
        rules.credential(one, RepositoryUrl.of(known.get(number - 1).url()), credential.get());
        credentials.put(number, credential.get());
      }
    }
    return credentials;
  }

  /// The number of the repository at a path, from 1; 0 where there is none.
  private static int number(List<Repository> repositories, String path) {
    return repositories.stream().map(Repository::path).toList().indexOf(path) + 1;
  }
}
