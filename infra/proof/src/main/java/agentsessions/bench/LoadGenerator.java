package agentsessions.bench;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/// A load generator: requests as fast as the answers come, over connections that stay open. It
/// reads bytes by hand, since client and server share the processors and a client library costs as
/// much as the server.
final class LoadGenerator {
  private static final int TIMEOUT_MILLIS = 20_000;

  private LoadGenerator() {}

  /// The latencies of a round's calls, sorted, and the length of the round; nanoseconds.
  record Round(List<Long> times, long whole) {
    /// A percentile of the latencies, in milliseconds.
    double percentile(int part) {
      return times.get((times.size() - 1) * part / 100) / 1e6;
    }

    double perSecond() {
      return times.size() * 1e9 / whole;
    }
  }

  /// One of many callers that send the same requests, each on a thread of its own.
  interface Caller extends AutoCloseable {
    void call() throws Exception;

    @Override
    default void close() throws IOException {}
  }

  /// The bytes of a GET request.
  static byte[] get(URI url, String... headers) {
    String path = url.getRawQuery() == null ? url.getPath() : url.getPath() + "?" + url.getQuery();
    return "GET %s HTTP/1.1\r\nHost: %s\r\n%s\r\n"
        .formatted(path, url.getAuthority(), String.join("", List.of(headers)))
        .getBytes(StandardCharsets.ISO_8859_1);
  }

  /// A connection that takes its requests in turn with all the others.
  static Callable<Caller> connection(URI service, List<byte[]> requests) {
    AtomicInteger next = new AtomicInteger();
    return () -> new Connection(service, requests, next);
  }

  /// Runs this number of callers for this time.
  static Round run(int callers, Duration time, Callable<? extends Caller> caller) throws Exception {
    List<Long> times = new ArrayList<>();
    long start = System.nanoTime();
    try (ExecutorService threads = Executors.newFixedThreadPool(callers)) {
      List<Future<List<Long>>> all = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        all.add(threads.submit(() -> work(caller, start + time.toNanos())));
      }
      for (Future<List<Long>> one : all) {
        times.addAll(one.get());
      }
    }
    long whole = System.nanoTime() - start;
    Collections.sort(times);
    return new Round(times, whole);
  }

  private static List<Long> work(Callable<? extends Caller> made, long end) throws Exception {
    List<Long> times = new ArrayList<>();
    try (Caller caller = made.call()) {
      for (long start = System.nanoTime(); start < end; start = System.nanoTime()) {
        caller.call();
        times.add(System.nanoTime() - start);
      }
      return times;
    }
  }

  private static final class Connection implements Caller {
    private final List<byte[]> requests;
    private final AtomicInteger next;
    private final Socket socket;
    private final DataInputStream in;

    Connection(URI service, List<byte[]> requests, AtomicInteger next) throws IOException {
      this.requests = requests;
      this.next = next;
      socket = new Socket(service.getHost(), service.getPort());
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 15));
    }

    @Override
    public void call() throws IOException {
      int number = Math.floorMod(next.getAndIncrement(), requests.size());
      socket.getOutputStream().write(requests.get(number));
      String status = line(in);
      int length = -1;
      for (String line = line(in); !line.isEmpty(); line = line(in)) {
        if (line.regionMatches(true, 0, "Content-Length:", 0, 15)) {
          length = Integer.parseInt(line.substring(15).strip());
        }
      }
      if (length < 0 || !status.startsWith("HTTP/1.1 200")) {
        throw new IOException("not an answer of a known length: " + status);
      }
      in.skipNBytes(length);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }

    private static String line(InputStream in) throws IOException {
      StringBuilder line = new StringBuilder();
      for (int next = in.read(); next != '\n'; next = in.read()) {
        if (next < 0) {
          throw new IOException("the connection has ended within " + line);
        }
        if (next != '\r') {
          line.append((char) next);
        }
      }
      return line.toString();
    }
  }
}
