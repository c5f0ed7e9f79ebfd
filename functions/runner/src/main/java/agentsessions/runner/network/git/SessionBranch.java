package agentsessions.runner.network.git;

import agentsessions.runner.agent.tool.PermissionRules;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/// The one branch that a session may push to. Each commit is recorded before it is pushed, so that
/// a lost response does not make it look like someone else's; it becomes the session's own once the
/// host has confirmed it. Only the session's own commits may be replaced there, and an unconfirmed
/// one only while it is the branch's head. A branch that is adopted takes fast-forward pushes only,
/// from the head that it had when its repository was cloned.
///
/// Why: decision 017.
public final class SessionBranch {
  private static final Pattern NONE = Pattern.compile("0{40}|0{64}");
  private static final String FOREIGN = "the branch has commits that are not this session's";
  private static final String NOT_FAST_FORWARD =
      "the branch is moved forward only, by a push with all commits since its head, such as git -c pack.window=0 push";

  private static final String UNSEEN = "this is not the commit that a person has allowed";

  private final String name;

  /// Recorded by earlier turns.
  private final Set<String> before;

  private final Set<String> recorded = ConcurrentHashMap.newKeySet();
  private final Set<String> confirmed = ConcurrentHashMap.newKeySet();
  private final Recorder recorder;
  private final boolean adopts;
  private volatile String adopted = "";

  /// The commits that may be pushed, as far as they are known before; empty: any.
  private volatile Optional<Expected> expected = Optional.empty();

  private final Optional<PermissionRules.Ruling> ban;

  /// Records a commit as the session's own.
  public interface Recorder {
    /// Returns once the commit is recorded.
    ///
    /// @throws IOException if it is not recorded; then it must not be pushed
    void record(String commit) throws IOException;
  }

  /// Gives a host's refs right before a push.
  interface Host {
    /// The refs as far as they matter to a push.
    ///
    /// @throws IOException if the host does not give them
    RefAdvertisement ask(PushRequest push) throws IOException;
  }

  /// The history of the commits in a push.
  interface History {
    /// Whether the first commit descends from the second, by the commits in the push.
    ///
    /// @throws IOException if that cannot be read
    boolean descends(String from, String to) throws IOException;

    /// A commit that is in the push; empty if it is not.
    ///
    /// @throws IOException if that cannot be read
    Optional<Commit> commit(String id) throws IOException;
  }

  /// What a commit says.
  record Commit(String tree, List<String> parents) {}

  /// @param adopts whether the branch may exist with commits of others, and therefore takes
  ///   fast-forward pushes only
  /// @param recorded the commits that earlier turns recorded
  /// @param ban the ruling by which nothing may be pushed; empty if it may
  public SessionBranch(
      String name,
      boolean adopts,
      Collection<String> recorded,
      Recorder recorder,
      Optional<PermissionRules.Ruling> ban) {
    this.name = name;
    this.adopts = adopts;
    this.before = Set.copyOf(recorded);
    this.recorded.addAll(recorded);
    this.recorder = recorder;
    this.ban = ban;
  }

  public String name() {
    return name;
  }

  /// The commits that may be replaced where one of them is the branch's head.
  public Set<String> own() {
    return Set.copyOf(recorded);
  }

  /// Whether the branch takes fast-forward pushes only.
  public boolean adopts() {
    return adopts;
  }

  /// The adopted head from which the branch is fast-forwarded; empty for none.
  public String adopted() {
    return adopted;
  }

  /// The ruling by which nothing may be pushed, or not before a person has decided; empty if it
  /// may.
  public Optional<PermissionRules.Ruling> ban() {
    return ban;
  }

  /// Allows fast-forward pushes from this head, too.
  public void adopt(String head) {
    adopted = head;
  }

  /// Allows from now on only a commit with this tree, on this base or on the head of the branch.
  ///
  /// @param base empty for none
  public void expect(String tree, String base) {
    expected = Optional.of(new Expected(tree, base));
  }

  private record Expected(String tree, String base) {
    boolean fits(Commit commit, String old) {
      return commit.tree().equals(tree)
          && (commit.parents().equals(base.isEmpty() ? List.of() : List.of(base))
              || commit.parents().equals(List.of(old)));
    }
  }

  /// Checks a push. Returns the reason if it must not go out; empty if it may, and then the commit
  /// is recorded.
  Optional<String> refusal(PushRequest push, Host host, History history) {
    if (ban.isPresent()) {
      return ban.map(PermissionRules.Ruling::reason);
    }
    if (!push.ref().equals("refs/heads/" + name)) {
      return Optional.of("this session may push to the branch " + name + " only");
    }
    if (isNone(push.newId())) {
      return Optional.of("this session may not delete branches");
    }
    if (!isNone(push.oldId())
        && !recorded.contains(push.oldId())
        && !adopted.equals(push.oldId())) {
      return Optional.of(FOREIGN);
    }
    try {
      return refusal(push, host.ask(push))
          .or(() -> expected.flatMap(only -> unexpected(push, history, only)))
          .or(() -> adopts ? notFastForward(push, history) : Optional.empty())
          .or(() -> record(push.newId()));
    } catch (IOException silent) {
      return Optional.of("the host does not say which refs it has, as it must before a push");
    }
  }

  /// Notes that the host accepted the commit.
  void confirm(String commit) {
    confirmed.add(commit);
  }

  /// Notes that the host rejected the commit: if it appears there later, another client has pushed
  /// it.
  void forget(String commit) {
    if (!before.contains(commit) && !confirmed.contains(commit)) {
      recorded.remove(commit);
    }
  }

  /// A commit that the host had before this session pushed it belongs to someone else. It is never
  /// recorded, because that would let this session replace it.
  private Optional<String> refusal(PushRequest push, RefAdvertisement host) {
    if (host.defaultRef().filter(push.ref()::equals).isPresent()) {
      return Optional.of(name + " is the default branch of the remote");
    }
    if (isNone(push.oldId()) ? host.head().isPresent() : !mayReplace(push.oldId(), host)) {
      return Optional.of(FOREIGN);
    }
    return host.hasCommit() && !recorded.contains(push.newId())
        ? Optional.of("the host has that commit already, and not from this session")
        : Optional.empty();
  }

  private Optional<String> notFastForward(PushRequest push, History history) {
    try {
      return isNone(push.oldId()) || history.descends(push.newId(), push.oldId())
          ? Optional.empty()
          : Optional.of(NOT_FAST_FORWARD);
    } catch (IOException unread) {
      return Optional.of(NOT_FAST_FORWARD);
    }
  }

  private static Optional<String> unexpected(PushRequest push, History history, Expected expected) {
    try {
      return history
              .commit(push.newId())
              .filter(commit -> expected.fits(commit, push.oldId()))
              .isPresent()
          ? Optional.empty()
          : Optional.of(UNSEEN);
    } catch (IOException unread) {
      return Optional.of(UNSEEN);
    }
  }

  private boolean mayReplace(String commit, RefAdvertisement host) {
    return confirmed.contains(commit) || host.head().filter(commit::equals).isPresent();
  }

  private Optional<String> record(String commit) {
    try {
      if (!recorded.contains(commit)) {
        recorder.record(commit);
        recorded.add(commit);
      }
      return Optional.empty();
    } catch (IOException notRecorded) {
      return Optional.of("the commit could not be recorded, as it must be before it is pushed");
    }
  }

  private static boolean isNone(String id) {
    return NONE.matcher(id).matches();
  }
}
