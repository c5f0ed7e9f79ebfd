package agentsessions.local.front;

import agentsessions.local.aws.SignedLinks;
import agentsessions.local.front.HttpMessage.Answer;
import agentsessions.local.front.HttpMessage.Header;
import agentsessions.local.front.HttpMessage.Sender;
import agentsessions.local.wire.HttpListener;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.URIUtil;
import org.jspecify.annotations.Nullable;

/// An HTTP server of the service, in one of three roles: for clients on this machine, for clients
/// elsewhere, or for runners.
public final class ApiServer implements AutoCloseable {
  private static final int LARGEST_REFUSED_BODY = 10 << 20;
  private static final Duration LONGEST_GOODBYE = Duration.ofSeconds(3);

  /// The memory quota of responses that clients have not read yet: an eighth of the process's heap.
  private static final long ANSWERS = 24 << 20;

  /// The time to read a response before its client may be displaced; one of 4 MB thus needs 400 kB
  /// a second.
  private static final Duration TO_TAKE_ONE = Duration.ofSeconds(10);

  private final HttpListener listener;
  private final BodyQuota answers;

  /// Opens the port; requests wait until [#serve].
  ///
  /// @param port 0: any free one
  /// @throws IOException if the port is taken
  public ApiServer(int port) throws IOException {
    this(new HttpListener(port));
  }

  /// Opens the port on an address of this machine; requests wait until it is told to serve.
  public ApiServer(String host, int port) throws IOException {
    this(new HttpListener(host, port));
  }

  ApiServer(HttpListener listener) {
    this(listener, TO_TAKE_ONE);
  }

  /// @param toTake the time to read a response before it may be displaced
  ApiServer(HttpListener listener, Duration toTake) {
    this.listener = listener;
    this.answers = new BodyQuota(ANSWERS, 0, toTake);
  }

  public int port() {
    return listener.port();
  }

  /// Starts to serve clients on this machine: the API and its pages.
  ///
  /// @param corsOrigin the origin whose pages may read responses, or `*`; empty: none
  public void serve(Gateway gateway, String corsOrigin) {
    BrowserHeaders browsers = new BrowserHeaders(corsOrigin);
    serve(forClients(gateway, browsers), browsers);
  }

  /// Starts to serve clients elsewhere: the API, its pages, downloads and uploads.
  ///
  /// @param store the address of the object store
  /// @param signed the URL that links are signed for
  /// @param links checks the store's presigned links
  public void serveOthers(
      Gateway gateway, String corsOrigin, URI store, URI signed, SignedLinks links) {
    BrowserHeaders browsers = new BrowserHeaders(corsOrigin);
    ObjectProxy downloads = new ObjectProxy(store, signed, links, browsers, listener);
    serve(new Handler.Sequence(downloads, forClients(gateway, browsers)), browsers);
  }

  /// Starts to serve runners: the paths below `/runner/` and nothing else.
  public void serveRunners(Gateway gateway) {
    BrowserHeaders none = new BrowserHeaders("");
    serve(handler(gateway, none, ApiServer::isRunners), none);
  }

  private Handler forClients(Gateway gateway, BrowserHeaders browsers) {
    return handler(gateway, browsers, address -> !isRunners(address));
  }

  private Handler handler(Gateway gateway, BrowserHeaders browsers, Predicate<HttpURI> isServed) {
    return ResponseCompression.around(new Door(gateway, browsers, isServed));
  }

  private void serve(Handler handler, BrowserHeaders browsers) {
    listener.stopTimeout(LONGEST_GOODBYE);
    listener.serve(
        new GracefulHandler(handler),
        (request, response, callback) -> refuse(request, browsers, response, callback));
  }

  /// Whether a path belongs to runners in any spelling: a function may decode escapes, dots and
  /// empty segments.
  private static boolean isRunners(HttpURI address) {
    String path = Objects.requireNonNullElse(address.getCanonicalPath(), "");
    return (URIUtil.compactPath(path) + "/").startsWith("/runner/");
  }

  /// Ends event streams, which would otherwise stay open.
  public void endStreams() {
    listener.beginClosing();
  }

  /// Accepts no more requests, and lets those in progress finish for three seconds.
  @Override
  public void close() {
    listener.close();
  }

  private final class Door extends Handler.Abstract {
    private final Gateway gateway;
    private final BrowserHeaders browsers;
    private final Predicate<HttpURI> isServed;
    private final ApiDocs docs = new ApiDocs();

