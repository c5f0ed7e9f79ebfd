package agentsessions.runner.turn;

import static java.util.Objects.requireNonNull;

import agentsessions.rule.TurnErrorCode;
import agentsessions.runner.agent.TurnFailed;
import agentsessions.runner.capture.Digest;
import agentsessions.runner.control.Deadline;
import agentsessions.runner.control.SignedLink;
import agentsessions.runner.control.StoredFiles;
import agentsessions.runner.repository.ScriptRunner;
import agentsessions.runner.sandbox.SandboxCommand;
import agentsessions.wire.Work.InputFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The transfer of a message's files into the workspace: each is first staged where no agent can
/// reach it, and once its size and checksum are verified, put into its place by a process in the
/// sandbox. That process follows no link, and replaces files, but no folder.
///
/// Where the runner may write to the workspace, the staged file itself is moved there, so that its
/// bytes are written once. Elsewhere the process copies them.
///
/// @param objects the object store's own files, where they are on this machine
/// @param most the most bytes of all files of one message
record InputFiles(ScriptRunner scripts, Optional<StoredFiles> objects, long most, Deadline time) {
  private static final Logger LOG = LoggerFactory.getLogger(InputFiles.class);
  private static final Duration TO_WRITE = Duration.ofMinutes(5);
  private static final long BYTES_PER_SECOND = 512 * 1024;
  private static final int TRIES = 3;

  /// From this size on, an object on this machine is copied as a file.
  private static final long LARGE = 1024 * 1024;

  private static final String WRITE =
      """
      umask 022
      folder=. rest=$1
      while [[ $rest == */* ]]; do
        folder=$folder/${rest%%/*} rest=${rest#*/}
        [[ ! -L $folder ]] || { echo "$folder is a link" >&2; exit 1; }
        [[ -d $folder ]] || mkdir -- "$folder" || exit 1
      done
      [[ -L $folder/$rest || ! -d $folder/$rest ]] || { echo "it is a folder" >&2; exit 1; }
      fresh=$2
      if [[ ! -e $fresh ]]; then
        fresh=$(mktemp -- "$folder/.file-XXXXXXXX") && cat >"$fresh" && chmod 644 -- "$fresh"
      fi && mv -fT -- "$fresh" "$folder/$rest" && exit 0
      rm -f -- "$fresh"
      exit 1
      """;

  /// @throws TurnFailed if a file cannot be fetched or written
  void write(List<InputFile> files) throws TurnFailed, IOException, InterruptedException {
    if (files.stream().mapToLong(InputFile::size).sum() > most) {
      throw unavailable("The files of the message", "they are larger than what a session may have");
    }
    for (InputFile file : files) {
      try {
        stage(file);
        write(file);
      } finally {
        Files.deleteIfExists(staged());
      }
    }
  }

  private Path staged() {
    return scripts.folder().incoming();
  }

  private void write(InputFile file) throws TurnFailed, IOException, InterruptedException {
    String name = ".file-" + UUID.randomUUID();
    boolean moved = move(name);
    try {
      write(file, name, moved ? ScriptRunner.NOTHING : staged());
    } finally {
      if (moved) {
        Files.deleteIfExists(scripts.folder().work().resolve(name));
      }
    }
  }

  /// Moves the staged file into the workspace under a name that no agent can have foreseen. False
  /// if only the agent's user can write there, as where root has few capabilities.
  private boolean move(String name) throws IOException {
    scripts.folder().user().own(staged(), "rw-r--r--");
    try {
      Files.move(staged(), scripts.folder().work().resolve(name));
      return true;
    } catch (AccessDeniedException notHere) {
      return false;
    }
  }

  private void write(InputFile file, String name, Path input)
      throws TurnFailed, IOException, InterruptedException {
    SandboxCommand command =
        SandboxCommand.of(List.of("bash", "-c", WRITE, "write", file.path(), "./" + name));
    ScriptRunner.Outcome outcome =
        scripts.run(command, Map.of(), input, time.atMost(TO_WRITE), line -> {});
    if (!outcome.isDone()) {
      String why = outcome.err().strip();
      throw unavailable("The file " + file.path(), why.isEmpty() ? "it was not written" : why);
    }
  }

  private void stage(InputFile file) throws TurnFailed, IOException {
    for (int tries = 1; true; tries++) {
      try {
        copy(file);
        return;
      } catch (IOException failed) {
        LOG.warn("file of a message: {}", failed.getMessage());
        if (tries == TRIES || time.isUp()) {
          throw unavailable("The file " + file.path(), "it could not be fetched");
        }
      }
    }
  }

  /// @throws IOException also if the content is not as announced
  private void copy(InputFile file) throws IOException {
    Files.deleteIfExists(staged()); // of a turn that was cut off
    Optional<Path> object = object(file);
    @Nullable String sha256;
    if (object.isPresent()) {
      new SignedLink(link(file)).check();
      copy(Files.newInputStream(object.get()), file);
      sha256 = file.sha256() == null ? null : sum(file);
    } else if (file.sha256() == null) {
      copy(open(file), file);
      sha256 = null;
    } else {
      DigestInputStream content = Digest.reading(open(file));
      copy(content, file);
      sha256 = Digest.hex(content);
    }
    if (Files.size(staged()) != file.size() || !Objects.equals(sha256, file.sha256())) {
      throw new IOException("not as announced");
    }
  }

  /// The object of a large file, if it is a file of this machine.
  private Optional<Path> object(InputFile file) {
    return file.url() == null || file.size() < LARGE
        ? Optional.empty()
        : objects.flatMap(kept -> kept.find(link(file)));
  }

  private void copy(InputStream content, InputFile file) throws IOException {
    try (content;
        OutputStream out = Files.newOutputStream(staged())) {
      CompletableFuture<Void> end = endInTime(content, file);
      content.transferTo(out);
      end.cancel(false);
    }
  }

  private String sum(InputFile file) throws IOException {
    try (InputStream content = Files.newInputStream(staged())) {
      CompletableFuture<Void> end = endInTime(content, file);
      String sha256 = Digest.of(content);
      end.cancel(false);
      return sha256;
    }
  }

  /// Closes the stream at a timeout, or when the turn is lost.
  private CompletableFuture<Void> endInTime(InputStream content, InputFile file) {
    Duration most = time.atMost(Duration.ofSeconds(30 + file.size() / BYTES_PER_SECOND));
    scripts.onLost().accept(() -> close(content));
    return CompletableFuture.runAsync(
        () -> close(content),
        CompletableFuture.delayedExecutor(most.toMillis(), TimeUnit.MILLISECONDS));
  }

  private static void close(InputStream content) {
    try {
      content.close();
    } catch (IOException gone) {
      LOG.debug("closed: {}", gone.getMessage());
    }
  }

  private static TurnFailed unavailable(String what, String why) {
    return new TurnFailed(
        TurnErrorCode.FILE_UNAVAILABLE, what + " could not be written: " + why + ".");
  }

  private static InputStream open(InputFile file) throws IOException {
    return file.url() == null
        ? new ByteArrayInputStream(Base64.getDecoder().decode(requireNonNull(file.contentBase64())))
        : new SignedLink(link(file)).download();
  }

  private static URI link(InputFile file) {
    return URI.create(requireNonNull(file.url()));
  }
}
