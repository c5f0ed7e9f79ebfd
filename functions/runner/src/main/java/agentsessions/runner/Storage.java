package agentsessions.runner;

import agentsessions.runner.protocol.Claim;
import agentsessions.runner.protocol.Control;
import agentsessions.runner.sandbox.Archive;
import agentsessions.runner.sandbox.SessionFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// Where a session's folder is between its turns.
sealed interface Storage {

  /// As the runner's environment has it: objects on Lambda, unless `SANDBOXES` names a folder.
  static Storage of(Map<String, String> environment, Path sandboxes) {
    boolean lambda = environment.containsKey("AWS_LAMBDA_FUNCTION_NAME");
    return lambda && !environment.containsKey("SANDBOXES")
        ? new InObjects(sandboxes, environment.getOrDefault("LAMBDA_TASK_ROOT", ""))
        : new OnThisMachine();
  }

  /// Brings the folder as the turn before left it.
  void fetch(Claim claim, Control control) throws IOException;

  /// Puts the folder away; under which key, if it leaves this machine.
  Optional<String> save(Claim claim, Control control) throws IOException;

  /// Removes what no other turn may see.
  void clear();

  /// Whether an environment that has run one session's turn may run another's.
  boolean isShared();

  /// The folder stays where it is.
  record OnThisMachine() implements Storage {
    @Override
    public void fetch(Claim claim, Control control) {}

    @Override
    public Optional<String> save(Claim claim, Control control) {
      return Optional.empty();
    }

    @Override
    public void clear() {}

    @Override
    public boolean isShared() {
      return true;
    }
  }

  /// The folder travels as an object, by links that the service hands out; nothing stays here.
  record InObjects(Path sandboxes, String taskRoot) implements Storage {
    private static final List<String> KEPT = List.of("work", "home", "captured.json");

    @Override
    public void fetch(Claim claim, Control control) throws IOException {
      clear();
      if (claim.snapshotUrl() == null) {
        return;
      }
      SessionFolder folder = SessionFolder.at(sandboxes, claim.sessionId());
      Files.createDirectories(folder.path());
      try (InputStream archive = control.download(claim.snapshotUrl())) {
        Archive.read(archive, folder.path());
      }
      folder.user().ownAll(folder.work());
      folder.user().ownAll(folder.home());
    }

    /// By way of a file, because an upload must say its size first.
    @Override
    public Optional<String> save(Claim claim, Control control) throws IOException {
      Path folder = SessionFolder.at(sandboxes, claim.sessionId()).path();
      Path archive = sandboxes.resolve("archive");
      try (OutputStream out = Files.newOutputStream(archive)) {
        Archive.write(folder, KEPT, out);
      }
      return Optional.of(control.save(archive));
    }

    /// On Lambda all of /tmp is ours to empty; anywhere else, only the folder of the sandboxes.
    @Override
    public void clear() {
      boolean lambda = taskRoot.equals("/var/task");
      Path all = lambda ? Path.of("/tmp") : sandboxes;
      try (Stream<Path> left = Files.exists(all) ? Files.list(all) : Stream.empty()) {
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
