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

/// HTTP requests and responses, independent of the server library.
sealed interface HttpMessage {
  /// One header line.
  record Header(String name, String value) {}

  List<Header> headers();

  /// All values of a header; its name is case-insensitive.
  default List<String> values(String name) {
    return headers().stream()
        .filter(header -> header.name().equalsIgnoreCase(name))
        .map(Header::value)
        .toList();
  }

  default boolean has(String name) {
    return !values(name).isEmpty();
  }

  /// The client's connection, with callbacks for the listener's connection limit.
  ///
  /// @param known to be called when the client has shown a key
  /// @param answering to be called when the whole request has arrived
  record Sender(Runnable known, Runnable answering, Closeable connection) {}

  /// The rest of a streamed response, after its first part.
  interface Rest extends AutoCloseable {
    /// The next part, which may have no bytes; empty at the end.
    Optional<byte[]> next() throws IOException;

    @Override
    void close();
  }

  /// An HTTP request.
  ///
  /// @param path as it was sent, still encoded
  /// @param query as it was sent, without the question mark; empty if there is none
  /// @param body not read unless it is used
  /// @param sender the connection that it came by
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

    /// The `Content-Length` in bytes; 0 without one.
    long declaredLength() {
      return values("Content-Length").stream().mapToLong(Request::length).max().orElse(0);
    }

    /// Header values by name. The same name in another case is another key, as in API Gateway's
    /// events.
    Map<String, List<String>> headerLines() {
      Map<String, List<String>> lines = new LinkedHashMap<>();
      headers.forEach(header ->
          lines.computeIfAbsent(header.name(), name -> new ArrayList<>()).add(header.value()));
      return lines;
    }

    /// Another request of the same client, without a body.
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

  /// An HTTP response.
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

    /// This response with the first part of a stream as its body, and the rest to follow.
    Answer followedBy(byte[] beginning, Rest more) {
      return new Answer(status, headers, beginning, more);
    }

    /// The rest of a streamed response.
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

    /// This response with one more header, unless it has that header already.
    Answer with(String name, String value) {
      if (has(name)) {
        return this;
      }
      List<Header> more = new ArrayList<>(headers);
      more.add(new Header(name, value));
      return new Answer(status, more, body, stream);
    }

    /// This response without hop-by-hop headers, which the server sets itself.
    Answer withoutConnection() {
      return new Answer(status, headers.stream().filter(Answer::isOurs).toList(), body);
    }

    private static boolean isOurs(Header header) {
      return !CONNECTION.contains(header.name().toLowerCase(Locale.ROOT));
    }
  }
}
