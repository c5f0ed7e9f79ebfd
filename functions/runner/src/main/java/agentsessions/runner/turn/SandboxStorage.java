package agentsessions.runner.turn;

import agentsessions.runner.capture.RestoredFiles;
import agentsessions.runner.control.Claim;
import agentsessions.runner.control.Deadline;
import agentsessions.runner.control.SandboxUpload;
import agentsessions.runner.control.ServiceClient;
import agentsessions.runner.control.SignedLink;
import agentsessions.runner.sandbox.AgentUser;
import agentsessions.runner.sandbox.Archive;
import agentsessions.runner.sandbox.IsolationMode;
import agentsessions.runner.sandbox.LeftoverProcesses;
import agentsessions.runner.sandbox.ReadOnlyFiles;
import agentsessions.runner.sandbox.SessionFolder;
import agentsessions.runner.sandbox.SessionFolders;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The storage of sessions' folders between turns: on this machine, or as objects.
sealed interface SandboxStorage {
  Logger LOG = LoggerFactory.getLogger(SandboxStorage.class);

  /// Chooses by the runner's environment: objects on Lambda, unless `SANDBOXES` names a folder, and
  /// where `SANDBOXES_KEPT` says so.
  static SandboxStorage of(
      IsolationMode isolation,
      Map<String, String> environment,
      SessionFolders folders,
      LeftoverProcesses leftovers) {
    if (isolation == IsolationMode.TASK) {
      return new InTask(new InObjects(folders, Optional.empty()));
    }
    boolean lambda =
        environment.containsKey("AWS_LAMBDA_FUNCTION_NAME")
            && !environment.containsKey("SANDBOXES");
    return lambda || "objects".equals(environment.get("SANDBOXES_KEPT"))
        ? new InObjects(folders, isOurs(environment) ? Optional.of(leftovers) : Optional.empty())
        : new OnThisMachine(folders);
  }

  /// Whether only the runner and its turns are in this environment, as in Lambda's own.
  private static boolean isOurs(Map<String, String> environment) {
    return "/var/task".equals(environment.get("LAMBDA_TASK_ROOT"));
  }

  /// Restores the folder as the turn before left it.
  void fetch(Claim claim, ServiceClient service) throws IOException;

  /// Saves the folder in the remaining time.
  ///
  /// @throws IOException if it is not saved, so that the next turn will not have this one's changes
  void save(Claim claim, ServiceClient service, Deadline time) throws IOException;

  /// The likely duration of the save, by the duration of the fetch.
  Duration timeToSave(Duration fetched);

  /// Removes the files that no other turn may see, and ends the processes that must not outlive the
  /// turn.
  void clear(Claim claim);

  /// Whether the folder stays here for whatever turn comes next, so that nothing is ever saved, and
  /// one environment may run the turns of several sessions.
  default boolean staysOnMachine() {
    return false;
  }

  /// The folder stays on this machine.
  record OnThisMachine(SessionFolders folders) implements SandboxStorage {
    /// Notes in the folder whose it is, before anything else is there.
    @Override
    public void fetch(Claim claim, ServiceClient service) throws IOException {
      SessionFolder folder = folders.of(claim.turn().sessionId());
      if (claim.turn().workspace() != null && Files.notExists(folder.key())) {
        folder.writeKey(claim.turn().workspace() + "/" + claim.turn().sessionId());
      }
    }

    @Override
    public void save(Claim claim, ServiceClient service, Deadline time) {}

    @Override
    public Duration timeToSave(Duration fetched) {
      return Duration.ZERO;
    }

    @Override
    public void clear(Claim claim) {}

    @Override
    public boolean staysOnMachine() {
      return true;
    }
  }

