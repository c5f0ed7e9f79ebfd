package agentsessions.runner.turn;

import agentsessions.runner.capture.Capture;
import agentsessions.runner.capture.CapturedFile;
import agentsessions.runner.capture.Digest;
import agentsessions.runner.capture.MimeType;
import agentsessions.runner.capture.Utf8Check;
import agentsessions.runner.control.Deadline;
import agentsessions.runner.control.ServiceClient;
import agentsessions.runner.control.SignedLink;
import agentsessions.runner.repository.RepositoryChange;
import agentsessions.wire.RunnerMessages;
import agentsessions.wire.TurnResult.Artifact;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.security.DigestInputStream;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The upload of captured files, four at a time, each as a stream, and none over an existing
/// object. An artifact is recorded with the checksum of the bytes that were stored.
final class Uploader {
  private static final Logger LOG = LoggerFactory.getLogger(Uploader.class);
  private static final int AT_ONCE = 4;
  private static final long BYTES_PER_SECOND = 512 * 1024;
  private static final MimeType PATCH = new MimeType("text/x-diff", false);

  private final ServiceClient service;
  private final Capture capture;
  private final BooleanSupplier live;
  private final Deadline time;
  private final Clock clock;

  /// @param live whether the turn still wants the files
  /// @param time the deadline; files that are not stored by then are left for the next turn
  Uploader(
      ServiceClient service, Capture capture, BooleanSupplier live, Deadline time, Clock clock) {
    this.live = () -> live.getAsBoolean() && !time.isUp();
    this.time = time;
    this.service = service;
    this.capture = capture;
    this.clock = clock;
  }

  /// Uploads the files and returns their artifacts in the same order, without those that could not
  /// be stored.
  List<Artifact> upload(List<CapturedFile> files) throws IOException, InterruptedException {
    if (files.isEmpty()) {
      return List.of();
    }
    List<RunnerMessages.Upload> places =
        service.uploads(files.stream().map(found -> found.stamp().size()).toList());
    List<Future<Optional<Artifact>>> uploads = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      for (int index = 0; index < files.size(); index++) {
        CapturedFile found = files.get(index);
        RunnerMessages.Upload place = places.get(index);
        uploads.add(threads.submit(() -> upload(found, place)));
      }
    }
    return uploads.stream().map(Future::resultNow).flatMap(Optional::stream).toList();
  }

  private Optional<Artifact> upload(CapturedFile found, RunnerMessages.Upload place) {
    try {
      MimeType type = mimeType(found);
      StoredBytes stored = put(found, type, place);
      synchronized (capture) {
        capture.stored(found, stored.sha256());
      }
      return Optional.of(
          new Artifact(
              place.key(),
              found.path(),
              found.kind().word(),
              stored.sha256(),
              type.described(stored.utf8()),
              BigDecimal.valueOf(clock.millis(), 3)));
    } catch (IOException failed) {
      LOG.warn("file not stored: {}", failed.getMessage());
      synchronized (capture) {
        capture.forget(found);
      }
      return Optional.empty();
    }
  }

  private StoredBytes put(CapturedFile found, MimeType type, RunnerMessages.Upload place)
      throws IOException {
    try (Content content = new Content(found, type)) {
      boolean stored =
          new SignedLink(URI.create(place.url()))
              .put(content.publisher(), time.atMost(timeFor(found)), live);
      return stored ? content.last() : content.before();
    }
  }

  private MimeType mimeType(CapturedFile found) throws IOException {
    if (found.path().startsWith(RepositoryChange.PATCHES)) {
      return PATCH;
    }
    try (InputStream content = capture.open(found)) {
      return MimeType.of(found.name(), content);
    }
  }

  private static Duration timeFor(CapturedFile found) {
    return Duration.ofSeconds(30 + found.stamp().size() / BYTES_PER_SECOND);
  }

  /// What is known of the bytes of a stored file.
  ///
  /// @param utf8 whether they are a text in UTF-8; not looked at where they are no text
  private record StoredBytes(String sha256, boolean utf8) {}

  /// The content of one file, read again for each attempt. Closes the streams of failed attempts,
  /// which the HTTP client leaves open.
  private final class Content implements AutoCloseable {
    private final CapturedFile found;
    private final MimeType type;
    private final Deque<Sent> opened = new ConcurrentLinkedDeque<>();

    private Content(CapturedFile found, MimeType type) {
      this.found = found;
      this.type = type;
    }

    /// Announces the size at the capture: a file that has shrunk or grown since fails the upload.
    private BodyPublisher publisher() {
      long size = found.stamp().size();
      BodyPublisher stream = BodyPublishers.ofInputStream(this::open);
      return size == 0 ? BodyPublishers.noBody() : BodyPublishers.fromPublisher(stream, size);
    }

    private InputStream open() {
      try {
        Sent fresh = new Sent(Digest.reading(capture.open(found)), type.text());
        opened.add(fresh);
        return fresh;
      } catch (IOException gone) {
        // Shorter than announced, so this attempt fails.
        return InputStream.nullInputStream();
      }
    }

    /// The bytes that the last attempt sent.
    private StoredBytes last() {
      Sent sent = opened.peekLast();
      return sent == null ? nothing() : sent.stored();
    }

    /// The bytes that an earlier attempt must have stored.
    ///
    /// @throws IOException if no earlier attempt sent all bytes, or two sent different ones
    private StoredBytes before() throws IOException {
      if (found.stamp().size() == 0) {
        return nothing();
      }
      Set<StoredBytes> sent = new HashSet<>();
      for (Sent one : opened) {
        if (one != opened.peekLast() && one.bytes == found.stamp().size()) {
          sent.add(one.stored());
        }
      }
      if (sent.size() != 1) {
        throw new IOException("upload: something else is there already");
      }
      return sent.iterator().next();
    }

    private static StoredBytes nothing() {
      return new Sent(Digest.reading(InputStream.nullInputStream()), true).stored();
    }

    @Override
    public void close() throws IOException {
      for (Sent one : opened) {
        one.close();
      }
    }
  }

  /// The bytes of a file that one attempt has read to send them. They are looked at on the way, so
  /// that no file is read twice.
  private static final class Sent extends FilterInputStream {
    private final DigestInputStream digest;
    private final boolean text;
    private final Utf8Check check = new Utf8Check();
    private long bytes;

    private Sent(DigestInputStream file, boolean text) {
      super(file);
      digest = file;
      this.text = text;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      int count = digest.read(into, offset, length);
      bytes += Math.max(0, count);
      if (text && count > 0) {
        check.add(into, offset, count);
      }
      return count;
    }

    private StoredBytes stored() {
      return new StoredBytes(Digest.hex(digest), text && check.isUtf8());
    }
  }
}
