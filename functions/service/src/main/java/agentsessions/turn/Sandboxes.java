package agentsessions.turn;

import agentsessions.aws.Bucket;
import agentsessions.session.SandboxState;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.session.usage.Usage;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.Layout;
import agentsessions.table.Retries;
import agentsessions.table.Table;
import agentsessions.table.Write;
import agentsessions.table.item.SandboxLockItem;
import agentsessions.table.item.TurnItem;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The storage of sandboxes between the turns of a session. A runner saves the sandbox in parts and
/// releases it. If it does not, the next claim or the sweep releases the sandbox once the lease has
/// ended. The transaction of the release decides once whether the turn's files were saved or lost.
///
/// Why: decision 008.
@Singleton
public final class Sandboxes {
  /// The size of every part of a saved sandbox but the last.
  public static final int PART_BYTES = 64 * 1024 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(Sandboxes.class);
  private static final long MEBIBYTE = 1024 * 1024;

  private final Table table;
  private final Bucket bucket;
  private final TaskStops stops;
  private final Handover handover;
  private final Clock clock;
  private final boolean asObjects;
  private final long mostBytes;

  /// @param kept `objects`, or `machine` if a session's folder stays on its runner's machine
  public Sandboxes(
      Table table,
      Bucket bucket,
      TaskStops stops,
      Handover handover,
      Clock clock,
      @Property(name = "sandboxes", defaultValue = "objects") String kept,
      @Property(name = "max.sandbox.mb", defaultValue = "4096") int mostMebibytes) {
    this.table = table;
    this.bucket = bucket;
    this.stops = stops;
    this.handover = handover;
    this.clock = clock;
    this.asObjects = kept.equals("objects");
    this.mostBytes = mostMebibytes * MEBIBYTE;
  }

  /// The state of a turn's sandbox at its claim: a folder that stays on its machine cannot be lost.
  SandboxState atClaim() {
    return asObjects ? SandboxState.SAVING : SandboxState.SAVED;
  }

  /// Whether a sandbox stays on its machine, so that there is nothing to save.
  public boolean staysOnMachine() {
    return !asObjects;
  }

  /// Opens an upload for the sandbox as this turn leaves it, even if the turn has ended; a repeat
  /// finds the same upload. False if the sandbox is no longer this runner's.
  public boolean open(Turn turn) {
    Optional<SandboxLock> lock = held(turn);
    if (lock.isEmpty() || lock.get().upload().isPresent()) {
      return lock.isPresent();
    }
    Change open =
        Guards.sandboxLock(turn)
            .set(SandboxLockItem.UPLOAD, bucket.openUpload(lock.get().key()))
            .when("attribute_not_exists(#upload)");
    return table.write(open.update()).committed() || held(turn).isPresent();
  }

  /// Whether a part is allowed: parts count from 1, and their total size is bounded by the largest
  /// sandbox of a session.
  public boolean allows(int part, long bytes) {
    return part >= 1
        && bytes >= 1
        && bytes <= PART_BYTES
        && (part - 1L) * PART_BYTES + bytes <= mostBytes;
  }

  /// A presigned link for one part; empty if no upload is open.
  public Optional<String> partLink(Turn turn, int part, long bytes) {
    return held(turn)
        .flatMap(
            lock -> lock.upload().map(upload -> bucket.partLink(lock.key(), upload, part, bytes)));
  }

  /// Completes the upload from the entity tags of its parts, in order; the next turn is restored
  /// from the result. A repeat changes nothing. False if parts are missing, or if the sandbox is no
  /// longer this runner's.
  public boolean complete(Turn turn, List<String> tags) {
    Optional<SandboxLock> arrived = held(turn).filter(lock -> arrives(lock, tags));
    return arrived.filter(lock -> record(turn, lock)).isPresent() || isRecorded(turn, arrived);
  }

  /// Releases the sandbox for the next turn. The turn's files are saved if the upload was
  /// completed, or if there was nothing to save (`untouched`).
  ///
  /// @param total the usage of the turn, if its runner reports it
  public void release(Turn turn, boolean untouched, Optional<Usage> total) {
    release(turn, table.item(Layout.sandboxLock(turn.key().sessionKey())), untouched, total);
  }

  /// The same by the lock that was read with the turn.
  public void release(Turn turn, Optional<Item> read, boolean untouched, Optional<Usage> total) {
    Optional<SandboxLock> lock = held(turn, read);
    Optional<Turn> seen = Optional.of(turn);
    for (int tries = 0;
        lock.isPresent() && seen.isPresent() && !released(lock.get(), seen.get(), untouched, total);
        tries++) {
      if (tries > 0) {
        Retries.pause("release", tries); // at first another was faster, and is through
      }
      lock = held(turn);
      seen = lock.flatMap(this::holder);
    }
  }

  /// False if the turn or its lock has changed since it was read.
  private boolean released(SandboxLock lock, Turn turn, boolean untouched, Optional<Usage> total) {
    Settlement.Release release = Settlement.atRelease(turn, total, lock.usage(), clock.instant());
    Change ofLock = lock.release(Guards.sandboxLock(turn));
    return unlock(lock, ofLock, release, contents(lock, untouched), List.of());
  }

  /// The outcome of a runner's wish to leave its turn before the end.
  enum Departure {
    /// It has left: that is written.
    DONE,
    /// The turn or its lock has changed since it was read.
    CHANGED,
    /// Nothing is written: what the turn made is not saved, or it cannot be left for this request.
    REFUSED
  }

