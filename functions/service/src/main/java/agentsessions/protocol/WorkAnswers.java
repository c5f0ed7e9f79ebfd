package agentsessions.protocol;

import agentsessions.aws.Bucket;
import agentsessions.aws.ModelKeys;
import agentsessions.session.Agent;
import agentsessions.session.Ending;
import agentsessions.session.Engine;
import agentsessions.session.Plans;
import agentsessions.session.Refusal;
import agentsessions.session.Turn;
import agentsessions.session.TurnError;
import agentsessions.session.TurnStatus;
import agentsessions.session.input.InputFile;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.repository.Checkout;
import agentsessions.session.repository.PushJob;
import agentsessions.session.repository.Repository;
import agentsessions.session.request.Decision;
import agentsessions.session.request.Request;
import agentsessions.session.usage.SpendingLimits;
import agentsessions.session.usage.Usage;
import agentsessions.turn.Endings;
import agentsessions.turn.Sandboxes;
import agentsessions.turn.TurnInputs;
import agentsessions.turn.TurnInputs.Loaded;
import agentsessions.turn.budget.SpendingCheck;
import agentsessions.turn.budget.TurnBudget;
import agentsessions.wire.Work;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The part of a claim's response that describes the turn's work. A turn that lacks a secret ends
/// here, before its agent has run.
@Singleton
public final class WorkAnswers {
  private final BeanProvider<TurnInputs> workload;
  private final Endings endings;
  private final Sandboxes sandboxes;
  private final Bucket bucket;
  private final SpendingCheck spending;
  private final BeanProvider<ModelKeys> keys;
  private final boolean allowPrivate;

  public WorkAnswers(
      BeanProvider<TurnInputs> workload,
      Endings endings,
      Sandboxes sandboxes,
      Bucket bucket,
      SpendingCheck spending,
      BeanProvider<ModelKeys> keys,
      @Property(name = "allow.private", defaultValue = "false") boolean allowPrivate) {
    this.workload = workload;
    this.endings = endings;
    this.sandboxes = sandboxes;
    this.bucket = bucket;
    this.spending = spending;
    this.keys = keys;
    this.allowPrivate = allowPrivate;
  }

  /// Null where there is the message and nothing else.
  @Nullable Work of(Turn turn) {
    return turn.work().equals(Turn.Work.NONE) && turn.parked().isEmpty()
        ? null
        : answer(turn, workload.get().of(turn));
  }

  /// The keys of the agent's model, for a runner that is a Lambda function; null on every other
  /// engine, and where the model needs none.
  @Nullable Map<String, String> keys(Agent agent) {
    Set<String> names = agent.engine() == Engine.LAMBDA ? agent.modelNames() : Set.of();
    return names.isEmpty() ? null : keys.get().named(names);
  }

  /// An agent's entry for its runner. A task has none of the operator's variables, so the entry is
  /// filled in here, from the secret that also has the models' keys.
  ///
  /// @param variables the names that may be filled in; never that of a key
  Map<String, Object> entry(Agent agent, Set<String> variables) {
    return agent.engine() == Engine.FARGATE && !variables.isEmpty()
        ? agent.filled(keys.get().named(variables))
        : agent.entry();
  }

  /// Ends a turn that has nothing left to use, before its agent runs.
  ///
  /// @param spendingLimits those of its workspace
  void refuseSpent(Turn turn, TurnBudget budget, SpendingLimits spendingLimits) {
    if (turn.isJob()) {
      return; // it uses no model
    }
    budget
        .reached()
        .or(() -> spending.reached(turn.key().sessionKey().workspace(), spendingLimits))
        .ifPresent(ceiling -> {
          giveUp(turn, TurnError.budgetReached(ceiling));
          throw RunnerTokenCheck.notLive();
        });
  }

  /// Ends a turn for whose work AWS does not allow a call.
  ///
  /// @return what to tell its runner
  Refusal notAllowed(Turn turn) {
    giveUp(turn, TurnError.launchRefused());
    return RunnerTokenCheck.notLive();
  }

  private @Nullable Work answer(Turn turn, Loaded loaded) {
    return switch (loaded) {
      case Loaded.Nothing _ -> null;
      case Loaded.Ready ready -> work(turn, ready);
      case Loaded.Missing missing -> {
        giveUp(turn, TurnError.secretUnavailable(missing.names()));
        throw RunnerTokenCheck.notLive();
      }
    };
  }

