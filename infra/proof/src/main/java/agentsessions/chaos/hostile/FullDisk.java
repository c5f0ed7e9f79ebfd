package agentsessions.chaos.hostile;

import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.rule.Inodes;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.PresignedLink;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/// A service on a disk that is really full, because one session writes data or files until nothing
/// is left: that session is stopped and no other, other clients are served or given the reason,
/// every accepted turn ends, and after the session is deleted the service is as before.
///
/// The disk is a small one in memory, mounted by root where only this process and its children see
/// it: run by `unshare --mount`.
public final class FullDisk implements AutoCloseable {
  private static final long MIB = 1 << 20;
  private static final int SIZE_MIB = 300;
  private static final int INODES = 120_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(150);

  /// The service counts a disk with less free space than this as nearly full: a tenth.
  private static final long KEPT_FREE = SIZE_MIB * MIB / 10;

  /// Takes all but 64 KiB in one call, before the service can measure it.
  private static final String GREEDY =
      "room=$(df --output=avail -B1 . | tail -1); fallocate -l $((room - 65536)) fill; sleep 60";

  /// Takes every inode, unless the service measures in time.
  private static final String PROLIFIC = "i=0; while : > f$i; do i=$((i+1)); done; sleep 60";

  private static final Duration WINDOW = Duration.ofSeconds(10);

  private static final String MODEST =
      "head -c 2M /dev/zero > kept; for i in $(seq 15); do echo $i >> log; sleep 1; done; echo plan"
          + " > PLAN.md; echo done";

  private final ServiceProcess service;
  private final Path disk;
  private final List<String> failures = new ArrayList<>();

  public FullDisk(Path data) throws IOException {
    disk = Files.createDirectories(data.resolve("disk"));
    execute(
        "mount",
        "-t",
        "tmpfs",
        "-o",
        "size=%dm,nr_inodes=%d".formatted(SIZE_MIB, INODES),
        "tmpfs",
        disk.toString());
    service = new ServiceProcess(disk, Map.of(), List.of("--session-disk", "10240"));
    service.await();
  }

  public FullDisk run() throws Exception {
    System.out.printf("%d MiB, %d MiB free at the start%n", SIZE_MIB, free() / MIB);
    costOfWatching();
    withoutRoom(new Cast(client(), client(), client()));
    withoutInodes(new Cast(client(), client(), client()));
    noDeletedFilesAreOpen();
    return this;
  }

  /// The clients of this test, each of a workspace of its own.
  private record Cast(Client one, Client other, Client hostile) {}

  private Client client() throws IOException {
    return service.client(Rig.workspace(), 4);
  }

  /// While the disk is full, the other clients' sessions go on.
  private void withoutRoom(Cast cast) throws Exception {
    List<Session> modest = modest(cast);
    Session greedy = begun(cast.hostile, GREEDY);
    until("the disk is nearly full", () -> free() < KEPT_FREE);
    refusal(cast.one);
    stopped(greedy);
    done(modest);
    same("DELETE on a full disk", 204, greedy.delete());
    until("room again", () -> free() > KEPT_FREE);
    System.out.printf("%d MiB free after the session is deleted%n", free() / MIB);
    worksAgain(cast);
  }

  /// With no inode left, which happens on a quick machine, the database cannot write either, until
  /// the service releases the inodes that it keeps in reserve.
  private void withoutInodes(Cast cast) throws Exception {
    List<Session> modest = modest(cast);
    Session prolific = begun(cast.hostile, PROLIFIC);
    until("inodes are nearly gone", () -> inodes().areNearlyGone());
    refusal(cast.one);
    stopped(prolific);
    Instant asked = Instant.now();
    same("DELETE without inodes", 204, prolific.delete());
    System.out.printf("DELETE without inodes took %d ms%n", millisSince(asked));
    until("inodes again", () -> inodes().free() > INODES / 2);
    System.out.printf("half of the inodes free %d ms after DELETE%n", millisSince(asked));
    done(modest);
    worksAgain(cast);
  }

  private List<Session> modest(Cast cast) throws Exception {
    List<Session> modest = List.of(begun(cast.one, MODEST), begun(cast.other, MODEST));
    for (Session session : modest) {
      until("works", () -> session.status().equals("running"));
    }
    return modest;
  }

  private void done(List<Session> modest) throws Exception {
    for (Session session : modest) {
      same("the turn of a session that wrote little", "done", session.reply());
    }
  }

  /// All accepted turns have ended, and there is space for new ones.
  private void worksAgain(Cast cast) throws Exception {
    for (Client client : List.of(cast.one, cast.other, cast.hostile)) {
      until(
          "all that was accepted has ended",
          () -> !client.get("/sessions").ok().findValuesAsText("status").contains("working"));
    }
    works(cast.one);
    works(cast.other);
  }

