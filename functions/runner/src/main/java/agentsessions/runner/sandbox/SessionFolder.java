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
/// `work`, `home` and one folder below `io` are what the agent sees; `etc` it can read; all other
/// files, `captured.json` and its like, it never sees. Nothing is ever written by us below `work`
/// or `home` once an agent has been there: it may have left a link to anywhere.
///
/// @param path what is not the agent's, and by default all else
public record SessionFolder(Path path, Path work, Path home, AgentUser user) {

  private static final Logger LOG = LoggerFactory.getLogger(SessionFolder.class);

  /// Makes it if it is new, with `seed` in its new HOME.
  public SessionFolder open(Map<String, String> seed) throws IOException {
    Files.createDirectories(path);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
    if (Files.notExists(work)) {
      user.own(Files.createDirectory(work));
    }
    if (Files.notExists(home)) {
      makeHome(seed);
    }
    // An agent may have closed them, which would end the session.
    user.own(work, "rwxr-xr-x");
    user.own(home, "rwxr-xr-x");
    makeEtc();
    return this;
  }

  /// Where one of its files and folders is, by the name that it has in an archive.
  public Path named(String name) {
    return switch (name) {
      case "work" -> work;
      case "home" -> home;
      default -> path.resolve(name);
    };
  }

  /// Removes all of it, as far as that goes.
  public void deleteIfPossible() {
    Stream.of(path, work, home).forEach(SessionFolder::deleteIfPossible);
  }

  Path etc() {
    return path.resolve("etc");
  }

  public Path captured() {
    return path.resolve("captured.json");
  }

  /// What was there before the sandbox was made ready, as long as it is not.
  public Path unready() {
    return path.resolve("unready.json");
  }

  /// Which setup script has ended well here.
  public Path setUp() {
    return path.resolve("setup");
  }

  /// The object that holds exactly what is here, where there is one.
  public Path saved() {
    return path.resolve("saved");
  }

  /// What is on its way into the sandbox.
  public Path incoming() {
    return path.resolve("incoming");
  }

  public Path stdin() {
    return path.resolve("stdin");
  }

  /// What the session's folders took of the disk when they were last looked at, a [Use].
  public Path used() {
    return path.resolve("used");
  }

  /// The folders that an agent writes to.
  public List<Path> agents() {
    return List.of(work, home, turns());
  }

  /// Puts a turn's message where its agent finds it: in an `io` folder of the turn's own, which is
  /// given back. Beside it is the turn's {@link #temporary} folder.
  public Path bring(String message) throws IOException {
    takeAway();
    Path turn = Files.createDirectories(turns().resolve(UUID.randomUUID().toString()));
    Path io = Files.createDirectory(turn.resolve("io"));
    user.own(Files.writeString(io.resolve("message.txt"), message));
    user.own(io);
    user.own(Files.createDirectory(temporary(io)), "rwxrwxrwx");
    // A leading slash would be a command of the agent's own.
    Files.writeString(stdin(), message.startsWith("/") ? " " + message : message);
    return io;
  }

  /// Where the agent of a turn keeps what is gone after the turn.
  static Path temporary(Path io) {
    return io.resolveSibling("tmp");
  }

  /// Removes what {@link #bring} and the agent have put into the turn's own folders.
  public void takeAway() {
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

  /// Deletes a tree that may have been an agent's: links are removed, not followed.
  public static void deleteIfPossible(Path tree) {
    try {
      Removal.of(tree);
    } catch (IOException kept) {
      LOG.warn("left behind: {}", kept.toString());
    }
  }
}
