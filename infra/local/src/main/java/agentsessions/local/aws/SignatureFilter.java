package agentsessions.local.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import agentsessions.local.wire.ConnectionLimit;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.gaul.shaded.org.eclipse.jetty.http.HttpHeader;
import org.gaul.shaded.org.eclipse.jetty.http.HttpMethod;
import org.gaul.shaded.org.eclipse.jetty.http.HttpStatus;
import org.gaul.shaded.org.eclipse.jetty.http.HttpURI;
import org.gaul.shaded.org.eclipse.jetty.io.Connection;
import org.gaul.shaded.org.eclipse.jetty.io.EndPoint;
import org.gaul.shaded.org.eclipse.jetty.server.AbstractConnector;
import org.gaul.shaded.org.eclipse.jetty.server.Connector;
import org.gaul.shaded.org.eclipse.jetty.server.Handler;
import org.gaul.shaded.org.eclipse.jetty.server.HttpConnectionFactory;
import org.gaul.shaded.org.eclipse.jetty.server.Request;
import org.gaul.shaded.org.eclipse.jetty.server.Response;
import org.gaul.shaded.org.eclipse.jetty.server.Server;
import org.gaul.shaded.org.eclipse.jetty.server.ServerConnector;
import org.gaul.shaded.org.eclipse.jetty.util.Callback;
import org.gaul.shaded.org.eclipse.jetty.util.VirtualThreads;
import org.gaul.shaded.org.eclipse.jetty.util.thread.QueuedThreadPool;

