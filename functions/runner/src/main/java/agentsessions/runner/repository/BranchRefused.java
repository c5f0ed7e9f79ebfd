package agentsessions.runner.repository;

import agentsessions.rule.TurnErrorCode;
import agentsessions.runner.agent.TurnFailed;
import agentsessions.wire.RepositoryReport;
import agentsessions.wire.RepositoryReport.Fault;
import agentsessions.wire.Work;

/// Thrown where a repository is not cloned because its changes could not be pushed to the requested
/// branch.
public final class BranchRefused extends TurnFailed {
  private static final long serialVersionUID = 1;

  private final transient RepositoryReport report;

  BranchRefused(Work.Repository repository, String code, String message) {
    super(TurnErrorCode.REPOSITORY_UNAVAILABLE, message);
    this.report =
        new RepositoryReport(
            repository.number(),
            null,
            null,
            null,
            0,
            0,
            0,
            null,
            repository.patchSha256(),
            repository.tree(),
            null,
            null,
            new Fault(code, message));
  }

  /// The repository's part of the turn's result. Its last patch still holds.
  public RepositoryReport report() {
    return report;
  }
}
