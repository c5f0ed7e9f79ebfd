package agentsessions.runner.repository;

import agentsessions.runner.capture.UntrustedFolder;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The git folder of a repository in the workspace. The agent owns it, so it is read without git,
/// which would do what the folder's settings say. What counts are regular files of at most 256 MiB,
/// to which no link leads.
///
/// @param work the workspace
/// @param repository the repository's path in it
/// @param notes takes sentences for the transcript
record AgentGitFolder(UntrustedFolder work, String repository, Consumer<String> notes) {
  private static final long MOST = 256L << 20;

  /// Of an id or a name that is read, in bytes.
  private static final int MOST_TEXT = 4096;

  private static final Pattern ID = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");
  private static final Pattern REFERENCE = Pattern.compile("ref: *(refs/[^\\x00-\\x20\\x7f]+)");
  private static final Pattern SHA256 = Pattern.compile("(?im)^\\s*objectformat\\s*=\\s*sha256");
  private static final Pattern SHARED =
      Pattern.compile("sharedindex\\.([0-9a-f]{40}|[0-9a-f]{64})");
  private static final int MOST_SHARED = 1000;
  private static final Pattern NO_NAME = Pattern.compile("/(\\.|/|$)");
  private static final String BRANCHES = "refs/heads/";

  /// What is checked out.
  ///
  /// @param commit the id of a commit, which may not be there; empty for none
  /// @param branch empty for a detached commit
  record Head(String commit, String branch) {
    static final Head NONE = new Head("", "");
  }

  /// Whether it is a folder, and no file or link, with all of its objects in it: one that lists
  /// other folders to borrow objects from does not count.
  boolean isThere() {
    try {
      return work.isFolder(at("objects"))
          && work.attributes(at("objects/info/alternates")).isEmpty();
    } catch (IOException obstacle) {
      return false;
    }
  }

  /// The format of its objects, by git's name.
  String format() {
    try {
      return SHA256.matcher(text(at("config")).orElse("")).find() ? "sha256" : "sha1";
    } catch (IOException unreadable) {
      return "sha1";
    }
  }

  /// What is checked out: HEAD is followed to one reference, and no further.
  Head head() {
    try {
      String head = text(at("HEAD")).orElse("");
      Matcher reference = REFERENCE.matcher(head);
      if (reference.matches() && !work.isFolder(at("reftable"))) {
        String name = reference.group(1);
        String branch = name.startsWith(BRANCHES) ? name.substring(BRANCHES.length()) : "";
        return new Head(commit(name), branch);
      }
      if (ID.matcher(head).matches()) {
        return new Head(head, "");
      }
    } catch (IOException unreadable) {
      // As if it said nothing.
    }
    notes.accept(
        "What is checked out in %s is not known: its git folder does not say so in a form that is read."
            .formatted(repository));
    return Head.NONE;
  }

  /// Copies what git needs of it into another git folder: the index, by whose times git knows which
  /// files have changed; the commits at which the history ends; the names that are ignored.
  void copyTo(Path folder) throws IOException {
    Files.createDirectories(folder.resolve("info"));
    copy(Path.of("info", "exclude"), folder);
    copy(Path.of("shallow"), folder);
    if (copy(Path.of("index"), folder)) {
      copyShared(folder);
    }
  }

  /// The shared parts of an index that is split. It has one, and git keeps those of before for two
  /// weeks. Their sizes count together.
  private void copyShared(Path folder) throws IOException {
    long left = MOST;
    for (String name : work.names(at(""), SHARED, MOST_SHARED)) {
      left -= work.attributes(at(name)).map(BasicFileAttributes::size).orElse(0L);
      if (left >= 0) {
        copy(Path.of(name), folder);
      }
    }
  }

  /// Copies a file with its time.
  ///
  /// @return whether it was there
  private boolean copy(Path name, Path folder) throws IOException {
    Path file = at(name.toString());
    Path copy = folder.resolve(name);
    try {
      Optional<BasicFileAttributes> found = work.attributes(file);
      if (found.isEmpty()) {
        return false;
      }
      try (InputStream content = read(file)) {
        Files.copy(content, copy);
      }
      Files.setLastModifiedTime(copy, found.get().lastModifiedTime());
      return true;
    } catch (IOException unreadable) {
      Files.deleteIfExists(copy);
      notes.accept(
          "%s of the git folder of %s cannot be read, or is larger than %d MiB: it does not count."
              .formatted(name, repository, MOST >> 20));
      return false;
    }
  }

  /// The id that a reference has, in a file of its own or among those that are packed; empty if it
  /// has none.
  private String commit(String reference) throws IOException {
    if (NO_NAME.matcher(reference).find()) {
      throw new IOException("no name of a reference");
    }
    Optional<String> own = text(at(reference));
    String id = own.isPresent() ? own.get() : packed(reference);
    return ID.matcher(id).matches() ? id : "";
  }

  /// A short text; empty if there is no file.
  private Optional<String> text(Path file) throws IOException {
    if (work.attributes(file).filter(found -> !found.isDirectory()).isEmpty()) {
      return Optional.empty();
    }
    try (InputStream content = work.read(file)) {
      return Optional.of(new String(content.readNBytes(MOST_TEXT), StandardCharsets.UTF_8).strip());
    }
  }

  /// Reads lines as `ID NAME`, of which a longer one than the name's is none.
  private String packed(String reference) throws IOException {
    Path file = at("packed-refs");
    if (work.attributes(file).isEmpty()) {
      return "";
    }
    try (InputStream content = new BufferedInputStream(read(file))) {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      for (int next = content.read(); next >= 0; next = content.read()) {
        if (next == '\n') {
          String[] words = line.toString(StandardCharsets.UTF_8).split(" ", 2);
          if (words.length == 2 && words[1].equals(reference)) {
            return words[0];
          }
          line.reset();
        } else if (line.size() < MOST_TEXT) {
          line.write(next);
        }
      }
    }
    return "";
  }

  private InputStream read(Path file) throws IOException {
    if (work.attributes(file).filter(found -> found.size() <= MOST).isEmpty()) {
      throw new IOException("not there, or too large");
    }
    return work.read(file);
  }

  private Path at(String name) throws IOException {
    try {
      return Path.of(repository, ".git", name);
    } catch (InvalidPathException unknown) {
      throw new IOException(unknown);
    }
  }
}
