package agentsessions.runner.sandbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The mounts of a bubblewrap sandbox: `/usr` and a few files of `/etc` read-only, the session's
/// own folders, the agents' tools.
final class Mounts {
  static final AgentFolders FOLDERS = new AgentFolders("/workspace", "/home/agent", "/io");
  static final String TOOLS = "/opt/agents";
  private static final long SHARED_MEMORY_BYTES = 256L * 1024 * 1024;

  private final SessionFolder folder;
  private final Path io;
  private final InstalledTools tools;
  private final MountPoints points;

  Mounts(SessionFolder folder, Path io, InstalledTools tools) {
    this.folder = folder;
    this.io = io;
    this.tools = tools;
    this.points = new MountPoints(folder);
  }

  /// Arguments of bubblewrap.
  List<String> words(SandboxCommand.Workspace access) {
    List<String> line = new ArrayList<>();
    system(line);
    session(line, access);
    return line;
  }

  /// Arguments of bubblewrap that mount files which the agent cannot change.
  ///
  /// @throws IOException if the agent has left a link where one is to be
  List<String> files(Map<String, String> content) throws IOException {
    List<String> line = new ArrayList<>();
    for (Map.Entry<String, String> file : content.entrySet()) {
      String path = file.getKey();
      if (path.startsWith(FOLDERS.home())) {
        points.removeLater(MountPoints.HOME, Path.of(FOLDERS.home()).relativize(Path.of(path)));
        makePoint(path);
      } else {
        line.addAll(List.of("--dir", path.substring(0, path.lastIndexOf('/'))));
      }
      Path readOnly = folder.writeReadOnly(path, file.getValue());
      line.addAll(List.of("--ro-bind", readOnly.toString(), path));
    }
    return line;
  }

  /// Arguments of bubblewrap that mount something empty and read-only.
  ///
  /// @param places absolute paths in the sandbox, with a slash at the end where a folder is to be
  ///   if there is nothing
  /// @throws IOException if the agent has left a link where one is to be
  List<String> hidden(List<String> places) throws IOException {
    List<String> line = new ArrayList<>();
    Path empty = folder.writeReadOnly("/empty", "");
    for (String each : places) {
      boolean isFolder = Files.isDirectory(makePoint(each));
      String place = each.replaceFirst("/$", "");
      line.addAll(
          isFolder
              ? List.of("--perms", "0755", "--tmpfs", place, "--remount-ro", place)
              : List.of("--ro-bind", empty.toString(), place));
    }
    return line;
  }

  /// @return the path outside of the sandbox
  private Path makePoint(String place) throws IOException {
    boolean inHome = place.startsWith(FOLDERS.home() + "/");
    Path file = Path.of(inHome ? FOLDERS.home() : FOLDERS.workspace()).relativize(Path.of(place));
    return points.make(inHome ? MountPoints.HOME : MountPoints.WORK, file, place.endsWith("/"));
  }

  private void system(List<String> line) {
    // A parent folder that bubblewrap makes by itself is open to its own user only, and under root
    // the agent is another user.
    Stream.of("/etc", "/home", "/opt", "/run", "/var")
        .forEach(name -> line.addAll(List.of("--dir", name)));
    line.addAll(List.of("--ro-bind", "/usr", "/usr"));
    Stream.of("bin", "sbin", "lib", "lib32", "lib64", "libx32")
        .forEach(name -> line.addAll(outsideUsr(name)));
    Stream.of(
            "ssl",
            "ca-certificates",
            "pki",
            "alternatives",
            "ld.so.cache",
            "nsswitch.conf",
            "resolv.conf",
            "localtime")
        .forEach(name -> line.addAll(List.of("--ro-bind-try", "/etc/" + name, "/etc/" + name)));
    Stream.of("passwd", "group", "hosts").forEach(name -> line.addAll(generated(name)));
    line.addAll(List.of("--proc", "/proc", "--dev", "/dev", "--symlink", "/tmp", "/var/tmp"));
    line.addAll(List.of("--perms", "1777", "--size", String.valueOf(SHARED_MEMORY_BYTES)));
    line.addAll(List.of("--tmpfs", "/dev/shm"));
  }

  /// `/bin` and the like: nearly everywhere links into `/usr`.
  private static List<String> outsideUsr(String name) {
    Path path = Path.of("/", name);
    try {
      return Files.isSymbolicLink(path)
          ? List.of("--symlink", Files.readSymbolicLink(path).toString(), path.toString())
          : List.of("--ro-bind-try", path.toString(), path.toString());
    } catch (IOException unreadable) {
      return List.of();
    }
  }

  private List<String> generated(String name) {
    return List.of("--ro-bind", folder.etc().resolve(name).toString(), "/etc/" + name);
  }

  private void session(List<String> line, SandboxCommand.Workspace access) {
    String work = folder.work().toString();
    switch (access) {
      case WRITE -> {
        line.addAll(List.of("--bind", work, FOLDERS.workspace()));
        line.addAll(List.of("--bind", folder.home().toString(), FOLDERS.home()));
      }
      case READ -> line.addAll(List.of("--ro-bind", work, FOLDERS.workspace()));
      case NONE -> line.addAll(List.of("--dir", FOLDERS.workspace()));
    }
    line.addAll(List.of("--bind", io.toString(), FOLDERS.io()));
    line.addAll(List.of("--bind", SessionFolder.temporary(io).toString(), "/tmp"));
    tools.folder().ifPresent(path -> line.addAll(List.of("--ro-bind", path.toString(), TOOLS)));
  }
}