  /// The folder is saved as an object, by links from the service; no copy stays here.
  ///
  /// @param leftovers other processes, which may be ended if the whole environment is the runner's
  record InObjects(SessionFolders folders, Optional<LeftoverProcesses> leftovers)
      implements SandboxStorage {
    private static final Duration LEAST_TO_SAVE = Duration.ofSeconds(30);
    private static final List<String> KEPT =
        List.of(
            "work",
            "home",
            "captured.json",
            "repositories.json",
            "setup",
            "kept-calls.json",
            "mount-points");

    @Override
    public void fetch(Claim claim, ServiceClient service) throws IOException {
      clear(claim);
      if (claim.turn().snapshotUrl() == null) {
        return;
      }
      SessionFolder folder = folders.of(claim.turn().sessionId());
      Files.createDirectories(folder.path());
      try (InputStream archive =
          new SignedLink(URI.create(claim.turn().snapshotUrl())).download()) {
        Archive.read(archive, folder::named);
      }
      folder.user().ownAll(folder.work());
      folder.user().ownAll(folder.home());
      RestoredFiles.of(folder);
    }

    /// Writes a stream, since the disk may have no room for a second copy of the folder.
    @Override
    public void save(Claim claim, ServiceClient service, Deadline time) throws IOException {
      SandboxUpload upload = SandboxUpload.open(service, time);
      Archive.write(folders.of(claim.turn().sessionId())::named, KEPT, upload);
      upload.complete();
    }

    /// Allows for growth of the folder, and for compression.
    @Override
    public Duration timeToSave(Duration fetched) {
      return LEAST_TO_SAVE.plus(fetched.multipliedBy(2));
    }

    /// On Lambda all of /tmp is emptied, once no process is left that could write to it; anywhere
    /// else only the session's folder.
    @Override
    public void clear(Claim claim) {
      if (leftovers.isEmpty()) {
        folders.of(claim.turn().sessionId()).deleteIfPossible();
        return;
      }
      leftovers.get().end();
      try (Stream<Path> left = Files.list(Path.of("/tmp"))) {
        left.forEach(SessionFolder::deleteIfPossible);
      } catch (IOException kept) {
        throw new OtherSession(kept);
      }
    }
  }

  /// The folder is saved as an object, and also stays here as long as the task runs: a turn whose
  /// snapshot is this task's own last save finds it here.
  record InTask(InObjects objects) implements SandboxStorage {
    private static final List<Path> FOR_ALL =
        List.of(Path.of("/tmp"), Path.of("/var/tmp"), Path.of("/dev/shm"));

    @Override
    public void fetch(Claim claim, ServiceClient service) throws IOException {
      Path saved = folder(claim).saved();
      boolean isHere =
          claim.turn().snapshotUrl() != null
              && Files.exists(saved)
              && isLinkTo(Files.readString(saved), claim.turn().snapshotUrl());
      // The turn changes the folder, so it no longer equals the last save.
      Files.deleteIfExists(saved);
      if (!isHere) {
        objects.fetch(claim, service);
      }
    }

    /// Whether a link leads to an object, whatever precedes the object's name.
    private static boolean isLinkTo(String key, String link) {
      return URI.create(link).getPath().endsWith("/" + key);
    }

    @Override
    public void save(Claim claim, ServiceClient service, Deadline time) throws IOException {
      SessionFolder folder = folder(claim);
      LeftoverProcesses.of(folder.user()).end();
      objects.save(claim, service, time);
      Files.writeString(folder.saved(), claim.snapshotKey());
    }

    @Override
    public Duration timeToSave(Duration fetched) {
      return objects.timeToSave(fetched);
    }

    /// Keeps the session's folder, and removes the files of the turn's gate, and those that its
    /// agents have left elsewhere.
    @Override
    public void clear(Claim claim) {
      AgentUser user = folder(claim).user();
      LeftoverProcesses.of(user).end();
      removeReadOnly(folder(claim));
      for (Path shared : FOR_ALL) {
        try (Stream<Path> all = Files.list(shared)) {
          all.filter(path -> isOf(user, path)).forEach(SessionFolder::deleteIfPossible);
        } catch (IOException none) {
          LOG.debug("{} is not there", shared);
        }
      }
    }

    private void removeReadOnly(SessionFolder folder) {
      try {
        Optional<ReadOnlyFiles> readOnly = objects.folders().readOnly(folder);
        if (readOnly.isPresent()) {
          readOnly.get().remove();
        }
      } catch (IOException kept) {
        // A hook without its gate denies.
        LOG.warn("left behind: {}", kept.toString());
      }
    }

    private static boolean isOf(AgentUser user, Path path) {
      try {
        return user.owns(path);
      } catch (IOException gone) {
        return false;
      }
    }

    private SessionFolder folder(Claim claim) {
      return objects.folders().of(claim.turn().sessionId());
    }
  }
}
