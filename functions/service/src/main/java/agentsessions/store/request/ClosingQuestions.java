package agentsessions.store.request;

import agentsessions.session.Ending;
import agentsessions.session.Turn;
import agentsessions.session.TurnStatus;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.repository.Checkout;
import agentsessions.session.repository.PushJob;
import agentsessions.session.repository.Repository;
import agentsessions.session.request.RequestedPush;
import agentsessions.store.session.StoredInputs;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import agentsessions.table.item.PermissionsItem;
import io.micronaut.context.BeanProvider;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The questions to a person that the end of a turn or a job leaves: about its plan, or about
/// pushes that its runner has left undone.
///
/// Why: decisions 042 and 046.
@Singleton
public final class ClosingQuestions {
  private final Table table;
  private final BeanProvider<StoredInputs> storedInputs;

  public ClosingQuestions(Table table, BeanProvider<StoredInputs> storedInputs) {
    this.table = table;
    this.storedInputs = storedInputs;
  }

  /// What a person is asked about, and how.
  public sealed interface Asked {
    ToolPermissions.Asking how();

    record AboutPlan(ToolPermissions.Asking how) implements Asked {}

    /// Its pushes, of which there is at least one.
    record AboutPushes(ToolPermissions.Asking how, List<RequestedPush> pushes) implements Asked {}
  }

  /// What the end of a turn asks. A turn that only plans asks about its plan, and its pushes wait
  /// for the next turn.
  public Optional<Asked> of(Turn turn, Ending ending) {
    return ending.status() == TurnStatus.COMPLETED
        ? permissions(turn).flatMap(rules -> of(turn, ending, rules))
        : Optional.empty();
  }

  private Optional<Asked> of(Turn turn, Ending ending, ToolPermissions rules) {
    if (rules.asking().plan() && !turn.work().approved() && !turn.isJob()) {
      return Optional.of(new Asked.AboutPlan(rules.asking()));
    }
    List<RequestedPush> pushes = rules.asksAboutPushes() ? pushes(turn, ending) : List.of();
    return pushes.isEmpty()
        ? Optional.empty()
        : Optional.of(new Asked.AboutPushes(rules.asking(), pushes));
  }

  private Optional<ToolPermissions> permissions(Turn turn) {
    return Optional.ofNullable(turn.work().permissions())
        .flatMap(version -> table.item(Layout.permissions(turn.key().sessionKey(), version)))
        .map(PermissionsItem::read);
  }

  /// Those that its runner reports as waiting. It is believed only where there is a destination and
  /// something to push.
  private List<RequestedPush> pushes(Turn turn, Ending ending) {
    List<RequestedPush> pushes = new ArrayList<>();
    for (int number = 1; number <= ending.repositories().size(); number++) {
      Repository repository = ending.repositories().get(number - 1);
      if (repository.isWaiting()) {
        push(turn, number, repository).forEach(pushes::add);
      }
    }
    return List.copyOf(pushes);
  }

  private Stream<RequestedPush> push(Turn turn, int number, Repository repository) {
    Repository.Patch patch = repository.patch();
    return patch == null
        ? Stream.empty()
        : destination(turn, number).stream()
            .map(push ->
                new RequestedPush(
                    new PushJob.Target(number, push),
                    repository.url(),
                    repository.path(),
                    push.branch(turn.sessionId()),
                    repository.headCommit(),
                    repository.baseCommit(),
                    patch.sha256(),
                    patch.tree()));
  }

  private Optional<Checkout.Push> destination(Turn turn, int number) {
    PushJob job = turn.work().job();
    return job != null
        ? job.push(number)
        : storedInputs
            .get()
            .known(turn.key().sessionKey(), number)
            .flatMap(known -> Optional.ofNullable(known.checkout().push()));
  }
}
