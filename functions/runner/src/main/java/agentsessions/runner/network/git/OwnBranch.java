package agentsessions.runner.network.git;

import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/// The one branch that a session may push to. What is pushed is recorded before it goes out, so
/// that an answer that is lost does not make it somebody else's, and is the session's own once the
/// host has said that it took it. Only such commits may be replaced there, and of those that nobody
/// heard the host confirm only the one that is the branch's head now. A branch that may be adopted
/// is moved forward only, from the head that it had when its repository was cloned.
///
/// Why: decision 017.
public final class OwnBranch {
  private static final Pattern NONE = Pattern.compile("0{40}|0{64}");
  private static final String FOREIGN = "the branch has commits that are not this session's";
  private static final String LEAP =
      "the branch is moved forward only, by a push with all commits since its head, such as git -c pack.window=0 push";

  private final String name;

  /// On record by the turns before.
  private final Set<String> before;

  private final Set<String> recorded = ConcurrentHashMap.newKeySet();
  private final Set<String> confirmed = ConcurrentHashMap.newKeySet();
  private final Recorder recorder;
  private final boolean adopts;
  private volatile String adopted = "";

  /// Puts a commit on record.
  public interface Recorder {
    /// Returns once it is on record.
    ///
    /// @throws IOException if it is not, and so must not be pushed
    void record(String commit) throws IOException;
  }

  /// Says what a host has right before a push.
  interface Host {
    /// What of them matters to a push.
    ///
    /// @throws IOException if it does not say it
    Advertisement ask(PushRequest push) throws IOException;
  }

  /// Knows what commits are pushed.
  interface History {
    /// Whether the first of two commits follows the other by what is pushed itself.
    ///
    /// @throws IOException if that cannot be read
    boolean leads(String from, String to) throws IOException;
  }

  /// @param adopts whether it may be one that is there, and is therefore moved forward only
  /// @param recorded the commits that are on record
  public OwnBranch(String name, boolean adopts, Collection<String> recorded, Recorder recorder) {
    this.name = name;
    this.adopts = adopts;
    this.before = Set.copyOf(recorded);
    this.recorded.addAll(recorded);
    this.recorder = recorder;
  }

  public String name() {
    return name;
  }

  /// The commits that may be replaced where one of them is the branch's head.
  public Set<String> own() {
    return Set.copyOf(recorded);
  }

  /// Whether it is moved forward only.
  public boolean adopts() {
    return adopts;
  }

  /// The head of others from which it is moved forward; empty for none.
  public String adopted() {
    return adopted;
  }

  /// From now on it is moved forward from this head, too.
  public void adopt(String head) {
    adopted = head;
  }

  /// Why a push must not go out; nothing, and the commit is on record, if it may.
  Optional<String> refusal(PushRequest push, Host host, History history) {
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
          .or(() -> adopts ? leap(push, history) : Optional.empty())
          .or(() -> record(push.newId()));
    } catch (IOException silent) {
      return Optional.of("the host does not say which refs it has, as it must before a push");
    }
  }

  /// The host took the commit.
  void confirm(String commit) {
    confirmed.add(commit);
  }

  /// The host did not take the commit: should it be there once, somebody else has pushed it.
  void forget(String commit) {
    if (!before.contains(commit) && !confirmed.contains(commit)) {
      recorded.remove(commit);
    }
  }

  /// A commit that a host had before it was pushed from here is another's, and would let this
  /// session replace what that one pushes; it is never put on record.
  private Optional<String> refusal(PushRequest push, Advertisement host) {
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

  private Optional<String> leap(PushRequest push, History history) {
    try {
      return isNone(push.oldId()) || history.leads(push.newId(), push.oldId())
          ? Optional.empty()
          : Optional.of(LEAP);
    } catch (IOException unread) {
      return Optional.of(LEAP);
    }
  }

  private boolean mayReplace(String commit, Advertisement host) {
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
