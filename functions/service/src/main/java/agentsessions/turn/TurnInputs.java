package agentsessions.turn;

import agentsessions.session.Turn;
import agentsessions.session.id.RequestId;
import agentsessions.session.input.InputFile;
import agentsessions.session.input.Secret;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.repository.Checkout;
import agentsessions.session.repository.Checkout.Credential;
import agentsessions.session.repository.PushedCommits;
import agentsessions.session.repository.Repository;
import agentsessions.session.request.Request;
import agentsessions.session.request.RequestedPush;
import agentsessions.session.request.SessionGrant;
import agentsessions.store.session.StoredInputs;
import agentsessions.store.workspace.Secrets;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import agentsessions.table.item.GrantItem;
import agentsessions.table.item.InputFileItem;
import agentsessions.table.item.PermissionsItem;
import agentsessions.table.item.RequestItem;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The inputs of a claimed turn beside its message, opened and complete: for the answer to the
/// claim only.
@Singleton
public final class TurnInputs {
  private final Table table;
  private final StoredInputs storedInputs;
  private final Secrets secrets;
  private final CommitLog commits;

  public TurnInputs(Table table, StoredInputs storedInputs, Secrets secrets, CommitLog commits) {
    this.table = table;
    this.storedInputs = storedInputs;
    this.secrets = secrets;
    this.commits = commits;
  }

  /// The outcome of loading them.
  public sealed interface Loaded {
    /// The message is the only input.
    record Nothing() implements Loaded {}

    /// All inputs.
    ///
    /// @param secrets those that the agent is given
    /// @param masked values that the agent is not given and that must not show anywhere
    /// @param parked the call for which the turn was parked
    record Ready(
        @Nullable String model,
        Map<String, String> variables,
        Map<String, String> secrets,
        List<String> masked,
        @Nullable String setup,
        List<InputFile> files,
        List<Assigned> repositories,
        @Nullable ToolPermissions permissions,
        @Nullable DecidedCall parked)
        implements Loaded {

      /// Without the values, so that no log can hold them.
      @Override
      public String toString() {
        return "work";
      }
    }

    /// Secrets of these names do not exist any more, or are not allowed for this use.
    record Missing(List<String> names) implements Loaded {}
  }

  /// A call on which a person has decided.
  ///
  /// @param call names it within the turn
  public record DecidedCall(String call, Request request) {}

  /// A repository with its checkout and its state.
  ///
  /// @param login for its host
  /// @param pushed the commits that are on record as the session's own
  /// @param allowed whether a person has allowed its push
  public record Assigned(
      Checkout checkout,
      Repository known,
      Optional<Login> login,
      List<String> pushed,
      boolean allowed) {}

  /// A user name and a password.
  public record Login(String username, String password) {
    /// Without the password, so that no log can hold it.
    @Override
    public String toString() {
      return "login";
    }
  }

  /// Loads the inputs of a turn; one that has none costs no read.
  public Loaded of(Turn turn) {
    Turn.Work work = turn.work();
    if (work.model() == null
        && !work.hasStoredInputs()
        && !work.files()
        && work.permissions() == null
        && turn.parked().isEmpty()) {
      return new Loaded.Nothing();
    }
    StoredInputs.Opened all =
        work.hasStoredInputs()
            ? storedInputs.open(turn.key().sessionKey())
            : StoredInputs.Opened.NONE;
    StoredInputs.Opened opened = work.job() == null ? all : all.of(work.job());
    Map<String, Secrets.Known> known = known(turn, opened);
    List<String> missing = missing(opened, known);
    return missing.isEmpty() ? ready(turn, opened, known) : new Loaded.Missing(missing);
  }

  private Loaded ready(Turn turn, StoredInputs.Opened opened, Map<String, Secrets.Known> known) {
    @Nullable ToolPermissions permissions = permissions(turn);
    List<Assigned> repositories = repositories(turn, opened, known, permissions);
    Map<String, String> values = new HashMap<>();
    opened.environment().secrets().forEach(name -> values.put(name, value(known, name)));
    return new Loaded.Ready(
        turn.work().model(),
        opened.environment().variables(),
        values,
        repositories.stream()
            .flatMap(assigned -> assigned.login().stream())
            .map(Login::password)
            .distinct()
            .toList(),
        opened.environment().setup(),
        files(turn),
        repositories,
        permissions,
        turn.parked()
            .filter(_ -> turn.isRunning())
            .map(request -> decided(turn, request))
            .orElse(null));
  }

