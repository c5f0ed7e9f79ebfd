package agentsessions.local.front;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// HTTP without a server library: what came in and what goes out.
sealed interface HttpMessage {
  /// One header line.
  record Header(String name, String value) {}

  List<Header> headers();

  /// All values of a header, its name in any case.
  default List<String> values(String name) {
    return headers().stream()
        .filter(header -> header.name().equalsIgnoreCase(name))
        .map(Header::value)
        .toList();
  }

  default boolean has(String name) {
    return !values(name).isEmpty();
  }

  /// The other end of a connection, which is kept as long as it is worth it.
  ///
  /// @param known to be called when a key was shown
  /// @param answering to be called when the request is there, whole
  record Sender(Runnable known, Runnable answering, Closeable connection) {}

  /// What follows the body of an answer, part by part, until it is closed.
  interface Rest extends AutoCloseable {
    /// The next part, which may be of no bytes; empty at the end.
    Optional<byte[]> next() throws IOException;

    @Override
    void close();
  }

  /// What came in.
  ///
  /// @param path as it was sent, still encoded
  /// @param query as it was sent, without the question mark; empty if there is none
  /// @param body read only if somebody wants it
  /// @param sender who sends it
  record Request(
      String id,
      String method,
      String path,
      String query,
      List<Header> headers,
      String sourceIp,
      String protocol,
      InputStream body,
      Sender sender)
      implements HttpMessage {

    /// The length of the body in bytes as the client says it; 0 if it says nothing.
    long declaredLength() {
      return values("Content-Length").stream().mapToLong(Request::length).max().orElse(0);
    }

    /// Header lines by name. The same name in another case is another key, as in API Gateway's
    /// events.
    Map<String, List<String>> headerLines() {
      Map<String, List<String>> lines = new LinkedHashMap<>();
      headers.forEach(header ->
          lines.computeIfAbsent(header.name(), name -> new ArrayList<>()).add(header.value()));
      return lines;
    }

    /// Another question of the same client, without a body.
    Request with(String otherQuery, List<Header> otherHeaders) {
      return new Request(
          id,
          method,
          path,
          otherQuery,
          otherHeaders,
          sourceIp,
          protocol,
          InputStream.nullInputStream(),
          sender);
    }

    private static long length(String text) {
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException e) {
        return Long.MAX_VALUE;
      }
    }
  }

  /// What goes out.
  final class Answer implements HttpMessage {
    private static final Set<String> CONNECTION =
        Set.of(
            "content-length",
            "transfer-encoding",
            "connection",
            "keep-alive",
            "upgrade",
            "trailer",
            "date");

    private final int status;
    private final List<Header> headers;
    private final byte[] body;
    private final @Nullable Rest stream;

    Answer(int status, List<Header> headers, byte[] body) {
      this(status, headers, body, null);
    }

    private Answer(int status, List<Header> headers, byte[] body, @Nullable Rest stream) {
      this.status = status;
      this.headers = List.copyOf(headers);
      this.body = body;
      this.stream = stream;
    }

    /// What the stream has to say comes after this beginning.
    Answer followedBy(byte[] beginning, Rest more) {
      return new Answer(status, headers, beginning, more);
    }

    /// What follows the body, if more does.
    Optional<Rest> stream() {
      return Optional.ofNullable(stream);
    }

    int status() {
      return status;
    }

    byte[] body() {
      return body;
    }

    @Override
    public List<Header> headers() {
      return headers;
    }

    /// With a header more, unless the answer has it already.
    Answer with(String name, String value) {
      if (has(name)) {
        return this;
      }
      List<Header> more = new ArrayList<>(headers);
      more.add(new Header(name, value));
      return new Answer(status, more, body, stream);
    }

    /// Without headers that belong to the connection, which is the server's.
    Answer withoutConnection() {
      return new Answer(status, headers.stream().filter(Answer::isOurs).toList(), body);
    }

    private static boolean isOurs(Header header) {
      return !CONNECTION.contains(header.name().toLowerCase(Locale.ROOT));
    }
  }
}
