package agentsessions.runner.repository;

import agentsessions.rule.TurnErrorCode;
import agentsessions.runner.agent.TurnFailed;
import agentsessions.runner.agent.tool.PermissionRules;
import agentsessions.runner.control.ServiceClient;
import agentsessions.runner.network.git.GitRemote;
import agentsessions.runner.network.git.SessionBranch;
import agentsessions.wire.Work;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/// The factory of a turn's git remotes, with the permissions that its claim grants.
///
/// @param service records commits before they are pushed
/// @param allowPrivate whether plain http is allowed
/// @param rules of the session's permissions
/// @param plans whether the turn only plans
record RemoteFactory(
    ServiceClient service, boolean allowPrivate, PermissionRules rules, boolean plans) {

  /// The ruling on pushes of a turn that only plans: an agent that gets around its hook is to find
  /// no way out here.
  private static final PermissionRules.Ruling AFTER_APPROVAL =
      new PermissionRules.Ruling(
          PermissionRules.Policy.DENY,
          PermissionRules.PUSH,
          "This turn only plans; what it changes is pushed once the plan is approved.");

  GitRemote of(Work.Repository repository) throws TurnFailed {
    URI url = URI.create(repository.url());
    if (!"https".equalsIgnoreCase(url.getScheme()) && !allowPrivate) {
      throw new TurnFailed(
          TurnErrorCode.REPOSITORY_UNAVAILABLE,
          "The repository %s is not at an https address.".formatted(repository.url()));
    }
    return new GitRemote(
        repository.number(),
        url,
        Optional.ofNullable(repository.credential()).map(RemoteFactory::basic),
        repository.submodules(),
        Optional.ofNullable(repository.push()).map(push -> branch(push, repository)));
  }

  private SessionBranch branch(Work.Push push, Work.Repository repository) {
    return new SessionBranch(
        push.branch(),
        push.adopt(),
        repository.pushed(),
        commit -> service.commit(repository.number(), commit),
        ban(push, repository));
  }

  /// What a rule forbids comes first, since no approval of a plan changes it.
  private Optional<PermissionRules.Ruling> ban(Work.Push push, Work.Repository repository) {
    return Optional.of(rules.push(repository.url()))
        .filter(ruling -> isBan(ruling, push))
        .or(() -> Optional.of(AFTER_APPROVAL).filter(_ -> plans));
  }

  /// A push that was asked about may be allowed by now.
  private static boolean isBan(PermissionRules.Ruling ruling, Work.Push push) {
    return switch (ruling.policy()) {
      case DENY -> true;
      case ASK -> !Boolean.TRUE.equals(push.allowed());
      case ALLOW -> false;
    };
  }

  private static String basic(Work.Credential credential) {
    String pair = credential.username() + ":" + credential.password();
    return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
  }
}
