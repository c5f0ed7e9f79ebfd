package agentsessions.api.sessions;

import agentsessions.api.request.BodyFields;
import agentsessions.api.workspace.SecretRules;
import agentsessions.session.input.Secret;
import agentsessions.session.input.WorkspacePath;
import agentsessions.session.repository.Checkout;
import agentsessions.session.repository.Checkout.Credential;
import agentsessions.session.repository.Checkout.PullRequest;
import agentsessions.session.repository.Checkout.Push;
import agentsessions.session.repository.GitRef;
import agentsessions.session.repository.RepositoryUrl;
import agentsessions.turn.catalogue.OperatorPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The reader of `repositories` in a request: those that a session is to start with.
///
/// @param allowed what the operator allows, such as http beside https
/// @param rules the check of the secrets that are named
record RepositoryFields(OperatorPolicy allowed, SecretRules rules) {
  private static final String EXAMPLE = "{\"url\": …}";
  private static final int MOST_DEPTH = 10_000;
  private static final int DEPTH = 50;
  private static final int MOST_USERNAME = 255;
  private static final int MOST_TOKEN = 4_096;
  private static final int MOST_TITLE = 200;
  private static final int MOST_BODY = 4_000;
  private static final String PROVIDERS =
      String.join(
          ", ", Arrays.stream(Checkout.Provider.values()).map(Checkout.Provider::word).toList());

  /// The repositories whose URL can be read. Every fault is recorded in `body`.
  List<Checkout> read(BodyFields body) {
    List<BodyFields> given = body.objects("repositories", Checkout.MOST, EXAMPLE);
    List<Checkout> read = new ArrayList<>();
    List<String> paths = new ArrayList<>();
    for (BodyFields one : given) {
      Optional<RepositoryUrl> url = url(one);
      String path = path(one, url);
      meeting(path, paths)
          .ifPresent(other ->
              one.fault(
                  "path", "must have nothing in common with repositories[%d]".formatted(other)));
      paths.add(path);
      checkout(one, url, path).ifPresent(read::add);
    }
    return read;
  }

  /// The credential for a repository's host, if the request has one.
  static Optional<Credential> credential(BodyFields repository) {
    return repository
        .object("credential", "{\"secret\": …}")
        .flatMap(RepositoryFields::credentialOf);
  }

  private Optional<RepositoryUrl> url(BodyFields one) {
    String text = one.required("url");
    Optional<String> fault =
        text.isBlank() ? Optional.empty() : allowed.fault(text, RepositoryUrl::fault);
    one.fault("url", fault);
    return text.isBlank() || fault.isPresent()
        ? Optional.empty()
        : Optional.of(RepositoryUrl.of(text));
  }

  /// The folder of a repository; empty where neither the request nor the URL gives one.
  private static String path(BodyFields one, Optional<RepositoryUrl> url) {
    Optional<String> given = one.optional("path", Integer.MAX_VALUE);
    String path = given.or(() -> url.map(RepositoryUrl::name)).orElse("");
    if (given.isPresent() || !path.isEmpty()) {
      one.fault("path", WorkspacePath.faultOfFolder(path));
    }
    return path;
  }

  private static Optional<Integer> meeting(String path, List<String> paths) {
    for (int i = 0; i < paths.size() && !path.isEmpty(); i++) {
      if (!paths.get(i).isEmpty() && WorkspacePath.meet(path, paths.get(i))) {
        return Optional.of(i);
      }
    }
    return Optional.empty();
  }

