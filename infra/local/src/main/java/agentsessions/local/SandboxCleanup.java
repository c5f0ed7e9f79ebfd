package agentsessions.local;

import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Workspace;
import agentsessions.store.session.Sessions;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Shards;
import agentsessions.table.Table;
import agentsessions.table.item.SessionItem;
import com.google.common.collect.Iterables;
import com.google.common.util.concurrent.MoreExecutors;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The cleanup of deleted sessions' sandbox folders. The purge of a session notes its folder in the
/// sparse index, and the note goes after the folder, so that a start reads only the notes. A slow
/// check looks up folders' own sessions, a few at a time, and notes those that no session has.
///
/// Why: decision 027.
final class SandboxCleanup implements AutoCloseable {
  /// The folders of one check: 96 an hour, however often the service is started.
  static final int CHECKED = 8;

  private static final Duration CHECK = Duration.ofMinutes(5);
  private static final Duration AGAIN = Duration.ofSeconds(30);
  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(2);
  private static final int MOST_NOTES = 10_000;
  private static final int AT_ONCE = 500;
  private static final Logger log = LoggerFactory.getLogger(SandboxCleanup.class);

  /// The removal of sessions' folders: by the runner's code in a process of its own, since it can
  /// remove what agents have made unreadable. A folder in use stays.
  interface Removal {
    int of(List<String> sessions) throws IOException, InterruptedException;
  }

  private final Path sandboxes;
  private final Removal removal;
  private final Table table;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("sandbox-cleanup").factory());

  /// The folder that was checked last. Used by the timer's thread only.
  private Optional<String> last = Optional.empty();

  SandboxCleanup(Path sandboxes, Removal removal, Table table) {
    this.sandboxes = sandboxes;
    this.removal = removal;
    this.table = table;
  }

  void start() {
    every(AGAIN, Duration.ZERO, this::removeNoted);
    every(CHECK, CHECK, this::check);
  }

  /// Schedules the removal of the folders that are noted.
  void remove() {
    Future<?> _ = timer.submit(this::removeNoted);
  }

  @Override
  public void close() {
    boolean _ = MoreExecutors.shutdownAndAwaitTermination(timer, LONGEST_GOODBYE);
  }

  private void every(Duration period, Duration first, Runnable work) {
    Future<?> _ =
        timer.scheduleWithFixedDelay(
            work, first.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
  }

  void removeNoted() {
    try {
      List<SessionKey> noted =
          table.due(Shards.FOLDERS, Instant.now().toEpochMilli(), MOST_NOTES).stream()
              .map(note -> note.key().folder())
              .toList();
      for (List<SessionKey> some : Iterables.partition(noted, AT_ONCE)) {
        removeGone(some);
      }
    } catch (IOException | RuntimeException failed) {
      log.warn("Folders of deleted sessions are not removed now and tried again", failed);
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private void removeGone(List<SessionKey> noted) throws IOException, InterruptedException {
    Map<Layout.Key, Item> metas = metas(noted);
    List<SessionKey> gone =
        noted.stream().filter(session -> isGone(metas.get(Layout.meta(session)))).toList();
    List<String> there =
        gone.stream().filter(this::isThere).map(session -> session.id().toString()).toList();
    if (!there.isEmpty()) {
      int _ = removal.of(there);
    }
    List<SessionKey> left = gone.stream().filter(this::isThere).toList();
    table.purge(
        gone.stream().filter(session -> !left.contains(session)).map(Layout::folder).toList());
    if (!left.isEmpty()) {
      log.atWarn()
          .addKeyValue("sessions", left.size())
          .log("Folders of deleted sessions are left and tried again");
    }
  }

  /// The items of these sessions, as far as there are any; throws unless the table answers for
  /// each.
  private Map<Layout.Key, Item> metas(List<SessionKey> sessions) {
    return table.items(sessions.stream().map(Layout::meta).toList());
  }

  private static boolean isGone(@Nullable Item meta) {
    return meta == null || meta.flag(SessionItem.DELETED);
  }

  /// Looks up the sessions of the next few folders, in turn. A session is in the table before its
  /// folder exists, and its id never returns; one that is being purged has its folder noted then.
  void check() {
    try {
      List<SessionKey> owners = next().stream().flatMap(folder -> owner(folder).stream()).toList();
      Map<Layout.Key, Item> metas = metas(owners);
      List<SessionKey> gone =
          owners.stream().filter(key -> !metas.containsKey(Layout.meta(key))).toList();
      for (SessionKey key : gone) {
        boolean _ = table.write(Sessions.unwanted(key, Instant.now())).committed();
      }
      if (!gone.isEmpty()) {
        removeNoted();
      }
    } catch (IOException | RuntimeException failed) {
      log.warn("Sandboxes are not held against the table now", failed);
    }
  }

  /// The first time from anywhere, so that starts one after another do not check the same folders.
  private List<String> next() throws IOException {
    NavigableSet<String> all = folders();
    if (all.isEmpty()) {
      return List.of();
    }
    String after =
        last.orElseGet(() -> List.copyOf(all).get(ThreadLocalRandom.current().nextInt(all.size())));
    List<String> some =
        Stream.concat(all.tailSet(after, false).stream(), all.headSet(after, true).stream())
            .limit(CHECKED)
            .toList();
    last = Optional.of(some.getLast());
    return some;
  }

  private NavigableSet<String> folders() throws IOException {
    NavigableSet<String> names = new TreeSet<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(sandboxes, "[0-9a-f]*-*-*-*-*")) {
      all.forEach(folder -> names.add(folder.getFileName().toString()));
    }
    return names;
  }

  /// The session whose folder it is, if it carries that session's key.
  private Optional<SessionKey> owner(String folder) {
    try {
      String key = Files.readString(sandboxes.resolve(folder).resolve("session"));
      return key.endsWith("/" + folder)
          ? SessionId.parse(folder)
              .map(id -> new SessionKey(new Workspace(key.substring(0, key.indexOf('/'))), id))
          : Optional.empty();
    } catch (IOException none) {
      return Optional.empty();
    }
  }

  private boolean isThere(SessionKey key) {
    return Files.exists(sandboxes.resolve(key.id().toString()), LinkOption.NOFOLLOW_LINKS);
  }
}