    Door(Gateway gateway, BrowserHeaders browsers, Predicate<HttpURI> isServed) {
      this.gateway = gateway;
      this.browsers = browsers;
      this.isServed = isServed;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      HttpMessage.Request message = message(request);
      Answer answer =
          isServed.test(request.getHttpURI())
              ? docs.answer(message).orElseGet(() -> answer(message))
              : Gateway.answer(GatewayResponse.notFound(), message.id());
      if (answer.stream().isPresent()) {
        stream(browsers.withHeaders(answer), answer.stream().get(), response, callback);
        return true;
      }
      // The idle time begins anew with each response, also with one that no function has made.
      listener.answering(request);
      listener.waiting(request);
      if (!isRead(message.body())) {
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
      }
      try {
        BodyQuota.Body body = held(answer, request);
        send(browsers.withHeaders(answer), response, Callback.from(callback, body::close));
      } catch (GatewayResponse full) {
        send(browsers.withHeaders(Gateway.answer(full, message.id())), response, callback);
      }
      return true;
    }

    /// Counts a response's memory. Only a GET may be refused when the quota is used up: a repeated
    /// write would be done twice.
    private BodyQuota.Body held(Answer answer, Request request) {
      int length = answer.body().length;
      Closeable connection = HttpListener.endPoint(request);
      return HttpMethod.GET.is(request.getMethod())
          ? answers.hold(length, connection)
          : answers.holdAnyway(length, connection);
    }

    /// Answers CORS preflights without a key; runners are not browsers and get none.
    private Answer answer(HttpMessage.Request message) {
      String path = message.path();
      return message.method().equals("OPTIONS")
              && path.startsWith("/")
              && !path.startsWith("/runner/")
          ? browsers.mayRequest(message.id())
          : gateway.answer(message);
    }
  }

  /// Reads the rest of a body, up to 10 MiB, and returns whether it has ended. This is also done
  /// for refused requests: otherwise the connection would break under a client that is still
  /// sending.
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
        HttpListener.endPoint(request));
  }

  private static List<Header> headers(Request request) {
    List<Header> headers = new ArrayList<>();
    for (HttpField field : request.getHeaders()) {
      headers.add(new Header(field.getName(), Objects.requireNonNullElse(field.getValue(), "")));
    }
    return headers;
  }

  /// Sends a response; the callback is completed exactly once, also after a failure.
  static void send(Answer answer, Response response, Callback callback) {
    boolean empty = answer.status() == 204 || answer.status() == 304;
    try {
      head(answer, response);
    } catch (RuntimeException e) {
      callback.failed(e);
      return;
    }
    response.write(true, empty ? null : ByteBuffer.wrap(answer.body()), callback);
  }

  /// Sends a stream part by part. Meanwhile the request counts as being answered, so its connection
  /// is not displaced. A client that has gone is noticed before the next write, which is every ten
  /// seconds.
  private void stream(
      Answer answer, HttpMessage.Rest stream, Response response, Callback callback) {
    try (stream) {
      head(answer, response);
      writeHeld(response, answer.body());
      for (Optional<byte[]> part = stream.next();
          part.isPresent() && !listener.isClosing();
          part = stream.next()) {
        requireThere(response.getRequest());
        if (part.get().length > 0) {
          writeHeld(response, part.get());
        }
      }
      write(response, new byte[0], true);
      callback.succeeded();
    } catch (IOException | RuntimeException gone) {
      callback.failed(gone);
    }
  }

  /// Fails if the client has closed the connection: a write would only fail the second time.
  private static void requireThere(Request request) throws EofException {
    if (!HttpListener.isThere(request)) {
      throw new EofException("whoever asked is gone");
    }
  }

  private void writeHeld(Response response, byte[] bytes) throws IOException {
    try (BodyQuota.Body _ =
        answers.hold(bytes.length, HttpListener.endPoint(response.getRequest()))) {
      write(response, bytes, false);
    }
  }

  private static void write(Response response, byte[] bytes, boolean last) throws IOException {
    try (Blocker.Callback written = Blocker.callback()) {
      response.write(last, ByteBuffer.wrap(bytes), written);
      written.block();
    }
  }

  private static void head(Answer answer, Response response) {
    response.setStatus(answer.status());
    answer.headers().forEach(header -> response.getHeaders().add(header.name(), header.value()));
  }

  private static boolean refuse(
      Request request, BrowserHeaders browsers, Response response, Callback callback) {
    @Nullable Object status = request.getAttribute(ErrorHandler.ERROR_STATUS);
    Answer refused =
        Gateway.answer(
            GatewayResponse.refused(status instanceof Integer code ? code : 400),
            UUID.randomUUID().toString());
    send(browsers.withHeaders(refused), response, callback);
    return true;
  }
}