  /// Releases the sandbox of a turn whose runner goes before its end.
  ///
  /// @param ofLock the change by which it lets the sandbox go
  /// @param ofTurn the change by which it leaves the turn
  /// @param more further writes
  Departure leave(
      SandboxLock lock, Change ofLock, boolean untouched, Change ofTurn, List<Write> more) {
    Contents contents = contents(lock, untouched);
    Settlement.Release release = new Settlement.Release(ofTurn, List.of());
    if (contents instanceof Contents.Lost) {
      return Departure.REFUSED;
    }
    return unlock(lock, ofLock, release, contents, more) ? Departure.DONE : Departure.CHANGED;
  }

  /// Releases the sandbox of an ended turn whose runner's lease has ended, and has the task that
  /// runs it stopped. True if the sandbox is free.
  public boolean reclaim(SessionKey key) {
    return table
        .item(Layout.sandboxLock(key))
        .flatMap(item -> SandboxLock.of(key, item))
        .map(lock -> lock.leaseUntil().isBefore(clock.instant()) && reclaim(lock))
        .orElse(true);
  }

  private boolean reclaim(SandboxLock lock) {
    return holder(lock)
        .filter(turn -> !turn.live())
        .map(turn -> Settlement.atRelease(turn, Optional.empty(), lock.usage(), clock.instant()))
        .filter(release -> reclaim(lock, release))
        .isPresent();
  }

  private boolean reclaim(SandboxLock lock, Settlement.Release release) {
    TaskStops.TaskStop stop = stops.stop(lock.holder());
    Change ofLock = lock.release(lock.asSeen());
    boolean unlocked = unlock(lock, ofLock, release, contents(lock, false), stop.writes());
    if (unlocked) {
      stop.log();
    }
    return unlocked;
  }

  /// The contents of a sandbox after its release.
  private sealed interface Contents {
    /// The recorded snapshot, or the folder on the machine.
    record AsItIs() implements Contents {}

    /// The upload that had arrived, but was not recorded.
    record Arrived() implements Contents {}

    /// The contents from before the turn: those of the turn are lost.
    record Lost() implements Contents {}
  }

  private Contents contents(SandboxLock lock, boolean untouched) {
    if (!asObjects || untouched || lock.isSaved() || lock.holder().id().isJob()) {
      return new Contents.AsItIs();
    }
    return lock.upload().isPresent() && bucket.size(lock.key()).isPresent()
        ? new Contents.Arrived()
        : new Contents.Lost();
  }

  private boolean unlock(
      SandboxLock lock,
      Change change,
      Settlement.Release release,
      Contents contents,
      List<Write> more) {
    SandboxState state =
        switch (contents) {
          case Contents.AsItIs _ -> SandboxState.SAVED;
          case Contents.Arrived _ -> {
            change.set(SandboxLockItem.SNAPSHOT, lock.key()).remove(SandboxLockItem.LOST);
            yield SandboxState.SAVED;
          }
          case Contents.Lost _ -> {
            change.set(SandboxLockItem.LOST, true);
            yield SandboxState.LOST;
          }
        };
    release.turn().set(TurnItem.SANDBOX, state);
    List<Write> writes = new ArrayList<>(List.of(change.update(), release.turn().update()));
    writes.addAll(release.sums());
    writes.addAll(more);
    boolean unlocked = table.write(writes).committed();
    if (unlocked) {
      afterwards(lock, contents);
      handover.start(lock);
    }
    return unlocked;
  }

  private void afterwards(SandboxLock lock, Contents contents) {
    switch (contents) {
      case Contents.AsItIs _ -> {}
      case Contents.Arrived _ -> lock.snapshot().ifPresent(bucket::delete);
      case Contents.Lost _ ->
          LOG.atWarn()
              .addKeyValue("workspace", lock.holder().sessionKey().workspace())
              .addKeyValue("session", lock.holder().sessionId())
              .addKeyValue("turn", lock.holder().id())
              .log("sandbox.not_saved");
    }
  }

  private boolean arrives(SandboxLock lock, List<String> tags) {
    return lock.upload().filter(id -> bucket.completeUpload(lock.key(), id, tags)).isPresent();
  }

  private boolean record(Turn turn, SandboxLock lock) {
    Change complete =
        Guards.sandboxLock(turn)
            .set(SandboxLockItem.SNAPSHOT, lock.key())
            .remove(SandboxLockItem.UPLOAD, SandboxLockItem.LOST);
    boolean recorded = table.write(complete.update()).committed();
    if (recorded) {
      lock.snapshot().ifPresent(bucket::delete);
    }
    return recorded;
  }

  /// Whether the upload is on record, from an earlier call or from a release that found it. If not,
  /// it never will be, and its object is removed.
  private boolean isRecorded(Turn turn, Optional<SandboxLock> arrived) {
    String key = SandboxLock.key(turn.key(), turn.fence());
    boolean recorded =
        table
            .item(Layout.sandboxLock(turn.key().sessionKey()))
            .filter(lock -> key.equals(lock.find(SandboxLockItem.SNAPSHOT)))
            .isPresent();
    if (!recorded) {
      arrived.map(SandboxLock::key).ifPresent(bucket::delete);
    }
    return recorded;
  }

  private Optional<Turn> holder(SandboxLock lock) {
    return table.item(Layout.turn(lock.holder())).map(TurnItem::read);
  }

  private Optional<SandboxLock> held(Turn turn) {
    return held(turn, table.item(Layout.sandboxLock(turn.key().sessionKey())));
  }

  private static Optional<SandboxLock> held(Turn turn, Optional<Item> read) {
    return read.flatMap(item -> SandboxLock.of(turn.key().sessionKey(), item))
        .filter(lock -> lock.isHeldBy(turn));
  }
}
