package agentsessions.runner.control;

import agentsessions.wire.RunnerMessages;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/// The upload of a sandbox as a stream: bytes are buffered in memory until they fill a part, which
/// is then put by a signed link. The upload takes effect with `complete`; closing the stream does
/// nothing.
public final class SandboxUpload extends OutputStream {
  private static final int CHUNK = 1024 * 1024;
  private static final Duration LONGEST_PUT = Duration.ofMinutes(2);
  private static final Duration COMPLETION = Duration.ofSeconds(28);

  private final ServiceClient service;
  private final Deadline time;
  private final int partBytes;
  private final List<byte[]> part = new ArrayList<>();
  private final List<String> tags = new ArrayList<>();
  private int held;

  private SandboxUpload(ServiceClient service, Deadline time, int partBytes) {
    this.service = service;
    this.time = time;
    this.partBytes = partBytes;
  }

  /// Opens the upload for the turn whose token `service` has.
  ///
  /// @param time the deadline, after which writes fail
  public static SandboxUpload open(ServiceClient service, Deadline time) throws IOException {
    int partBytes =
        service
            .post("snapshot", Map.of(), time.remaining(), RunnerMessages.Snapshot.class)
            .partBytes();
    if (partBytes <= 0) {
      throw new IOException("snapshot: no size of parts");
    }
    return new SandboxUpload(service, time, partBytes);
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] from, int start, int length) throws IOException {
    int at = start;
    while (at < start + length) {
      if (time.isUp()) {
        throw new IOException("no time is left to save the sandbox");
      }
      at += keep(from, at, start + length - at);
    }
  }

  /// Puts the last part, and has the service join all parts.
  public void complete() throws IOException {
    if (held > 0 || tags.isEmpty()) {
      put();
    }
    service.post(
        "snapshot/complete",
        new RunnerMessages.Parts(tags),
        time.remaining(),
        time.atMost(COMPLETION));
  }

  /// Copies as many bytes as fit into the current chunk, and returns their number.
  private int keep(byte[] from, int at, int length) throws IOException {
    if (held == partBytes) {
      put();
    }
    int used = held % CHUNK;
    if (used == 0) {
      part.add(new byte[Math.min(CHUNK, partBytes - held)]);
    }
    byte[] chunk = part.getLast();
    int taken = Math.min(length, chunk.length - used);
    System.arraycopy(from, at, chunk, used, taken);
    held += taken;
    return taken;
  }

  private void put() throws IOException {
    RunnerMessages.Part wanted = new RunnerMessages.Part(tags.size() + 1, (long) held);
    String link =
        service.post("snapshot/parts", wanted, time.remaining(), RunnerMessages.Link.class).url();
    tags.add(
        new SignedLink(URI.create(link))
            .putPart(body(), time.atMost(LONGEST_PUT), time.remaining()));
    part.clear();
    held = 0;
  }

  private BodyPublisher body() {
    int rest = held % CHUNK;
    if (rest > 0) {
      part.set(part.size() - 1, Arrays.copyOf(part.getLast(), rest));
    }
    return BodyPublishers.fromPublisher(BodyPublishers.ofByteArrays(List.copyOf(part)), held);
  }
}
