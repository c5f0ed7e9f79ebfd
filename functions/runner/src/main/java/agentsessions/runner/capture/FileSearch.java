package agentsessions.runner.capture;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.Limits;
import agentsessions.runner.agent.Utf8;
import agentsessions.runner.capture.CaptureIndex.Stamp;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The search through the folders of a session: counts all files, and enters those that may be
/// captured in the index of the capture. In the workspace every file that is not ignored may be
/// captured; in HOME only plans.
final class FileSearch {
  static final String WORKSPACE = "/workspace/";
  static final String HOME = "/home/agent/";

  private final Limits limits;
  private final Globs plans;
  private final Globs homePlans;
  private final Globs ignored;
  private final CaptureIndex before;
  private final CaptureIndex after;
  private final OmissionNotes notes;
  private final List<RepositoryFolder> repositories;
  private final List<CapturedFile> changed = new ArrayList<>();
  private long bytes;
  private int files;
  private int names;

  FileSearch(
      AgentEntry entry,
      Limits limits,
      CaptureIndex before,
      CaptureIndex after,
      OmissionNotes notes,
      List<RepositoryFolder> repositories) {
    this.limits = limits;
    this.plans = Globs.inWorkspace(entry.plans());
    this.homePlans = Globs.belowHome(entry.plans());
    this.ignored = Globs.of(entry.ignore().stream().map(FileSearch::withoutContents));
    this.before = before;
    this.after = after;
    this.notes = notes;
    this.repositories = repositories;
  }

  void workspace(Path root) {
    search(root, WORKSPACE, false);
  }

  void home(Path root) {
    search(root, HOME, true);
  }

  /// The files that are new or changed since the last capture.
  List<CapturedFile> changed() {
    return changed;
  }

  int files() {
    return files;
  }

  long bytes() {
    return bytes;
  }

  private void search(Path root, String prefix, boolean home) {
    UntrustedFolder tree = new UntrustedFolder(root);
    try {
      tree.walk(new Walk(tree, prefix, home));
    } catch (IOException closed) {
      notes.unreadable();
    }
  }

  /// A folder is ignored as a whole, so `x/**` is the same as `x`.
  private static String withoutContents(String glob) {
    return glob.endsWith("/**") ? glob.substring(0, glob.length() - 3) : glob;
  }

  private final class Walk implements UntrustedFolder.Visitor {
    private final UntrustedFolder tree;
    private final String prefix;
    private final boolean home;
    private final Set<Path> ignoredFolders = new HashSet<>();
    private long matched;

    private Walk(UntrustedFolder tree, String prefix, boolean home) {
      this.tree = tree;
      this.prefix = prefix;
      this.home = home;
    }

    @Override
    public void folder(Path path) {
      if (isBelowIgnored(path) || (isMatched(path) && isIgnored(path))) {
        ignoredFolders.add(path);
      }
    }

    @Override
    public boolean file(Path path, BasicFileAttributes attributes) {
      files++;
      bytes += attributes.size();
      if (!isBelowIgnored(path) && isMatched(path)) {
        kind(path, attributes.size())
            .ifPresent(kind -> candidate(path, kind, Stamp.of(attributes)));
      }
      return files <= limits.files();
    }

    @Override
    public void unreadable(Path path) {
      if (!home) {
        notes.unreadable();
      }
    }

    private Optional<CapturedFile.Kind> kind(Path path, long size) {
      if (home) {
        return homePlans.match(path) ? Optional.of(CapturedFile.Kind.PLAN) : Optional.empty();
      }
      if (isIgnored(path)) {
        return Optional.empty();
      }
      return repositories.stream()
          .filter(repository -> repository.holds(path))
          .findFirst()
          .map(repository -> planOf(repository, path, size))
          .orElseGet(() ->
              Optional.of(plans.match(path) ? CapturedFile.Kind.PLAN : CapturedFile.Kind.FILE));
    }

    private Optional<CapturedFile.Kind> planOf(RepositoryFolder repository, Path path, long size) {
      boolean isPlan = plans.match(path) || plans.match(repository.within(path));
      return isPlan && !repository.isUnchanged(tree, path, size)
          ? Optional.of(CapturedFile.Kind.PLAN)
          : Optional.empty();
    }

    private boolean isIgnored(Path path) {
      return !home && ignored.match(path);
    }

    private boolean isBelowIgnored(Path path) {
      Path parent = path.getParent();
      return parent != null && ignoredFolders.contains(parent);
    }

    /// Bounded, because matching takes time in proportion to the length of the names, and an agent
    /// can make names faster than they are matched.
    private boolean isMatched(Path path) {
      matched += path.toString().length();
      if (matched > limits.names()) {
        notes.notExamined(after.files().size());
      }
      return matched <= limits.names();
    }

    private void candidate(Path file, CapturedFile.Kind kind, Stamp stamp) {
      if (!isSpeakable(file)) {
        notes.unspeakable();
        return;
      }
      String path = prefix + file;
      if (after.files().size() >= limits.examined() || names > limits.names() - path.length()) {
        notes.notExamined(after.files().size());
        return;
      }
      names += path.length();
      Stamp known = before.stamp(path).filter(stamp::isUntouchedSince).orElse(null);
      after.files().put(path, known == null ? stamp : known);
      if (known == null) {
        changed.add(new CapturedFile(tree, file, path, kind, stamp));
      }
    }
  }

  /// Whether a name can be reported. On Linux a name may be any bytes: it must be text that leads
  /// back to the same name, and not too long.
  private static boolean isSpeakable(Path path) {
    try {
      String text = path.toString();
      return Path.of(text).equals(path) && !Utf8.exceeds(text, Limits.PATH);
    } catch (InvalidPathException noText) {
      return false;
    }
  }
}
