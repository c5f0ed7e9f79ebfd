package agentsessions.runner.turn;

import agentsessions.runner.agent.Event;
import agentsessions.runner.agent.NetworkAccess;
import agentsessions.runner.agent.TurnFailed;
import agentsessions.runner.capture.Capture;
import agentsessions.runner.capture.RepositoryFolder;
import agentsessions.runner.control.Claim;
import agentsessions.runner.control.Deadline;
import agentsessions.runner.control.ServiceClient;
import agentsessions.runner.control.TurnOutcome;
import agentsessions.runner.network.connection.PortForward;
import agentsessions.runner.repository.GitSandbox;
import agentsessions.runner.repository.Repositories;
import agentsessions.runner.repository.RepositoryChange;
import agentsessions.runner.sandbox.SessionFolder;
import agentsessions.wire.RepositoryReport;
import agentsessions.wire.TurnResult.Artifact;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The optional repositories of a turn, as the turn's steps use them: before the agent, after it,
/// and in the result.
final class TurnRepositories implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TurnRepositories.class);

  private final Optional<Repositories> repositories;
  private final boolean plans;
  private final Consumer<String> notes;
  private List<RepositoryChange> changes = List.of();

  /// @param plans whether the turn only plans
  /// @param notes receives sentences for the transcript
  private TurnRepositories(
      Optional<Repositories> repositories, boolean plans, Consumer<String> notes) {
    this.repositories = repositories;
    this.plans = plans;
    this.notes = notes;
  }

  static TurnRepositories of(
      Machine machine,
      ServiceClient service,
      Claim claim,
      SessionFolder folder,
      TurnLease lease,
      EventFeed feed)
      throws TurnFailed, IOException {
    boolean isClosed = machine.closesNetworks() && !claim.agent().network().unrestricted();
    GitSandbox gitSandbox =
        new GitSandbox(
            io -> machine.scripts(folder, io, claim.agent(), lease::onLost),
            isClosed ? NetworkAccess.NONE : NetworkAccess.UNRESTRICTED,
            isClosed);
    Consumer<String> notes =
        claim.isJob() ? _ -> {} : sentence -> feed.note(Event.message(sentence));
    return new TurnRepositories(
        Repositories.of(claim, service, folder, gitSandbox, notes), claim.onlyPlans(), notes);
  }

  /// Clones the repositories that are not cloned yet, and returns this; closes it on failure.
  ///
  /// @throws TurnFailed if one of them cannot be cloned
  TurnRepositories fetched(Deadline time) throws TurnFailed, IOException, InterruptedException {
    boolean done = false;
    try {
      if (repositories.isPresent()) {
        repositories.get().fetch(time);
      }
      done = true;
      return this;
    } finally {
      if (!done) {
        close();
      }
    }
  }

  /// The port forwards by which the agent reaches their hosts.
  List<PortForward> portForwards() {
    return repositories.map(Repositories::portForwards).orElse(List.of());
  }

  Map<String, String> variables() {
    return repositories.map(Repositories::variables).orElse(Map.of());
  }

  /// The agent's working directory, relative to the workspace.
  String startFolder() {
    return repositories.map(Repositories::startFolder).orElse("");
  }

  /// The folders whose files are not captured one by one.
  List<RepositoryFolder> folders() {
    return repositories.map(Repositories::folders).orElse(List.of());
  }

  /// Finds the changes, and pushes them if the turn was completed. Those of a turn that only plans
  /// are pushed by the one that carries the plan out: until then nobody has approved anything.
  void change(TurnOutcome outcome, Deadline time) throws TurnFailed, InterruptedException {
    if (repositories.isEmpty()) {
      return;
    }
    try {
      changes = repositories.get().changes();
      if (outcome instanceof TurnOutcome.Completed && !plans) {
        changes = repositories.get().push(changes, time);
      }
      changes.forEach(change -> change.problem().ifPresent(notes));
    } catch (IOException failed) {
      LOG.warn("repositories: {}", failed.toString());
      notes.accept("REPOSITORY_UNAVAILABLE: The runner could not look at the repositories.");
    }
  }

  /// Pushes the changes as the last patches have them; others are refused.
  void pushLast(Deadline time) throws TurnFailed, IOException, InterruptedException {
    Repositories of = repositories.orElseThrow();
    changes = of.push(of.changes().stream().map(RepositoryChange::onlyLast).toList(), time);
  }

  /// Adds the patches that are new.
  void addTo(Capture capture) throws IOException {
    for (RepositoryChange change : changes) {
      if (change.isNew()) {
        capture.addPatch(change.patches(), change.patch(), change.artifactPath());
      }
    }
  }

  List<RepositoryReport> reports(List<Artifact> artifacts) {
    return changes.stream().map(change -> change.report(artifacts)).toList();
  }

  @Override
  public void close() {
    repositories.ifPresent(Repositories::close);
  }
}
