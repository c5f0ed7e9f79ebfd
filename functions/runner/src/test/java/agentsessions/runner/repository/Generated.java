package agentsessions.runner.repository;

import agentsessions.testing.GitHost;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.sessions.JqwikSession;

/// The files of a work tree, for tests: nasty names, and all kinds that git keeps.
///
/// @param files by their paths
record Generated(Map<String, File> files) {
  private static final String[] NAMES = {
    "a",
    "b c",
    "ü😀",
    "\"q\"",
    "tab\there",
    "new\nline",
    "back\\slash",
    "-dash",
    "*",
    "[x]",
    "a.txt",
    ".hidden",
    "%41",
    "it's",
    ":(top)",
    "trailing ",
    "#c",
    "$(id)",
    "a => b",
    "dir",
    "deep",
    "\u0001",
  };

  /// What sizes are chosen for, see [Arbitrary#generator].
  private static final int GENERATIONS = 1000;

  /// The kind of a path's file.
  enum Kind {
    FILE,
    EXECUTABLE,
    LINK
  }

  /// @param content of a file, or a link's target
  @SuppressWarnings("ArrayRecordComponent") // files are never compared
  record File(Kind kind, byte[] content) {
    @Override
    public String toString() {
      return kind + " of " + content.length;
    }
  }

  static List<Generated> some(int count, Random random) {
    List<Generated> made = new ArrayList<>();
    JqwikSession.run(() -> {
      RandomGenerator<Generated> generator = any().generator(GENERATIONS, true);
      IntStream.range(0, count).forEach(_ -> made.add(generator.next(random).value()));
    });
    return made;
  }

  private static Arbitrary<Generated> any() {
    return Arbitraries.maps(path(), file())
        .ofMaxSize(8)
        .map(found -> new Generated(new TreeMap<>(found)));
  }

  /// The other's files, with this one's over them; a path with an empty file in this one is
  /// removed, so that some are.
  Generated over(Generated other) {
    Map<String, File> all = new TreeMap<>(other.files);
    files.forEach((path, file) -> {
      if (file.content.length == 0 && all.containsKey(path)) {
        all.remove(path);
      } else {
        all.put(path, file);
      }
    });
    return new Generated(all);
  }

  /// Makes a folder hold these files and no others, but for `.git`. Where one path is the folder of
  /// another, the one that is written first stays.
  void write(Path folder) throws IOException {
    GitHost.script(folder, "find . -mindepth 1 -maxdepth 1 ! -name .git -exec rm -rf {} +");
    for (Map.Entry<String, File> file : files.entrySet()) {
      Path path = folder.resolve(file.getKey());
      if (!isBelowAFile(folder, path) && !Files.isDirectory(path)) {
        write(path, file.getValue());
      }
    }
  }

  private static boolean isBelowAFile(Path folder, Path path) {
    for (Path parent = path.getParent();
        parent != null && !parent.equals(folder);
        parent = parent.getParent()) {
      if (Files.isRegularFile(parent) || Files.isSymbolicLink(parent)) {
        return true;
      }
    }
    return false;
  }

  private static void write(Path path, File file) throws IOException {
    Files.createDirectories(path.getParent());
    if (file.kind() == Kind.LINK) {
      Files.createSymbolicLink(
          path,
          Path.of(
              "to "
                  + new String(file.content, StandardCharsets.ISO_8859_1)
                      .replaceAll("[^a-z]", "x")));
      return;
    }
    Files.write(path, file.content);
    String mode = file.kind() == Kind.EXECUTABLE ? "rwxr-xr-x" : "rw-r--r--";
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  private static Arbitrary<String> path() {
    return Arbitraries.of(NAMES)
        .list()
        .ofMinSize(1)
        .ofMaxSize(3)
        .map(names -> String.join("/", names));
  }

  private static Arbitrary<File> file() {
    return Combinators.combine(Arbitraries.of(Kind.class), content()).as(File::new);
  }

  private static Arbitrary<byte[]> content() {
    Arbitrary<byte[]> texts =
        Arbitraries.of(
                "line\n",
                "other line\n",
                "crlf\r\n",
                "no end",
                "\n",
                " \t\n",
                "ü\n",
                "@@ -1 +1 @@\n")
            .list()
            .ofMaxSize(12)
            .map(lines -> String.join("", lines).getBytes(StandardCharsets.UTF_8));
    Arbitrary<byte[]> bytes = Arbitraries.bytes().array(byte[].class).ofMaxSize(300);
    return Arbitraries.oneOf(texts, bytes);
  }
}
