package agentsessions.runner.network;

import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/// The one branch that a session may push to. Only commits that are on record as the session's own
/// may be replaced there, and what is pushed is recorded before it goes out, so that an answer that
/// is lost does not make it somebody else's.
public final class OwnBranch {
  private static final Pattern NONE = Pattern.compile("0{40}|0{64}");

  private final String name;
  private final Set<String> own = ConcurrentHashMap.newKeySet();
  private final Recorder recorder;

  /// Puts a commit on record.
  public interface Recorder {
    /// Returns once it is on record.
    ///
    /// @throws IOException if it is not, and so must not be pushed
    void record(String commit) throws IOException;
  }

  /// @param own the commits that are on record
  public OwnBranch(String name, Collection<String> own, Recorder recorder) {
    this.name = name;
    this.own.addAll(own);
    this.recorder = recorder;
  }

  public String name() {
    return name;
  }

  public boolean isOwn(String commit) {
    return own.contains(commit);
  }

  /// The commits that may be replaced.
  public Set<String> own() {
    return Set.copyOf(own);
  }

  /// Why a push must not go out; nothing, and the commit is on record, if it may.
  Optional<String> refusal(PushRequest push) {
    if (!push.ref().equals("refs/heads/" + name)) {
      return Optional.of("this session may push to the branch " + name + " only");
    }
    if (isNone(push.newId())) {
      return Optional.of("this session may not delete branches");
    }
    if (!isNone(push.oldId()) && !isOwn(push.oldId())) {
      return Optional.of("the branch has commits that are not this session's");
    }
    return record(push.newId());
  }

  private Optional<String> record(String commit) {
    try {
      if (!isOwn(commit)) {
        recorder.record(commit);
        own.add(commit);
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
