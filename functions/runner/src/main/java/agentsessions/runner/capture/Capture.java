package agentsessions.runner.capture;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.Limits;
import agentsessions.runner.capture.CaptureIndex.Stamp;
import agentsessions.runner.sandbox.SessionFolder;
import agentsessions.runner.sandbox.disk.DiskMeasurement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// The capture of a turn's artifacts: finds the plans and files of a session that are new or
/// changed since the last committed capture.
///
/// To be used only when no process of the agent runs any more.
public final class Capture {
  /// The most bytes of a captured file that may be holes.
  private static final long HOLES = 16 * 1024 * 1024;

  private final SessionFolder folder;
  private final Limits limits;
  private final BooleanSupplier live;
  private final CaptureIndex before;
  private final CaptureIndex after = CaptureIndex.empty();
  private final List<CapturedFile> patches = new ArrayList<>();
  private final List<CapturedFile> chosen = new ArrayList<>();
  private final OmissionNotes notes = new OmissionNotes();
  private final FileSearch search;
  private long recorded;

  /// @param live whether the turn still wants the files
  /// @param repositories folders whose files are not captured one by one
  public Capture(
      SessionFolder folder,
      AgentEntry entry,
      Limits limits,
      BooleanSupplier live,
      List<RepositoryFolder> repositories)
      throws IOException {
    this.live = live;
    this.folder = folder;
    this.limits = limits;
    this.before = CaptureIndex.load(folder.captured());
    this.search = new FileSearch(entry, limits, before, after, notes, repositories);
  }

  /// Adds a patch, which comes before all files.
  ///
  /// @param path the path that the artifact is recorded with
  public void addPatch(UntrustedFolder tree, Path file, String path) throws IOException {
    BasicFileAttributes attributes =
        Files.readAttributes(
            tree.root().resolve(file), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    patches.add(new CapturedFile(tree, file, path, CapturedFile.Kind.FILE, Stamp.of(attributes)));
    recorded += attributes.size();
  }

  /// The files to upload: patches, then plans, the oldest first, then files, the newest first.
  public List<CapturedFile> find() {
    search.workspace(folder.work());
    search.home(folder.home());
    List<CapturedFile> changed = new ArrayList<>(search.changed());
    changed.sort(
        Comparator.comparing(CapturedFile::kind).thenComparing(found -> -found.stamp().mtime()));
    changed.forEach(this::choose);
    long planned = chosen.stream().filter(found -> found.kind() == CapturedFile.Kind.PLAN).count();
    Collections.reverse(chosen.subList(0, (int) planned));
    return Stream.concat(patches.stream(), chosen.stream()).toList();
  }

  /// The bytes of a found file; reading fails once the turn does not want them any more.
  public InputStream open(CapturedFile found) throws IOException {
    return new CancellableStream(found.tree().read(found.file()), live);
  }

  public OmissionNotes notes() {
    return notes;
  }

  /// Whether the session exceeds its limits of files or disk space; to be asked before anything is
  /// uploaded.
  ///
  /// @throws IOException if that cannot be determined
  public boolean isOverLimit() throws IOException {
    return search.files() > limits.files()
        || (search.bytes() > limits.folder()
            && DiskMeasurement.of(List.of(folder.work(), folder.home())) > limits.folder());
  }

  /// Enters the checksum of the bytes that are stored of a file. A patch has no entry.
  public void stored(CapturedFile found, String sha256) {
    after.files().computeIfPresent(found.path(), (path, _) -> found.stamp().with(sha256));
  }

  /// Takes a file out that could not be stored, so that the next capture tries again.
  public void forget(CapturedFile found) {
    after.files().remove(found.path());
    before.stamp(found.path()).ifPresent(stamp -> after.files().put(found.path(), stamp));
    notes.notStored(found.path());
  }

  /// To be called when the result that holds the found files is committed, and only then.
  public void commit() throws IOException {
    after.save(folder.captured());
  }

  private void choose(CapturedFile found) {
    if (found.stamp().size() > limits.artifact()) {
      notes.tooLarge(found.path());
    } else if (isHollow(found)) {
      notes.hollow(found.path());
    } else if (found.stamp().size() > limits.recorded() - recorded) {
      notes.tooMuch(found.path());
    } else if (patches.size() + chosen.size() >= limits.artifacts()) {
      notes.tooMany(limits.artifacts());
    } else {
      compare(found);
    }
  }

  private void compare(CapturedFile found) {
    try (InputStream content = open(found)) {
      if (before.mayHave(found) && isRecorded(found, Digest.of(content))) {
        return;
      }
      recorded += found.stamp().size();
      chosen.add(found);
    } catch (IOException unreadable) {
      after.files().remove(found.path());
      notes.unreadable();
    }
  }

  /// Whether the last capture recorded these very bytes.
  private boolean isRecorded(CapturedFile found, String sha256) {
    stored(found, sha256);
    return before.hasContent(found.path(), sha256);
  }

  /// Whether a file is mostly holes: it would take far more space in the object store than on the
  /// disk.
  private static boolean isHollow(CapturedFile found) {
    long missing =
        found.stamp().size()
            - Allocation.of(found.tree().root().resolve(found.file())).orElse(found.stamp().size());
    return missing > HOLES;
  }
}
