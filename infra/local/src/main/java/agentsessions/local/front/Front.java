package agentsessions.local.front;

import agentsessions.local.front.HttpMessage.Answer;
import agentsessions.local.front.HttpMessage.Header;
import agentsessions.local.front.HttpMessage.Sender;
import agentsessions.local.wire.Listener;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// The HTTP server, on loopback only.
public final class Front implements AutoCloseable {
  private static final int LARGEST_REFUSED_BODY = 10 << 20;
  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(3);

  private final Listener listener;

  /// Opens the port; requests wait until [#serve].
  ///
  /// @param port 0 for any free one
  /// @throws IOException if it is taken
  public Front(int port) throws IOException {
    listener = new Listener(port);
  }

  public int port() {
    return listener.port();
  }

  /// Serves from now on.
  ///
  /// @param corsOrigin the origin whose pages may read answers, or `*`; empty: none
  public void serve(Gateway gateway, String corsOrigin) {
    listener.patience(LONGEST_GOODBYE);
    Handler door = new Door(gateway, new Browsers(corsOrigin));
    listener.serve(new GracefulHandler(Packing.around(door)), Front::refuse);
  }

  /// Takes no more requests, and lets those in hand be answered.
  @Override
  public void close() {
    listener.close();
  }

  private final class Door extends Handler.Abstract {
    private final Gateway gateway;
    private final Browsers browsers;
    private final Docs docs = new Docs();

    Door(Gateway gateway, Browsers browsers) {
      this.gateway = gateway;
      this.browsers = browsers;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      HttpMessage.Request message = message(request);
      Answer answer = browsers.told(docs.answer(message).orElseGet(() -> gateway.answer(message)));
      listener.waiting(request);
      if (!isRead(message.body())) {
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
      }
      send(answer, response, callback);
      return true;
    }
  }

  /// Whether nothing is left of the body. Also of a refused request it is read as far as can be
  /// asked: else the connection would end under a client that still sends, or sends its next
  /// request.
  private static boolean isRead(InputStream body) {
    try {
      body.skip(LARGEST_REFUSED_BODY);
      return body.read() < 0;
    } catch (IOException e) {
      return false;
    }
  }

  private HttpMessage.Request message(Request request) {
    return new HttpMessage.Request(
        UUID.randomUUID().toString(),
        request.getMethod(),
        Objects.requireNonNullElse(request.getHttpURI().getPath(), ""),
        Objects.requireNonNullElse(request.getHttpURI().getQuery(), ""),
        headers(request),
        Request.getRemoteAddr(request),
        request.getConnectionMetaData().getProtocol(),
        Content.Source.asInputStream(request),
        sender(request));
  }

  private Sender sender(Request request) {
    return new Sender(
        () -> listener.know(request),
        () -> listener.answering(request),
        Listener.endPoint(request));
  }

  private static List<Header> headers(Request request) {
    List<Header> headers = new ArrayList<>();
    for (HttpField field : request.getHeaders()) {
      headers.add(new Header(field.getName(), Objects.requireNonNullElse(field.getValue(), "")));
    }
    return headers;
  }

  private static void send(Answer answer, Response response, Callback callback) {
    response.setStatus(answer.status());
    answer.headers().forEach(header -> response.getHeaders().add(header.name(), header.value()));
    boolean empty = answer.status() == 204 || answer.status() == 304;
    response.write(true, empty ? null : ByteBuffer.wrap(answer.body()), callback);
  }

  private static boolean refuse(Request request, Response response, Callback callback) {
    @Nullable Object status = request.getAttribute(ErrorHandler.ERROR_STATUS);
    send(
        Gateway.refused(status instanceof Integer code ? code : 400, UUID.randomUUID().toString()),
        response,
        callback);
    return true;
  }
}