  /// The cost of measuring a session's disk use: processor time and requests of the runner while
  /// the agent makes two files a second.
  private void costOfWatching() throws Exception {
    Client client = client();
    long there = inodes().free();
    for (int files : List.of(1, INODES / 10, INODES / 3)) {
      Session session = begun(client, many(files));
      until("its files are made", () -> inodes().free() < there - files);
      Duration before = ProcessorTime.of(service.runners());
      LockSupport.parkNanos(WINDOW.toNanos());
      Duration used = ProcessorTime.of(service.runners()).minus(before);
      System.out.printf(
          "a turn with %,d files is watched by %.1f %% of a core%n",
          files, 100.0 * used.toMillis() / WINDOW.toMillis());
      same("it is deleted", 204, session.delete());
      until("its files are gone", () -> inodes().free() > there - 1000);
    }
  }

  /// A script that makes so many files at once, and then a few more.
  private static String many(int files) {
    return "for i in $(seq %d); do : > f$i; done; ".formatted(files)
        + "for i in $(seq 90); do : > g$i; sleep 0.5; done";
  }

  public List<String> failures() {
    return List.copyOf(failures);
  }

  @Override
  public void close() throws IOException {
    service.close();
    execute("umount", "--lazy", disk.toString());
  }

  /// A refused client is given the reason and the remedy.
  private void refusal(Client client) throws IOException {
    ApiResponse answer = post(client, "echo hello");
    System.out.printf(
        "%d KiB free: POST is %d %s%n", free() / 1024, answer.status(), answer.text("/message"));
    if (answer.status() != 201) {
      same("POST on a full disk", 503, answer.status());
      same(
          "its words",
          "The disk of the service is nearly full; deleting sessions makes room",
          answer.text("/message"));
    }
  }

  private void stopped(Session greedy) throws Exception {
    Instant full = Instant.now();
    until("the greedy turn has ended", greedy::hasEnded);
    System.out.printf(
        "the largest writer is stopped after %d ms with %d KiB free%n",
        millisSince(full), free() / 1024);
    ApiResponse thread = greedy.client.get(greedy.path + "/threads").expect(200);
    same("the greedy turn", "failed", thread.text("/items/0/status"));
    same(
        "its error",
        "The disk is nearly full, and this turn has written the most.",
        thread.text("/items/0/error/message"));
  }

  /// A new session with a plan, and a second turn in it.
  private void works(Client client) throws Exception {
    Session fresh = begun(client, "echo a plan > PLAN.md; echo hello");
    same("a new session", "hello", fresh.reply());
    String link = client.get(fresh.path + "/artifacts").expect(200).text("/items/0/url");
    same("its plan", "a plan\n", PresignedLink.content(link));
    same("it is deleted", 204, fresh.delete());
  }

  private void noDeletedFilesAreOpen() throws Exception {
    List<String> open = new ArrayList<>();
    for (ProcessHandle process : service.processes()) {
      open.addAll(deleted(process.pid()));
    }
    same("open files that are deleted", List.of(), open);
  }

  private List<String> deleted(long process) {
    List<String> deleted = new ArrayList<>();
    try (DirectoryStream<Path> all =
        Files.newDirectoryStream(Path.of("/proc/" + process + "/fd"))) {
      for (Path descriptor : all) {
        String target = Files.readSymbolicLink(descriptor).toString();
        if (target.startsWith(disk.toString()) && target.endsWith(" (deleted)")) {
          deleted.add(process + ": " + target);
        }
      }
    } catch (IOException gone) {
      return List.of();
    }
    return deleted;
  }

  private Session begun(Client client, String script) throws Exception {
    String id = post(client, script).expect(201).text("/id");
    return new Session(client, "/sessions/" + id);
  }

  private static ApiResponse post(Client client, String script) {
    return client.post("/sessions", Map.of("agent_name", "shell", "message", script));
  }

  private record Session(Client client, String path) {
    String status() {
      return client.get(path + "/threads").expect(200).text("/items/0/status");
    }

    boolean hasEnded() {
      return !List.of("queued", "running").contains(status());
    }

    int delete() {
      return client.delete(path).status();
    }

    String reply() throws Exception {
      until("a reply", this::hasEnded);
      return client
          .get(path + "/messages?type=final_message")
          .expect(200)
          .text("/items/0/message")
          .strip();
    }
  }

  private static void until(String what, Callable<Boolean> met) throws Exception {
    Instant deadline = Instant.now().plus(TIMEOUT);
    while (!met.call()) {
      if (Instant.now().isAfter(deadline)) {
        throw new AssertionError("not within " + TIMEOUT.toSeconds() + " s: " + what);
      }
      LockSupport.parkNanos(Duration.ofMillis(300).toNanos()); // a key has 100 requests a minute
    }
  }

  private void same(String what, Object wanted, Object found) {
    if (!wanted.equals(found)) {
      failures.add("%s: %s instead of %s".formatted(what, found, wanted));
    }
  }

  private static long millisSince(Instant then) {
    return Duration.between(then, Instant.now()).toMillis();
  }

  private Inodes inodes() {
    return Inodes.of(disk);
  }

  private long free() throws IOException {
    return Files.getFileStore(disk).getUsableSpace();
  }

  private static void execute(String... command) throws IOException {
    int status = new ProcessBuilder(command).inheritIO().start().onExit().join().exitValue();
    if (status != 0) {
      throw new IOException(String.join(" ", command) + ": " + status);
    }
  }
}