  private Optional<Checkout> checkout(BodyFields one, Optional<RepositoryUrl> url, String path) {
    Optional<String> ref = one.optional("ref", Integer.MAX_VALUE);
    one.fault("ref", ref.flatMap(GitRef::fault));
    int depth = one.whole("depth", MOST_DEPTH).orElse(DEPTH);
    boolean submodules = one.flag("submodules").orElse(false);
    Optional<Credential> credential = credential(one);
    url.ifPresent(known -> credential.ifPresent(given -> rules.credential(one, known, given)));
    Push push = one.object("push", "{\"branch\": …}").map(given -> push(given, url)).orElse(null);
    if (push != null && push.pullRequest() != null && !one.has("credential")) {
      one.fault("credential", "is required for a pull request");
    }
    if (push != null) {
      rules.push(one);
    }
    return url.map(known ->
        new Checkout(
            known, ref.orElse(null), path, depth, submodules, credential.orElse(null), push));
  }

  private static Optional<Credential> credentialOf(BodyFields fields) {
    String username = fields.optional("username", MOST_USERNAME).orElse(null);
    if (username != null && !isPlain(username.replace(":", "\n"))) {
      fields.fault("username", "must be without control characters and colons");
    }
    Optional<String> secret = fields.optional("secret", Integer.MAX_VALUE);
    Optional<String> token = fields.optional("token", MOST_TOKEN);
    if (secret.isPresent() == token.isPresent()) {
      fields.fault("must have either secret or token");
    }
    if (secret.filter(name -> !name.matches(Secret.NAME)).isPresent()) {
      fields.fault("secret", "must be the name of a secret");
    }
    if (token.filter(text -> text.isBlank() || !isPlain(text)).isPresent()) {
      fields.fault("token", "must not be blank, nor have control characters");
    }
    return secret
        .<Credential>map(name -> new Credential.OfSecret(username, name))
        .or(() -> token.map(text -> new Credential.Token(username, text)));
  }

  private static Push push(BodyFields fields, Optional<RepositoryUrl> url) {
    Optional<String> branch = branch(fields, "branch");
    Optional<String> base = branch(fields, "base");
    if (branch.isPresent() && branch.equals(base)) {
      fields.fault("base", "must be another branch than the one that is pushed to");
    }
    PullRequest pullRequest =
        fields
            .object("pull_request", "{\"title\": …}")
            .map(RepositoryFields::pullRequest)
            .orElse(null);
    Checkout.Provider provider = provider(fields, url);
    if (pullRequest != null && provider == null && !fields.has("provider") && url.isPresent()) {
      missProvider(fields);
    }
    return new Push(
        branch.orElse(null),
        fields.flag("adopt").orElse(false),
        base.orElse(null),
        provider,
        pullRequest);
  }

  /// The name of a branch, if the request has one.
  static Optional<String> branch(BodyFields fields, String field) {
    Optional<String> branch = fields.optional(field, Integer.MAX_VALUE);
    fields.fault(field, branch.flatMap(GitRef::faultOfBranch));
    return branch;
  }

  static void missProvider(BodyFields fields) {
    fields.fault(
        "provider", "must be one of %s: the host's name does not tell".formatted(PROVIDERS));
  }

  static PullRequest pullRequest(BodyFields fields) {
    String title = fields.optional("title", MOST_TITLE).orElse(null);
    if (title != null && (title.isBlank() || !isPlain(title))) {
      fields.fault("title", "must be one line, and not blank");
    }
    return new PullRequest(
        title, fields.optional("body", MOST_BODY).orElse(null), fields.flag("draft").orElse(false));
  }

  /// The provider that the request names, or that the host's name tells; else null.
  static Checkout.@Nullable Provider provider(BodyFields fields, Optional<RepositoryUrl> url) {
    Optional<String> word = fields.optional("provider", Integer.MAX_VALUE);
    if (word.isEmpty()) {
      return url.map(Checkout.Provider::of).orElse(null);
    }
    Optional<Checkout.Provider> provider =
        Arrays.stream(Checkout.Provider.values())
            .filter(one -> one.word().equals(word.get()))
            .findFirst();
    if (provider.isEmpty()) {
      fields.fault("provider", "must be one of " + PROVIDERS);
    }
    return provider.orElse(null);
  }

  private static boolean isPlain(String text) {
    return text.chars().noneMatch(Character::isISOControl);
  }
}
