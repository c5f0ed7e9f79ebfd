package agentsessions.api.sessions;

import agentsessions.api.request.BodyFields;
import agentsessions.session.Session;
import agentsessions.session.id.SessionKey;
import agentsessions.session.repository.Checkout;
import agentsessions.session.repository.Checkout.PullRequest;
import agentsessions.session.repository.Checkout.Push;
import agentsessions.session.repository.PushJob;
import agentsessions.session.repository.Repository;
import agentsessions.store.session.StoredInputs;
import agentsessions.store.session.StoredInputs.Known;
import agentsessions.turn.intake.PullRequestIntake.Wanted;
import io.micronaut.context.BeanProvider;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The reader of a request for a pull request. Branch, base and provider that it leaves out are
/// those of the session's own `push`, where there is one.
@Singleton
final class PullRequestFields {
  private static final Push NONE = new Push(null, false, null, null, null);

  private final BeanProvider<StoredInputs> storedInputs;

  PullRequestFields(BeanProvider<StoredInputs> storedInputs) {
    this.storedInputs = storedInputs;
  }

  /// Empty where there is no session, or where the request is at fault, which `body` knows.
  ///
  /// @param path of the repository, as the request has it
  Optional<Wanted> read(
      BodyFields body, String path, SessionKey key, Optional<Session> session, String keyId) {
    PullRequest pullRequest = RepositoryFields.pullRequest(body);
    Optional<String> branch = RepositoryFields.branch(body, "branch");
    Optional<String> base = RepositoryFields.branch(body, "base");
    Optional<Integer> number = session.map(known -> number(body, known, path)).filter(n -> n > 0);
    Optional<Known> known = number.flatMap(found -> storedInputs.get().known(key, found));
    Checkout.@Nullable Provider told =
        RepositoryFields.provider(body, known.map(found -> found.checkout().url()));
    boolean isGiven = body.has("provider");
    return known.map(found -> {
      Push own = Optional.ofNullable(found.checkout().push()).orElse(NONE);
      Push push =
          new Push(
              branch.orElse(own.branch()),
              own.adopt() && branch.filter(one -> !one.equals(own.branch())).isEmpty(),
              base.orElse(own.base()),
              isGiven || own.provider() == null ? told : own.provider(),
              pullRequest);
      if (push.provider() == null && !isGiven) {
        RepositoryFields.missProvider(body);
      }
      if (push.branch(key.id()).equals(push.base())) {
        body.fault("base", "must be another branch than the one that is pushed to");
      }
      return new Wanted(
          PushJob.of(number.orElseThrow(), push, subject(pullRequest, session)),
          found.hasCredential(),
          keyId);
    });
  }

  private static String subject(PullRequest pullRequest, Optional<Session> session) {
    return Optional.ofNullable(pullRequest.title())
        .or(() -> session.map(Session::title))
        .orElse("Changes");
  }

  private static int number(BodyFields body, Session session, String path) {
    List<String> paths =
        session.configuration().repositories().stream().map(Repository::path).toList();
    if (!path.isBlank() && !paths.contains(path)) {
      body.fault("path", "must be that of a repository of the session");
    }
    return paths.indexOf(path) + 1;
  }
}