  private DecidedCall decided(Turn turn, RequestId request) {
    return table
        .item(Layout.request(turn.key().sessionKey(), request))
        .map(item -> new DecidedCall(item.get(RequestItem.CALL), RequestItem.read(item)))
        .orElseThrow(() -> new IllegalStateException("the request of a turn is gone"));
  }

  /// Those that the turn began with. Without them it may not run.
  private @Nullable ToolPermissions permissions(Turn turn) {
    String version = turn.work().permissions();
    return version == null
        ? null
        : table
            .item(Layout.permissions(turn.key().sessionKey(), version))
            .map(PermissionsItem::read)
            .orElseThrow(() -> new IllegalStateException("the permissions of a turn are gone"));
  }

  /// Those of its message; they are in its sandbox if it was parked.
  private List<InputFile> files(Turn turn) {
    return turn.work().files() && turn.parked().isEmpty()
        ? table.item(Layout.inputs(turn.key())).map(InputFileItem::files).orElse(List.of())
        : List.of();
  }

  private List<Assigned> repositories(
      Turn turn,
      StoredInputs.Opened opened,
      Map<String, Secrets.Known> known,
      @Nullable ToolPermissions permissions) {
    boolean pushes = opened.checkouts().stream().anyMatch(checkout -> checkout.push() != null);
    PushedCommits pushed = pushes ? commits.known(turn.key().sessionKey()) : PushedCommits.NONE;
    Set<String> granted =
        pushes && permissions != null ? granted(turn, opened, permissions.asking()) : Set.of();
    List<Assigned> assigned = new ArrayList<>();
    for (Checkout checkout : opened.checkouts()) {
      assigned.add(
          new Assigned(
              checkout,
              turn.work().repositories().get(assigned.size()),
              Optional.ofNullable(checkout.credential())
                  .map(credential -> login(checkout, credential, known)),
              pushed.of(assigned.size() + 1),
              grant(turn, checkout).filter(granted::contains).isPresent()
                  || (turn.work().job() != null && turn.work().job().allowed())));
    }
    return assigned;
  }

  /// The grants for its pushes that decisions have made; none is needed where nobody is asked.
  private Set<String> granted(Turn turn, StoredInputs.Opened opened, ToolPermissions.Asking how) {
    List<Layout.Key> grants =
        opened.checkouts().stream()
            .flatMap(checkout -> grant(turn, checkout).stream())
            .distinct()
            .map(id -> Layout.grant(turn.key().sessionKey(), id))
            .toList();
    return table.items(grants).values().stream()
        .map(GrantItem::read)
        .filter(made -> made.holdsFor(turn, how))
        .map(SessionGrant::fingerprint)
        .collect(Collectors.toSet());
  }

  private static Optional<String> grant(Turn turn, Checkout checkout) {
    return Optional.ofNullable(checkout.push())
        .map(push ->
            RequestedPush.grantId(checkout.url().uri().toString(), push.branch(turn.sessionId())));
  }

  private static Login login(
      Checkout checkout, Credential credential, Map<String, Secrets.Known> known) {
    String password =
        switch (credential) {
          case Credential.Token(_, String token) -> token;
          case Credential.OfSecret(_, String secret) -> value(known, secret);
        };
    return new Login(checkout.username(credential), password);
  }

  private Map<String, Secrets.Known> known(Turn turn, StoredInputs.Opened opened) {
    List<String> names =
        Stream.concat(
                opened.environment().secrets().stream(),
                opened.checkouts().stream().flatMap(TurnInputs::secret))
            .distinct()
            .toList();
    return names.isEmpty() ? Map.of() : secrets.read(turn.key().sessionKey().workspace(), names);
  }

  private static List<String> missing(
      StoredInputs.Opened opened, Map<String, Secrets.Known> known) {
    TreeSet<String> missing = new TreeSet<>();
    opened.environment().secrets().stream()
        .filter(name -> secret(known, name).filter(Secret::environment).isEmpty())
        .forEach(missing::add);
    for (Checkout checkout : opened.checkouts()) {
      secret(checkout)
          .filter(name ->
              secret(known, name).filter(secret -> secret.mayGoTo(checkout.url().uri())).isEmpty())
          .forEach(missing::add);
    }
    return List.copyOf(missing);
  }

  private static Stream<String> secret(Checkout checkout) {
    return checkout.credential() instanceof Credential.OfSecret named
        ? Stream.of(named.secret())
        : Stream.empty();
  }

  private static Optional<Secret> secret(Map<String, Secrets.Known> known, String name) {
    return Optional.ofNullable(known.get(name)).map(Secrets.Known::secret);
  }

  private static String value(Map<String, Secrets.Known> known, String name) {
    return Objects.requireNonNull(known.get(name), name).value();
  }
}
