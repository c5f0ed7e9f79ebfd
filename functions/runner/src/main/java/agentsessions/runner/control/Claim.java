package agentsessions.runner.control;

import static java.util.Objects.requireNonNullElse;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.Json;
import agentsessions.runner.agent.tool.PermissionRules;
import agentsessions.runner.agent.tool.PlanMode;
import agentsessions.runner.usage.ModelBudget;
import agentsessions.wire.Instruction;
import agentsessions.wire.UsageReport;
import agentsessions.wire.Work;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// A claimed turn of this runner.
///
/// @param turn as the service described it when it was claimed
/// @param agent the catalogue's rules for running its agent
public record Claim(Instruction turn, AgentEntry agent) {

  /// Reads the response to a claim.
  public static Claim of(JsonNode answer) throws JsonProcessingException {
    return new Claim(
        Json.MAPPER.treeToValue(answer, Instruction.class),
        Json.MAPPER.treeToValue(answer.path("agent"), AgentEntry.class));
  }

  /// The budget of the agent's requests to its model.
  public ModelBudget budget() {
    long most = agent.model() == null ? Long.MAX_VALUE : agent.model().maxRequests();
    return ModelBudget.of(
        requireNonNullElse(turn.ceilings(), List.of()),
        requireNonNullElse(turn.prices(), List.of()),
        most);
  }

  /// Whether no agent runs: only the changes of its repositories are pushed.
  public boolean isJob() {
    return turn.work() != null && Boolean.TRUE.equals(turn.work().job());
  }

  /// The call for which the turn was parked; empty for one that begins.
  public Optional<Work.ParkedCall> parked() {
    return Optional.ofNullable(turn.work()).map(Work::parked);
  }

  /// The permissions of its session; empty: everything is allowed.
  public Optional<Work.Permissions> permissions() {
    return Optional.ofNullable(turn.work()).map(Work::permissions);
  }

  /// The rules by which its calls, connections and pushes are judged.
  public PermissionRules rules() {
    return permissions().map(PermissionRules::of).orElse(PermissionRules.ALL);
  }

  /// The usage of the turn's earlier runners, if there were any.
  public Optional<UsageReport> used() {
    return Optional.ofNullable(turn.work()).map(Work::used);
  }

  /// The name of the object that this turn's sandbox is saved as.
  public String snapshotKey() {
    return "sandboxes/%s/%s/%d".formatted(turn.sessionId(), turn.threadId(), turn.fence());
  }

  /// The time until the deadline of the turn, which does not count the time for which a person was
  /// waited for since it was claimed.
  public Duration timeLeft(Clock clock, Duration held) {
    long millis = Math.round(turn.deadlineAt() * 1000) + held.toMillis() - clock.millis();
    return Duration.ofMillis(Math.max(0, millis));
  }

  /// The mode in which the agent is to plan only, if it is to, and has one.
  public Optional<PlanMode.Entry> planMode() {
    return permissions()
        .filter(Work.Permissions::plan)
        .flatMap(_ -> Optional.ofNullable(agent.plan()));
  }

  /// Whether nothing that the turn changes is to go out. A job has its session's permissions, and
  /// carries out what was done before.
  public boolean onlyPlans() {
    return planMode().isPresent() && !isJob();
  }

  /// Without the message, the token and the work, which are secret.
  @Override
  public String toString() {
    return turn.toString();
  }
}
