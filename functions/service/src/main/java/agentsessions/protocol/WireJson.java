package agentsessions.protocol;

import agentsessions.rule.Ceiling;
import agentsessions.rule.ModelPrice;
import agentsessions.rule.Question;
import agentsessions.wire.Instruction;
import agentsessions.wire.RepositoryReport;
import agentsessions.wire.RunnerMessages;
import agentsessions.wire.TurnResult;
import agentsessions.wire.UsageReport;
import agentsessions.wire.Work;
import io.micronaut.serde.annotation.SerdeImport;

/// The JSON serializers of the runner protocol's messages. They are declared here because the
/// messages are in a module that does not depend on Micronaut.
@SerdeImport(RunnerMessages.Claim.class)
@SerdeImport(RunnerMessages.Commit.class)
@SerdeImport(RunnerMessages.Count.class)
@SerdeImport(RunnerMessages.DecisionRequest.class)
@SerdeImport(RunnerMessages.DecisionState.class)
@SerdeImport(RunnerMessages.Ended.class)
@SerdeImport(RunnerMessages.Event.class)
@SerdeImport(RunnerMessages.Events.class)
@SerdeImport(RunnerMessages.FileSize.class)
@SerdeImport(RunnerMessages.Link.class)
@SerdeImport(RunnerMessages.Live.class)
@SerdeImport(RunnerMessages.Next.class)
@SerdeImport(RunnerMessages.Parked.class)
@SerdeImport(RunnerMessages.Parking.class)
@SerdeImport(RunnerMessages.Part.class)
@SerdeImport(RunnerMessages.Parts.class)
@SerdeImport(RunnerMessages.Release.class)
@SerdeImport(RunnerMessages.Renewal.class)
@SerdeImport(RunnerMessages.Snapshot.class)
@SerdeImport(RunnerMessages.Standby.class)
@SerdeImport(RunnerMessages.Upload.class)
@SerdeImport(RunnerMessages.UploadRequest.class)
@SerdeImport(RunnerMessages.Uploads.class)
@SerdeImport(RunnerMessages.Waiting.class)
@SerdeImport(Ceiling.class)
@SerdeImport(Ceiling.Scope.class)
@SerdeImport(Ceiling.Unit.class)
@SerdeImport(Instruction.class)
@SerdeImport(ModelPrice.class)
@SerdeImport(Question.class)
@SerdeImport(Question.Option.class)
@SerdeImport(RepositoryReport.class)
@SerdeImport(RepositoryReport.Fault.class)
@SerdeImport(RepositoryReport.Pushed.class)
@SerdeImport(TurnResult.class)
@SerdeImport(TurnResult.Artifact.class)
@SerdeImport(TurnResult.Fault.class)
@SerdeImport(UsageReport.class)
@SerdeImport(UsageReport.OfModel.class)
@SerdeImport(Work.class)
@SerdeImport(Work.Credential.class)
@SerdeImport(Work.InputFile.class)
@SerdeImport(Work.ParkedCall.class)
@SerdeImport(Work.Permissions.class)
@SerdeImport(Work.PullRequest.class)
@SerdeImport(Work.Push.class)
@SerdeImport(Work.Repository.class)
@SerdeImport(Work.Rule.class)
final class WireJson {
  private WireJson() {}
}
