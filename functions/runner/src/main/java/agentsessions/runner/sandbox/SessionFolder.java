package agentsessions.runner.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The folder of one session on this machine.
///
/// The agent sees `work`, `home` and one folder below `io`; it can read `etc`; all other files,
/// such as `captured.json`, it never sees. The runner writes nothing below `work` or `home` once an
/// agent has run, since a link left there may lead anywhere, but for two things: it moves a file to
/// a new name in `work` itself, which follows no link, and it makes and removes [MountPoints].
///
/// @param path the folder of the runner's own files, which by default also holds `work` and `home`
public record SessionFolder(Path path, Path work, Path home, AgentUser user) {

  private static final Logger LOG = LoggerFactory.getLogger(SessionFolder.class);

  /// Creates the folder if it is new, with `seed` in its new HOME.
  public SessionFolder open(Map<String, String> seed) throws IOException {
    Files.createDirectories(path);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
    if (Files.notExists(work)) {
      user.own(Files.createDirectory(work));
    }
    if (Files.notExists(home)) {
      makeHome(seed);
    }
    // An agent may have removed their permissions, which would make the session unusable.
    user.own(work, "rwxr-xr-x");
    user.own(home, "rwxr-xr-x");
    new MountPoints(this).remove();
    makeEtc();
    return this;
  }

  /// The path of a file or folder by its name in an archive.
  public Path named(String name) {
    return switch (name) {
      case "work" -> work;
      case "home" -> home;
      default -> path.resolve(name);
    };
  }

  /// Writes the session's {@link #key}, in one step, so that it is there whole.
  public void writeKey(String key) throws IOException {
    Files.createDirectories(path);
    Path fresh = Files.writeString(path.resolve("session.new"), key);
    Files.move(fresh, key(), StandardCopyOption.ATOMIC_MOVE);
  }

  /// Removes the whole folder, as far as that is possible.
  public void deleteIfPossible() {
    Stream.of(path, work, home).forEach(SessionFolder::deleteIfPossible);
  }

  Path etc() {
    return path.resolve("etc");
  }

  public Path captured() {
    return path.resolve("captured.json");
  }

  /// The files that existed before the sandbox was prepared; exists until the preparation has
  /// ended.
  public Path unready() {
    return path.resolve("unready.json");
  }

  /// The checksum of the setup script that has succeeded here.
  public Path setUp() {
    return path.resolve("setup");
  }

  /// The calls that the agent was told to keep, if there are any.
  public Path keptCalls() {
    return path.resolve("kept-calls.json");
  }

  /// The list of its [MountPoints], if there are any.
  Path mountPoints() {
    return path.resolve("mount-points");
  }

  /// The key of the object with the same content as this folder, if there is one.
  public Path saved() {
    return path.resolve("saved");
  }

  /// The workspace and the id of the session, with a slash between them.
  public Path key() {
    return path.resolve("session");
  }

  /// A file on its way into the sandbox.
  public Path incoming() {
    return path.resolve("incoming");
  }

  public Path stdin() {
    return path.resolve("stdin");
  }

  /// The disk use of the session's folders at the last check, a [Use].
  public Path used() {
    return path.resolve("used");
  }

  /// The folders that an agent can write to.
  public List<Path> writable() {
    return List.of(work, home, turns());
  }

  /// Writes a file that the agent may read and run, and cannot change.
  ///
  /// @param name its path in the sandbox
  Path writeReadOnly(String name, String content) throws IOException {
    Path folder = Files.createDirectories(path.resolve("fixed"));
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path file = folder.resolve(name.replace('/', '_'));
    Files.deleteIfExists(file);
    Files.writeString(file, content);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r-xr-xr-x"));
  }

  /// Writes a turn's message into an `io` folder of the turn's own, which is returned. Beside it is
  /// the turn's {@link #temporary} folder.
  public Path makeTurnFolder(String message) throws IOException {
    removeTurnFolders();
    return addTurnFolder(message);
  }

  /// The same, and leaves what the turn has of such folders for later.
  public Path addTurnFolder(String message) throws IOException {
    Path turn = Files.createDirectories(turns().resolve(UUID.randomUUID().toString()));
    Path io = Files.createDirectory(turn.resolve("io"));
    user.own(Files.writeString(io.resolve("message.txt"), message));
    user.own(io);
    user.own(Files.createDirectory(temporary(io)), "rwxrwxrwx");
    // Some agents take a leading slash for a command of their own.
    Files.writeString(stdin(), message.startsWith("/") ? " " + message : message);
    return io;
  }

  /// The temporary folder of a turn, which is removed after it.
  static Path temporary(Path io) {
    return io.resolveSibling("tmp");
  }

  /// Removes the turn's own folders, with everything that {@link #makeTurnFolder} and the agent
  /// have written there.
  public void removeTurnFolders() {
    deleteIfPossible(turns());
  }

  private Path turns() {
    return path.resolve("io");
  }

  /// In one step, so that a HOME that exists has all of its seed.
  private void makeHome(Map<String, String> seed) throws IOException {
    Path fresh = home.resolveSibling(home.getFileName() + ".new");
    deleteIfPossible(fresh);
    Files.createDirectories(fresh);
    for (Map.Entry<String, String> file : seed.entrySet()) {
      Path target = fresh.resolve(file.getKey()).normalize();
      if (!target.startsWith(fresh)) {
        throw new IOException("seed outside of HOME: " + file.getKey());
      }
      Files.createDirectories(target.getParent());
      Files.writeString(target, file.getValue());
    }
    user.ownAll(fresh);
    Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
  }

  private void makeEtc() throws IOException {
    Files.createDirectories(etc());
    int id = user.id().orElse(AgentUser.UNPRIVILEGED);
    Files.writeString(
        etc().resolve("passwd"), "agent:x:%1$d:%1$d::/home/agent:/bin/bash%n".formatted(id));
    Files.writeString(etc().resolve("group"), "agent:x:%d:%n".formatted(id));
    Files.writeString(etc().resolve("hosts"), "127.0.0.1 localhost sandbox\n::1 localhost\n");
  }

  /// Deletes a tree that an agent may have written: links are removed, not followed.
  public static void deleteIfPossible(Path tree) {
    try {
      FolderRemoval.of(tree);
    } catch (IOException kept) {
      LOG.warn("left behind: {}", kept.toString());
    }
  }
}
