package agentsessions.authorizer.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One HTTP request, on a connection that is kept for the next. The JDK's older client, since
/// loading the newer one takes six times as long.
///
/// @param body null for a GET
record HttpCall(URI address, Map<String, String> headers, @Nullable String body) {
  private static final int CONNECT_MILLIS = 1000;

  static {
    // A new connection costs a handshake, and a call that comes later than five seconds is common.
    System.setProperty("http.keepAlive.time.server", "50");
  }

  /// The response, whatever its status.
  record Response(int status, String body) {}

  /// @param millis the longest wait for any byte
  Response send(int millis) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) address.toURL().openConnection(Proxy.NO_PROXY);
    connection.setConnectTimeout(Math.min(CONNECT_MILLIS, millis));
    connection.setReadTimeout(millis);
    connection.setInstanceFollowRedirects(false);
    connection.setUseCaches(false);
    for (Map.Entry<String, String> each : headers.entrySet()) {
      connection.setRequestProperty(each.getKey(), each.getValue());
    }
    try {
      if (body != null) {
        byte[] bytes = body.getBytes(UTF_8);
        connection.setDoOutput(true);
        // It also lets the JDK look whether a kept connection is still open before it is used.
        connection.setFixedLengthStreamingMode(bytes.length);
        try (OutputStream request = connection.getOutputStream()) {
          request.write(bytes);
        }
      }
      int status = connection.getResponseCode();
      return new Response(status, text(connection, status));
    } catch (IOException fault) {
      connection.disconnect();
      throw fault;
    }
  }

  private static String text(HttpURLConnection connection, int status) throws IOException {
    try (@Nullable InputStream response =
        status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      return response == null ? "" : new String(response.readAllBytes(), UTF_8);
    }
  }
}
