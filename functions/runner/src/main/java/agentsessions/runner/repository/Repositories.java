package agentsessions.runner.repository;

import agentsessions.runner.agent.TurnFailed;
import agentsessions.runner.agent.tool.PermissionRules;
import agentsessions.runner.capture.Globs;
import agentsessions.runner.capture.RepositoryFolder;
import agentsessions.runner.capture.UntrustedFolder;
import agentsessions.runner.control.Claim;
import agentsessions.runner.control.Deadline;
import agentsessions.runner.control.ServiceClient;
import agentsessions.runner.network.connection.Addresses;
import agentsessions.runner.network.connection.PortForward;
import agentsessions.runner.network.git.GitHostApi;
import agentsessions.runner.network.git.GitProxy;
import agentsessions.runner.network.git.GitRemote;
import agentsessions.runner.repository.CloneRecords.Clone;
import agentsessions.runner.sandbox.SessionFolder;
import agentsessions.wire.RepositoryReport.Fault;
import agentsessions.wire.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The repositories of one turn: cloned before the agent runs, inspected after it, and pushed if
/// the client wants that. Keeps the proxy to their hosts open as long as the turn needs it.
public final class Repositories implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Repositories.class);
  private static final Duration TO_PUSH = Duration.ofSeconds(60);

  private final Claim claim;
  private final Work work;
  private final SessionFolder session;
  private final GitSandbox gitSandbox;
  private final Consumer<String> notes;
  private final List<GitRemote> remotes;
  private final GitProxy proxy;
  private final CloneRecords clones;

  private Repositories(
      Claim claim,
      Work work,
      SessionFolder session,
      GitSandbox gitSandbox,
      Consumer<String> notes,
      List<GitRemote> remotes)
      throws IOException {
    this.claim = claim;
    this.work = work;
    this.session = session;
    this.gitSandbox = gitSandbox;
    this.notes = notes;
    this.remotes = remotes;
    this.clones = CloneRecords.load(session);
    Addresses addresses = new Addresses(work.allowPrivate());
    this.proxy =
        gitSandbox.isClosed()
            ? GitProxy.onSocket(remotes, addresses)
            : GitProxy.onLoopback(remotes, addresses);
    if (gitSandbox.isClosed()) {
      session.user().own(proxy.socket());
    }
  }

  /// The repositories of a claim; empty if it has none.
  ///
  /// @param notes receives sentences for the transcript
  public static Optional<Repositories> of(
      Claim claim,
      ServiceClient service,
      SessionFolder session,
      GitSandbox gitSandbox,
      Consumer<String> notes)
      throws TurnFailed, IOException {
    Work work = claim.turn().work();
    if (work == null || work.repositories().isEmpty()) {
      return Optional.empty();
    }
    List<GitRemote> remotes = new ArrayList<>();
    RemoteFactory factory =
        new RemoteFactory(service, work.allowPrivate(), claim.rules(), claim.onlyPlans());
    for (Work.Repository repository : work.repositories()) {
      remotes.add(factory.of(repository));
    }
    return Optional.of(new Repositories(claim, work, session, gitSandbox, notes, remotes));
  }

  /// Clones the repositories that are not cloned yet.
  ///
  /// @throws TurnFailed if one of them cannot be cloned; the next turn tries again
  public void fetch(Deadline time) throws TurnFailed, IOException, InterruptedException {
    for (int index = 0; index < remotes.size(); index++) {
      Work.Repository repository = work.repositories().get(index);
      GitRemote remote = remotes.get(index);
      if (clones.of(repository.number()).isEmpty()) {
        fetch(repository, remote, time);
      }
      adopt(remote);
    }
    session.removeTurnFolders();
  }

  private void adopt(GitRemote remote) {
    String head =
        clones
            .of(remote.number())
            .flatMap(clone -> Optional.ofNullable(clone.adopted()))
            .orElse("");
    remote.pushes().ifPresent(branch -> branch.adopt(head));
  }

  private void fetch(Work.Repository repository, GitRemote remote, Deadline time)
      throws TurnFailed, IOException, InterruptedException {
    String adopted = new BranchCheck(proxy, repository, remote).adopted();
    Path io = session.makeTurnFolder("");
    Globs plans = Globs.inWorkspace(claim.agent().plans());
    Optional<Clone> clone =
        new RepositoryClone(git(io), io, claim.turn().agentName(), plans, notes)
            .run(repository, remote, adopted, time.remaining());
    if (clone.isPresent()) {
      clones.save(session, repository.number(), clone.get());
      notes.accept(
          "Cloned %s into %s%s."
              .formatted(
                  repository.url(),
                  repository.path(),
                  remotes.size() == 1 ? ", where the agent works" : ""));
    }
  }

  /// The port forwards by which the agent reaches the hosts from a sandbox without a network.
  public List<PortForward> portForwards() {
    return proxy.portForward().stream().toList();
  }

  /// The environment variables by which git in the sandbox finds the proxy.
  public Map<String, String> variables() {
    return proxy.loopbackUrl().isPresent() ? GitScripts.settings(proxy, List.of()) : Map.of();
  }

  /// The agent's working directory, relative to the workspace: the repository, if there is exactly
  /// one.
  public String startFolder() {
    String path = work.repositories().getFirst().path();
    return remotes.size() == 1 && isFolder(path) ? path : "";
  }

  private boolean isFolder(String path) {
    Path at = session.work();
    for (Path name : Path.of(path)) {
      at = at.resolve(name);
      if (!Files.isDirectory(at, LinkOption.NOFOLLOW_LINKS)) {
        return false;
      }
    }
    return true;
  }

  /// The folders whose files are not captured one by one.
  public List<RepositoryFolder> folders() {
    return work.repositories().stream()
        .map(repository ->
            new RepositoryFolder(
                Path.of(repository.path()),
                clones.of(repository.number()).map(Clone::plans).orElse(Map.of())))
        .toList();
  }

  /// The changes of the repositories, as they are after the agent; of a push that a person has
  /// allowed, as the stored patch has them. The patches are in a folder of the turn's own until
  /// these are removed. What this runner cannot read is an error of the repository; a job fails
  /// instead, since it can be tried again.
  public List<RepositoryChange> changes() throws TurnFailed, IOException, InterruptedException {
    Path io = session.addTurnFolder("");
    List<RepositoryChange> changes = new ArrayList<>();
    for (Work.Repository repository : work.repositories()) {
      Optional<Clone> clone = clones.of(repository.number());
      if (clone.isPresent()) {
        changes.add(change(repository, clone.get().base(), io));
      }
    }
    return changes;
  }

  private RepositoryChange change(Work.Repository repository, String base, Path io)
      throws TurnFailed, IOException, InterruptedException {
    long turn = claim.turn().turnNumber();
    try {
      return claim.isJob() && isDecided(repository)
          ? new StoredPatch(session, io, turn).run(repository)
          : new RepositoryInspection(git(io), session, io, turn, notes)
              .run(repository, base, remotes.get(number(repository.number())));
    } catch (IOException failed) {
      if (claim.isJob()) {
        throw failed;
      }
      LOG.warn("look at repository {}: {}", repository.number(), failed.toString());
      String message = "The runner could not look at it, and says why in its log.";
      return RepositoryChange.of(
          repository,
          base,
          new RepositoryState.Failed(new Fault("REPOSITORY_UNAVAILABLE", message)),
          new UntrustedFolder(io),
          turn);
    }
  }

  /// Pushes the changes. What this runner cannot push is an error of the repository; a job fails
  /// instead, since it can be tried again.
  ///
  /// @param changes as they were found; they are returned with the outcome of the push
  public List<RepositoryChange> push(List<RepositoryChange> changes, Deadline most)
      throws TurnFailed, IOException, InterruptedException {
    Deadline time = Deadline.of(most.atMost(TO_PUSH));
    List<RepositoryChange> pushed = new ArrayList<>();
    try (GitHostApi api = new GitHostApi(new Addresses(work.allowPrivate()))) {
      for (RepositoryChange change : changes) {
        int number = change.repository().number();
        GitScripts git = git(change.patches().root());
        boolean shown = isDecided(change.repository());
        RepositoryPush push =
            new RepositoryPush(
                git, session, clones, new PullRequests(api), shown, author(), subject());
        GitRemote remote = remotes.get(number(number));
        try {
          pushed.add(push.run(change, remote, RepositoryInspection.own(git, number), time));
        } catch (IOException failed) {
          if (claim.isJob()) {
            throw failed;
          }
          LOG.warn("push of repository {}: {}", number, failed.toString());
          pushed.add(
              change.failed("PUSH_REFUSED", "The runner could not push, and says why in its log."));
        }
      }
    }
    return pushed;
  }

  /// Whether a person decides, or has decided, on just this push. With a grant the agent itself may
  /// push in its turns.
  private boolean isDecided(Work.Repository repository) {
    Work.Push push = repository.push();
    return push != null
        && claim.rules().push(repository.url()).policy() == PermissionRules.Policy.ASK
        && (claim.isJob() || !Boolean.TRUE.equals(push.allowed()));
  }

  private int number(int number) {
    return work.repositories().stream().map(Work.Repository::number).toList().indexOf(number);
  }

  private GitScripts git(Path io) throws TurnFailed {
    ScriptRunner scripts = gitSandbox.maker().at(io);
    return new GitScripts(
        scripts, scripts.sandboxes().get().folders().io(), proxy, gitSandbox.network());
  }

  private String author() {
    return claim.turn().agentName();
  }

  private String subject() {
    return CommitSubject.of(claim.turn().message(), claim.turn().agentName());
  }

  @Override
  public void close() {
    proxy.close();
  }
}
