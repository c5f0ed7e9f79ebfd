package agentsessions.runner.capture;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.Limits;
import agentsessions.runner.agent.Utf8;
import agentsessions.runner.capture.Snapshot.Stamp;
import agentsessions.runner.protocol.Artifact;
import agentsessions.runner.sandbox.DiskUse;
import agentsessions.runner.sandbox.SessionFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/// Finds the plans and files of a session that are new or changed since the last committed capture.
///
/// Nothing of the agent runs any more when this does. In the workspace everything counts that is
/// not ignored; in HOME only plans do.
public final class Capture {
  /// A file may have so many bytes that are nowhere on the disk.
  private static final long HOLES = 16 * 1024 * 1024;

  private final SessionFolder folder;
  private final Limits limits;
  private final BooleanSupplier live;
  private final Globs plans;
  private final Globs homePlans;
  private final Globs ignored;
  private final Snapshot before;
  private final Snapshot after = Snapshot.empty();
  private final List<Found> changed = new ArrayList<>();
  private final List<Found> chosen = new ArrayList<>();
  private final Notes notes = new Notes();
  private long bytes;
  private int files;
  private long recorded;
  private int names;

  /// @param live whether anybody still wants the files
  public Capture(SessionFolder folder, AgentEntry entry, Limits limits, BooleanSupplier live)
      throws IOException {
    this.live = live;
    this.folder = folder;
    this.limits = limits;
    this.plans = Globs.inWorkspace(entry.plans());
    this.homePlans = Globs.belowHome(entry.plans());
    this.ignored = Globs.of(entry.ignore().stream().map(Capture::withoutContents));
    this.before = Snapshot.load(folder.captured());
  }

  /// A file to capture, and where the agent sees it.
  public record Found(Tree tree, Path file, String path, Artifact.Kind kind, Stamp stamp) {
    public String name() {
      return file.getFileName().toString();
    }
  }

  /// What to upload: plans, the oldest first, then files, the newest first.
  public List<Found> find() {
    search(folder.work(), "/workspace/", false);
    search(folder.home(), "/home/agent/", true);
    changed.sort(Comparator.comparing(Found::kind).thenComparing(found -> -found.stamp().mtime()));
    changed.forEach(this::choose);
    long planned = chosen.stream().filter(found -> found.kind() == Artifact.Kind.PLAN).count();
    Collections.reverse(chosen.subList(0, (int) planned));
    return List.copyOf(chosen);
  }

  /// A found file's bytes, as long as they are wanted.
  public InputStream open(Found found) throws IOException {
    return new WantedStream(found.tree().read(found.file()), live);
  }

  public Notes notes() {
    return notes;
  }

  /// Whether the session has more than it may; to be asked before anything is uploaded.
  ///
  /// @throws IOException if it cannot be found out
  public boolean isOverLimit() throws IOException {
    return files > limits.files()
        || (bytes > limits.folder()
            && DiskUse.of(List.of(folder.work(), folder.home())) > limits.folder());
  }

  /// Takes a file out that could not be stored, so that the next capture tries again.
  public void forget(Found found) {
    after.files().remove(found.path());
    before.stamp(found.path()).ifPresent(stamp -> after.files().put(found.path(), stamp));
    notes.notStored(found.path());
  }

  /// To be called when the result that holds the found files is committed, and only then.
  public void commit() throws IOException {
    after.save(folder.captured());
  }

  private void search(Path root, String prefix, boolean home) {
    Tree tree = new Tree(root);
    try {
      tree.walk(new Search(tree, prefix, home));
    } catch (IOException closed) {
      notes.unreadable();
    }
  }

  private void choose(Found found) {
    if (found.stamp().size() > limits.artifact()) {
      notes.tooLarge(found.path());
    } else if (isHollow(found)) {
      notes.hollow(found.path());
    } else if (found.stamp().size() > limits.recorded() - recorded) {
      notes.tooMuch(found.path());
    } else if (chosen.size() >= limits.artifacts()) {
      notes.tooMany(limits.artifacts());
    } else {
      digest(found);
    }
  }

  private void digest(Found found) {
    try (InputStream content = open(found)) {
      String sha256 = Digest.of(content);
      after.files().put(found.path(), found.stamp().with(sha256));
      if (!before.hasContent(found.path(), sha256)) {
        recorded += found.stamp().size();
        chosen.add(found);
      }
    } catch (IOException unreadable) {
      after.files().remove(found.path());
      notes.unreadable();
    }
  }

  /// A file that is hardly there: it would become far more in the store than it is on the disk.
  private static boolean isHollow(Found found) {
    long missing =
        found.stamp().size()
            - Allocation.of(found.tree().root().resolve(found.file())).orElse(found.stamp().size());
    return missing > HOLES;
  }

  /// A folder is ignored as a whole, so `x/**` is the same as `x`.
  private static String withoutContents(String glob) {
    return glob.endsWith("/**") ? glob.substring(0, glob.length() - 3) : glob;
  }

  private final class Search implements Tree.Visitor {
    private final Tree tree;
    private final String prefix;
    private final boolean home;
    private final Set<Path> ignoredFolders = new HashSet<>();
    private long matched;

    private Search(Tree tree, String prefix, boolean home) {
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
        kind(path).ifPresent(kind -> candidate(path, kind, Stamp.of(attributes)));
      }
      return files <= limits.files();
    }

    @Override
    public void unreadable(Path path) {
      if (!home) {
        notes.unreadable();
      }
    }

    private Optional<Artifact.Kind> kind(Path path) {
      if (home) {
        return homePlans.match(path) ? Optional.of(Artifact.Kind.PLAN) : Optional.empty();
      }
      if (isIgnored(path)) {
        return Optional.empty();
      }
      return Optional.of(plans.match(path) ? Artifact.Kind.PLAN : Artifact.Kind.FILE);
    }

    private boolean isIgnored(Path path) {
      return !home && ignored.match(path);
    }

    private boolean isBelowIgnored(Path path) {
      Path parent = path.getParent();
      return parent != null && ignoredFolders.contains(parent);
    }

    /// Matching takes as long as the names are, and an agent makes them faster than that.
    private boolean isMatched(Path path) {
      matched += path.toString().length();
      if (matched > Limits.NAMES) {
        notes.notExamined(after.files().size());
      }
      return matched <= Limits.NAMES;
    }

    private void candidate(Path file, Artifact.Kind kind, Stamp stamp) {
      if (!isSpeakable(file)) {
        notes.unspeakable();
        return;
      }
      String path = prefix + file;
      if (after.files().size() >= limits.examined() || names > Limits.NAMES - path.length()) {
        notes.notExamined(after.files().size());
        return;
      }
      names += path.length();
      Stamp known = before.stamp(path).filter(stamp::isUntouchedSince).orElse(null);
      after.files().put(path, known == null ? stamp : known);
      if (known == null) {
        changed.add(new Found(tree, file, path, kind, stamp));
      }
    }
  }

  /// Whether a name, which may be any bytes, is text that leads back to the same name, and not
  /// endless.
  private static boolean isSpeakable(Path path) {
    try {
      String text = path.toString();
      return Path.of(text).equals(path) && !Utf8.exceeds(text, Limits.PATH);
    } catch (InvalidPathException noText) {
      return false;
    }
  }
}
