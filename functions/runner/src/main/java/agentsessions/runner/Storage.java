package agentsessions.runner;

import agentsessions.runner.capture.Arrival;
import agentsessions.runner.protocol.Claim;
import agentsessions.runner.protocol.Control;
import agentsessions.runner.protocol.SandboxUpload;
import agentsessions.runner.protocol.SignedLink;
import agentsessions.runner.protocol.TimeLeft;
import agentsessions.runner.sandbox.Archive;
import agentsessions.runner.sandbox.SessionFolder;
import agentsessions.runner.sandbox.Strangers;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Where a session's folder is between its turns.
sealed interface Storage {

  /// As the runner's environment has it: objects on Lambda, unless `SANDBOXES` names a folder, and
  /// where `SANDBOXES_KEPT` says so.
  static Storage of(Map<String, String> environment, Path sandboxes, Strangers strangers) {
    boolean lambda =
        environment.containsKey("AWS_LAMBDA_FUNCTION_NAME")
            && !environment.containsKey("SANDBOXES");
    return lambda || "objects".equals(environment.get("SANDBOXES_KEPT"))
        ? new InObjects(sandboxes, isOurs(environment) ? Optional.of(strangers) : Optional.empty())
        : new OnThisMachine();
  }

  /// Whether nothing but the runner and its turns is in this environment, as in Lambda's own.
  private static boolean isOurs(Map<String, String> environment) {
    return "/var/task".equals(environment.get("LAMBDA_TASK_ROOT"));
  }

  /// Brings the folder as the turn before left it.
  void fetch(Claim claim, Control control) throws IOException;

  /// Puts the folder away, in the time that is left.
  ///
  /// @throws IOException if the next turn will not have what this one made
  void save(Claim claim, Control control, TimeLeft time) throws IOException;

  /// How long that is likely to take, where bringing the folder took so long.
  Duration timeToSave(Duration fetched);

  /// Removes what no other turn may see, and ends what no other turn may meet.
  void clear(Claim claim);

  /// Whether an environment that has run one session's turn may run another's.
  boolean isShared();

  /// The folder stays where it is.
  record OnThisMachine() implements Storage {
    @Override
    public void fetch(Claim claim, Control control) {}

    @Override
    public void save(Claim claim, Control control, TimeLeft time) {}

    @Override
    public Duration timeToSave(Duration fetched) {
      return Duration.ZERO;
    }

    @Override
    public void clear(Claim claim) {}

    @Override
    public boolean isShared() {
      return true;
    }
  }

  /// The folder travels as an object, by links that the service hands out; nothing stays here.
  ///
  /// @param strangers what else may run here, where the whole environment is ours
  record InObjects(Path sandboxes, Optional<Strangers> strangers) implements Storage {
    private static final Duration LEAST_TO_SAVE = Duration.ofSeconds(30);
    private static final List<String> KEPT =
        List.of("work", "home", "captured.json", "repositories.json", "setup");

    @Override
    public void fetch(Claim claim, Control control) throws IOException {
      clear(claim);
      if (claim.snapshotUrl() == null) {
        return;
      }
      SessionFolder folder = SessionFolder.at(sandboxes, claim.sessionId());
      Files.createDirectories(folder.path());
      try (InputStream archive = new SignedLink(URI.create(claim.snapshotUrl())).download()) {
        Archive.read(archive, folder.path());
      }
      folder.user().ownAll(folder.work());
      folder.user().ownAll(folder.home());
      Arrival.of(folder);
    }

    /// As a stream: the disk has room for the folder, not for a second copy of it.
    @Override
    public void save(Claim claim, Control control, TimeLeft time) throws IOException {
      SandboxUpload upload = SandboxUpload.open(control, time);
      Archive.write(SessionFolder.at(sandboxes, claim.sessionId()).path(), KEPT, upload);
      upload.complete();
    }

    /// The folder may have grown, and what is written is compressed first.
    @Override
    public Duration timeToSave(Duration fetched) {
      return LEAST_TO_SAVE.plus(fetched.multipliedBy(2));
    }

    /// On Lambda all of /tmp is ours to empty, once nobody is left who could fill it; anywhere
    /// else, only the folder of the session.
    @Override
    public void clear(Claim claim) {
      if (strangers.isEmpty()) {
        SessionFolder.deleteIfPossible(SessionFolder.at(sandboxes, claim.sessionId()).path());
        return;
      }
      strangers.get().end();
      try (Stream<Path> left = Files.list(Path.of("/tmp"))) {
        left.forEach(SessionFolder::deleteIfPossible);
      } catch (IOException kept) {
        throw new OtherSession(kept);
      }
    }

    @Override
    public boolean isShared() {
      return false;
    }
  }
}
