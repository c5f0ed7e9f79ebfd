package agentsessions.turn;

import agentsessions.aws.Bucket;
import agentsessions.session.SandboxState;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.session.usage.Usage;
import agentsessions.table.Change;
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
  private final boolean travel;
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
    this.travel = kept.equals("objects");
    this.mostBytes = mostMebibytes * MEBIBYTE;
  }

  /// The state of a turn's sandbox at its claim: a folder that stays on its machine cannot be lost.
  SandboxState atClaim() {
    return travel ? SandboxState.SAVING : SandboxState.SAVED;
  }

  /// Whether sandboxes stay on their machine, so that there is nothing to save.
  public boolean stay() {
    return !travel;
  }

  /// Opens an upload for the sandbox as this turn leaves it, even if the turn has ended; a repeat
  /// finds the same upload. False if the sandbox is no longer this runner's.
  public boolean open(Turn turn) {
    Optional<SandboxLock> box = held(turn);
    if (box.isEmpty() || box.get().upload().isPresent()) {
      return box.isPresent();
    }
    Change open =
        Guards.box(turn)
            .set(SandboxLockItem.UPLOAD, bucket.openUpload(box.get().key()))
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
            box -> box.upload().map(upload -> bucket.partLink(box.key(), upload, part, bytes)));
  }

  /// Completes the upload from the entity tags of its parts, in order; the next turn is restored
  /// from the result. A repeat changes nothing. False if parts are missing, or if the sandbox is no
  /// longer this runner's.
  public boolean complete(Turn turn, List<String> tags) {
    Optional<SandboxLock> arrived = held(turn).filter(box -> arrives(box, tags));
    return arrived.filter(box -> record(turn, box)).isPresent() || isRecorded(turn, arrived);
  }

  /// Releases the sandbox for the next turn. The turn's files are saved if the upload was
  /// completed, or if there was nothing to save (`untouched`).
  ///
  /// @param total the usage of the turn, if its runner reports it
  public void release(Turn turn, boolean untouched, Optional<Usage> total) {
    Optional<SandboxLock> box = held(turn);
    Optional<Turn> seen = Optional.of(turn);
    for (int tries = 0;
        box.isPresent() && seen.isPresent() && !released(box.get(), seen.get(), untouched, total);
        tries++) {
      Retries.pause("release", tries);
      box = held(turn);
      seen = box.flatMap(this::holder);
    }
  }

  /// False if the turn or its lock has changed since it was read.
  private boolean released(SandboxLock box, Turn turn, boolean untouched, Optional<Usage> total) {
    Settlement.Release release = Settlement.atRelease(turn, total, box.usage(), clock.instant());
    return letGo(box, Guards.box(turn), release, contents(box, untouched), List.of());
  }

  /// Releases the sandbox of an ended turn whose runner's lease has ended, and has the task that
  /// runs it stopped. True if the sandbox is free.
  public boolean settle(SessionKey session) {
    return box(session)
        .map(box -> box.leaseUntil().isBefore(clock.instant()) && settle(box))
        .orElse(true);
  }

  private boolean settle(SandboxLock box) {
    return holder(box)
        .filter(turn -> !turn.live())
        .map(turn -> Settlement.atRelease(turn, Optional.empty(), box.usage(), clock.instant()))
        .filter(release ->
            letGo(box, box.asSeen(), release, contents(box, false), stops.stop(box.holder())))
        .isPresent();
  }

  private SandboxContents contents(SandboxLock box, boolean untouched) {
    if (!travel || untouched || box.isSaved()) {
      return new SandboxContents.AsItIs();
    }
    return box.upload().isPresent() && bucket.size(box.key()).isPresent()
        ? new SandboxContents.Arrived()
        : new SandboxContents.Lost();
  }

  private boolean letGo(
      SandboxLock box,
      Change lock,
      Settlement.Release release,
      SandboxContents contents,
      List<Write> more) {
    box.letGo(lock);
    SandboxState state =
        switch (contents) {
          case SandboxContents.AsItIs _ -> SandboxState.SAVED;
          case SandboxContents.Arrived _ -> {
            lock.set(SandboxLockItem.SNAPSHOT, box.key()).remove(SandboxLockItem.LOST);
            yield SandboxState.SAVED;
          }
          case SandboxContents.Lost _ -> {
            lock.set(SandboxLockItem.LOST, true);
            yield SandboxState.LOST;
          }
        };
    release.turn().set(TurnItem.SANDBOX, state);
    List<Write> writes = new ArrayList<>(List.of(lock.update(), release.turn().update()));
    writes.addAll(release.sums());
    writes.addAll(more);
    boolean letGo = table.write(writes).committed();
    if (letGo) {
      afterwards(box, contents);
      handover.start(box);
    }
    return letGo;
  }

  private void afterwards(SandboxLock box, SandboxContents contents) {
    switch (contents) {
      case SandboxContents.AsItIs _ -> {}
      case SandboxContents.Arrived _ -> box.snapshot().ifPresent(bucket::delete);
      case SandboxContents.Lost _ ->
          LOG.atWarn()
              .addKeyValue("workspace", box.holder().session().workspace())
              .addKeyValue("session", box.holder().sessionId())
              .addKeyValue("turn", box.holder().id())
              .log("sandbox.not_saved");
    }
  }

  private boolean arrives(SandboxLock box, List<String> tags) {
    return box.upload().filter(id -> bucket.completeUpload(box.key(), id, tags)).isPresent();
  }

  private boolean record(Turn turn, SandboxLock box) {
    Change complete =
        Guards.box(turn)
            .set(SandboxLockItem.SNAPSHOT, box.key())
            .remove(SandboxLockItem.UPLOAD, SandboxLockItem.LOST);
    boolean recorded = table.write(complete.update()).committed();
    if (recorded) {
      box.snapshot().ifPresent(bucket::delete);
    }
    return recorded;
  }

  /// Whether the upload is on record, from an earlier call or from a release that found it. If not,
  /// it never will be, and its object is removed.
  private boolean isRecorded(Turn turn, Optional<SandboxLock> arrived) {
    String key = SandboxLock.key(turn.key(), turn.fence());
    boolean recorded =
        table
            .item(Layout.box(turn.key().session()))
            .filter(box -> key.equals(box.find(SandboxLockItem.SNAPSHOT)))
            .isPresent();
    if (!recorded) {
      arrived.map(SandboxLock::key).ifPresent(bucket::delete);
    }
    return recorded;
  }

  private Optional<Turn> holder(SandboxLock box) {
    return table.item(Layout.turn(box.holder())).map(TurnItem::read);
  }

  private Optional<SandboxLock> held(Turn turn) {
    return box(turn.key().session()).filter(box -> box.isHeldBy(turn));
  }

  private Optional<SandboxLock> box(SessionKey session) {
    return table.item(Layout.box(session)).flatMap(item -> SandboxLock.of(session, item));
  }
}