  /// Ends a turn that has just been claimed, with what its earlier runners have used. Nothing has
  /// been done in its sandbox since, which is released.
  private void giveUp(Turn turn, TurnError error) {
    Usage used = turn.account().usage();
    Ending ending = Ending.failed(TurnStatus.FAILED, error, List.of()).using(used);
    boolean _ = endings.end(turn, ending, Plans.NONE);
    sandboxes.release(turn, true, Optional.of(used));
  }

  private Work work(Turn turn, Loaded.Ready ready) {
    List<Work.Repository> repositories = new ArrayList<>();
    PushJob job = turn.work().job();
    for (int number = 1; number <= ready.repositories().size(); number++) {
      if (job == null || job.push(number).isPresent()) {
        repositories.add(repository(turn, number, ready.repositories().get(number - 1)));
      }
    }
    return new Work(
        ready.model(),
        ready.variables(),
        ready.secrets(),
        ready.masked(),
        ready.setup(),
        ready.files().stream().map(this::file).toList(),
        repositories,
        allowPrivate,
        Optional.ofNullable(ready.permissions())
            .map(rules -> permissions(turn, rules))
            .orElse(null),
        job != null ? true : null,
        Optional.ofNullable(ready.parked()).map(WorkAnswers::parked).orElse(null),
        ready.parked() == null ? null : UsageReports.report(turn.account().usage()));
  }

  private static Work.ParkedCall parked(TurnInputs.DecidedCall decided) {
    Request request = decided.request();
    Request.Tool tool = Objects.requireNonNull(request.tool());
    Decision decision = Objects.requireNonNull(request.decision());
    return new Work.ParkedCall(
        decided.call(),
        tool.name(),
        tool.kind().word(),
        request.title(),
        request.fingerprint(),
        decision.word().text(),
        decision.note(),
        decision.answers().isEmpty() ? null : decision.answers());
  }

  private Work.InputFile file(InputFile file) {
    return switch (file) {
      case InputFile.Inline(String path, ByteBuffer content) ->
          new Work.InputFile(path, base64(content), null, content.remaining(), null);
      case InputFile.Stored(String path, String key, long size, String sha256) ->
          new Work.InputFile(path, null, bucket.runnerLink(key), size, sha256);
    };
  }

  private Work.Repository repository(Turn turn, int number, TurnInputs.Assigned assigned) {
    Checkout checkout = assigned.checkout();
    Repository known = assigned.known();
    Optional<Repository.Patch> patch = Optional.ofNullable(known.patch());
    return new Work.Repository(
        number,
        checkout.url().uri().toString(),
        checkout.ref(),
        checkout.path(),
        checkout.depth(),
        checkout.submodules(),
        assigned
            .login()
            .map(login -> new Work.Credential(login.username(), login.password()))
            .orElse(null),
        known.baseCommit(),
        patch.map(Repository.Patch::sha256).orElse(null),
        patch.map(kept -> bucket.runnerLink(kept.objectKey())).orElse(null),
        patch.map(Repository.Patch::tree).orElse(null),
        assigned.pushed(),
        Optional.ofNullable(checkout.push()).map(push -> push(turn, push, assigned)).orElse(null));
  }

  private static Work.Push push(Turn turn, Checkout.Push push, TurnInputs.Assigned assigned) {
    return new Work.Push(
        push.branch(turn.sessionId()),
        push.adopt(),
        push.base(),
        Optional.ofNullable(push.provider()).map(Checkout.Provider::word).orElse(null),
        Optional.ofNullable(push.pullRequest())
            .map(asked -> new Work.PullRequest(asked.title(), asked.body(), asked.draft()))
            .orElse(null),
        turn.isJob() ? null : assigned.known().pullRequestUrl(),
        assigned.allowed() ? true : null);
  }

  private static Work.Permissions permissions(Turn turn, ToolPermissions permissions) {
    return new Work.Permissions(
        permissions.byDefault().word(),
        permissions.rules().stream().map(WorkAnswers::rule).toList(),
        permissions.asking().holdSeconds(),
        permissions.asking().questions(),
        permissions.asking().plan() && !turn.work().approved());
  }

  private static Work.Rule rule(ToolPermissions.Rule rule) {
    return new Work.Rule(
        rule.kind() == null ? null : rule.kind().word(),
        rule.tool(),
        rule.match(),
        rule.policy().word());
  }

  private static String base64(ByteBuffer content) {
    byte[] bytes = new byte[content.remaining()];
    content.duplicate().get(bytes);
    return Base64.getEncoder().encodeToString(bytes);
  }
}