/// The request filter in front of the object store: it lets only signed requests through and bounds
/// the connections, so that a crowd of them locks out no other client.
///
/// The store behind it checks the signature itself. It checks a link's before it reads the body,
/// but a header's only afterwards, so signed headers are accepted from the service's own key alone.
/// A link with an `Authorization` header is refused, as S3 does; otherwise a client that sends its
/// API key along would work here and fail on AWS.
final class SignatureFilter extends Handler.Wrapper {
  private static final int MOST_CONNECTIONS = 1_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final String PUT_WITH = "if-none-match, x-amz-checksum-sha256";
  private static final String LINK = "X-Amz-Signature=";
  private static final String ONE_WAY =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <Error><Code>InvalidArgument</Code><Message>Only one auth mechanism allowed: \
      a signed link is sent without an Authorization header</Message>\
      <ArgumentName>Authorization</ArgumentName></Error>
      """;

  private final String header;
  private final ConnectionLimit connections;

  private SignatureFilter(Handler handler, String ownKeyId, ConnectionLimit connections) {
    super(handler);
    this.header = "AWS4-HMAC-SHA256 Credential=" + ownKeyId + "/";
    this.connections = connections;
  }

  /// Installs the filter in a server that has not started yet.
  ///
  /// @param ownKeyId the access key id that may sign by header
  static void guard(Server server, String ownKeyId) {
    ConnectionLimit connections =
        new ConnectionLimit(MOST_CONNECTIONS, TIMEOUT, TIMEOUT, System::nanoTime);
    server.setHandler(new SignatureFilter(server.getHandler(), ownKeyId, connections));
    if (server.getThreadPool() instanceof QueuedThreadPool threads) {
      threads.setVirtualThreadsExecutor(VirtualThreads.getDefaultVirtualThreadsExecutor());
    }
    for (Connector connector : server.getConnectors()) {
      // a client that finds the queue full waits a second before it tries again, then two
      ((ServerConnector) connector).setAcceptQueueSize(MOST_CONNECTIONS);
      takeNoForms(connector);
      watch((AbstractConnector) connector, connections);
    }
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    response.getHeaders().put("X-Content-Type-Options", "nosniff");
    if (isLink(request) && request.getHeaders().contains(HttpHeader.AUTHORIZATION)) {
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/xml");
      return refuse(HttpStatus.BAD_REQUEST_400, ONE_WAY, response, callback);
    }
    if (!isSigned(request)) {
      return refuse(HttpStatus.FORBIDDEN_403, "", response, callback);
    }
    if (isLink(request) && request.getHeaders().contains(HttpHeader.ORIGIN)) {
      // a link may be used from any origin: the console is served by another port
      response.getHeaders().put(HttpHeader.ACCESS_CONTROL_ALLOW_ORIGIN, "*");
      if (HttpMethod.OPTIONS.is(request.getMethod())) {
        return allow(response, callback);
      }
    }
    EndPoint guest = request.getConnectionMetaData().getConnection().getEndPoint();
    connections.answering(guest);
    Request.addCompletionListener(request, _ -> connections.waiting(guest));
    return super.handle(canonical(request), closing(request, response), callback);
  }

  /// A response that announces the end of the connection if it is an error: the unread body of a
  /// refused request makes the connection unusable, and a client that is not told would reuse it
  /// and fail.
  private static Response closing(Request request, Response response) {
    return new Response.Wrapper(request, response) {
      @Override
      public void setStatus(int code) {
        super.setStatus(code);
        if (code >= HttpStatus.BAD_REQUEST_400) {
          getHeaders().put(HttpHeader.CONNECTION, "close");
        }
      }
    };
  }

  /// The request with its path in the canonical encoding, the one that is signed, whichever
  /// encoding the client chose.
  private static Request canonical(Request request) {
    HttpURI sent = request.getHttpURI();
    HttpURI signed = HttpURI.build(sent).path(canonical(sent.getPath())).asImmutable();
    return new Request.Wrapper(request) {
      @Override
      public HttpURI getHttpURI() {
        return signed;
      }
    };
  }

  static String canonical(String path) {
    return Stream.of(path.split("/", -1)).map(SignatureFilter::encoded).collect(joining("/"));
  }

  /// Percent-encodes all but letters, digits and `-._~`. A part with an encoded slash, or of dots
  /// only, is left unchanged, since decoding would change the path's structure.
  private static String encoded(String part) {
    String decoded;
    try {
      decoded = URLDecoder.decode(part.replace("+", "%2B"), UTF_8);
    } catch (IllegalArgumentException malformed) {
      return part;
    }
    return decoded.contains("/") || decoded.matches("[.]*")
        ? part
        : URLEncoder.encode(decoded, UTF_8)
            .replace("+", "%20")
            .replace("*", "%2A")
            .replace("%7E", "~");
  }

  /// The CORS preflight response, as the bucket's rule in template.yaml.
  private static boolean allow(Response response, Callback callback) {
    response.getHeaders().put(HttpHeader.ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, PUT");
    response.getHeaders().put(HttpHeader.ACCESS_CONTROL_ALLOW_HEADERS, PUT_WITH);
    response.getHeaders().put(HttpHeader.ACCESS_CONTROL_MAX_AGE, "7200");
    callback.succeeded();
    return true;
  }

  private static boolean refuse(int status, String body, Response response, Callback callback) {
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONNECTION, "close");
    response.write(true, UTF_8.encode(body), callback);
    return true;
  }

  private boolean isSigned(Request request) {
    String authorization =
        Objects.requireNonNullElse(request.getHeaders().get(HttpHeader.AUTHORIZATION), "");
    return isLink(request) || authorization.startsWith(header);
  }

  private static boolean isLink(Request request) {
    return Objects.requireNonNullElse(request.getHttpURI().getQuery(), "").contains(LINK);
  }

  /// Turns off the parsing of forms. A body is always a file here, although many programs label it
  /// as a form by default; S3 signs query parameters only.
  private static void takeNoForms(Connector connector) {
    connector
        .getConnectionFactory(HttpConnectionFactory.class)
        .getHttpConfiguration()
        .setFormEncodedMethods();
  }

  private static void watch(AbstractConnector connector, ConnectionLimit connections) {
    connector.addBean(
        new Connection.Listener() {
          @Override
          public void onOpened(Connection connection) {
            connections.opened(connection.getEndPoint());
          }

          @Override
          public void onClosed(Connection connection) {
            connections.closed(connection.getEndPoint());
          }
        });
  }
}
