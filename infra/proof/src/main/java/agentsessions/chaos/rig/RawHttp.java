package agentsessions.chaos.rig;

import agentsessions.talk.Client;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// An HTTP client by hand, for requests that no client library agrees to send: one request a
/// connection, its bytes exactly as given.
public final class RawHttp {
  private static final int TIMEOUT_MILLIS = 35_000;

  private final URI base;

  public RawHttp(URI base) {
    this.base = base;
  }

  /// A request in ISO 8859-1: each character is a byte.
  public record Request(String method, String target, List<String> headers, String body) {
    byte[] bytes(String host) {
      String all =
          "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n".formatted(method, target, host)
              + String.join("", headers.stream().map(header -> header + "\r\n").toList())
              + (body.isEmpty() ? "" : "Content-Length: " + body.length() + "\r\n")
              + "\r\n"
              + body;
      return all.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public String toString() {
      String text = body.length() > 2000 ? body.substring(0, 2000) + "…" : body;
      return "%s %s %s %s".formatted(method, target, headers, text);
    }
  }

  /// An answer; names of headers in lower case.
  public record Answer(int status, Map<String, String> headers, String body) {
    public JsonNode json() throws IOException {
      return Client.JSON.readTree(body);
    }
  }

  public Answer send(Request request) throws IOException {
    try (Socket socket = new Socket(base.getHost(), base.getPort())) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      write(request, socket);
      return answer(socket.getInputStream().readAllBytes());
    }
  }

  /// A server may answer, and close the connection, before it has read all of a request that it
  /// refuses.
  private void write(Request request, Socket socket) throws IOException {
    OutputStream out = socket.getOutputStream();
    try {
      out.write(request.bytes(base.getAuthority()));
      socket.shutdownOutput(); // or a server waits for the rest of a body whose length was promised
    } catch (IOException hungUp) {
      // The server has closed the connection: its answer can be read.
    }
  }

  private static Answer answer(byte[] all) {
    String text = new String(all, StandardCharsets.UTF_8);
    int end = text.indexOf("\r\n\r\n");
    if (end < 0) {
      throw new AssertionError("no answer: " + text);
    }
    List<String> head = text.substring(0, end).lines().toList();
    Map<String, String> headers = new TreeMap<>();
    for (String line : head.subList(1, head.size())) {
      String[] parts = line.split(": ?", 2);
      headers.put(parts[0].toLowerCase(Locale.ROOT), parts[1]);
    }
    int status = Integer.parseInt(head.getFirst().split(" ", 3)[1]);
    return new Answer(status, headers, text.substring(end + 4));
  }
}
