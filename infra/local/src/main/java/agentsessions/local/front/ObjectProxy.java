package agentsessions.local.front;

import agentsessions.local.aws.ObjectStore;
import agentsessions.local.aws.SignedLinks;
import agentsessions.local.wire.HttpListener;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.transport.HttpClientTransportDynamic;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.proxy.ProxyHandler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.VirtualThreadPool;
import org.jspecify.annotations.Nullable;

/// A reverse proxy for presigned links to the object store, which stays on loopback: downloads of
/// artifacts and uploads of clients, and nothing else of the bucket.
///
/// The store checks signatures as well. The proxy does so before it reads a body, and treats
/// clients without a valid link as clients without a key. With a valid link each part of a transfer
/// may take a minute: 64 KiB of an upload, one write of a download. So slow transfers lock out no
/// other client.
///
/// Downloads come from the same origin as the API and its pages, so a header forbids browsers to
/// run anything in them.
final class ObjectProxy extends ProxyHandler.Reverse {
  private static final Duration TO_CONNECT = Duration.ofSeconds(5);
  private static final Duration SILENCE = Duration.ofSeconds(60);

  /// The share of the store's thousand connections; the others are for runners.
  private static final int MOST_AT_ONCE = 800;

  /// The request headers of downloads that are passed on.
  private static final List<HttpHeader> PASSED_ON =
      List.of(
          HttpHeader.RANGE,
          HttpHeader.IF_RANGE,
          HttpHeader.IF_MATCH,
          HttpHeader.IF_NONE_MATCH,
          HttpHeader.IF_MODIFIED_SINCE,
          HttpHeader.IF_UNMODIFIED_SINCE);

  /// The request header of uploads that is passed on.
  private static final String SUM = "x-amz-checksum-sha256";

  private final URI store;
  private final URI signed;
  private final SignedLinks links;
  private final BrowserHeaders browsers;
  private final HttpListener listener;

  /// @param store the address of the object store
  /// @param signed the URL that links are signed for
  ObjectProxy(
      URI store, URI signed, SignedLinks links, BrowserHeaders browsers, HttpListener listener) {
    super(Request::getHttpURI);
    this.store = store;
    this.signed = signed;
    this.links = links;
    this.browsers = browsers;
    this.listener = listener;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    boolean isUpload = isUpload(request);
    if (!isUpload && !isBelow(ObjectStore.DOWNLOADS, request.getHttpURI())) {
      return false;
    }
    if (HttpMethod.OPTIONS.is(request.getMethod()) && browsers.mayAsk()) {
      ApiServer.send(browsers.mayDownload(), response, callback);
      return true;
    }
    if (!isUpload
        && !HttpMethod.GET.is(request.getMethod())
        && !HttpMethod.HEAD.is(request.getMethod())) {
      return refuse(GatewayResponse.methodNotAllowed("GET, HEAD"), response, callback);
    }
    if ((!isUpload && hasBody(request)) || !isReadable(request.getHttpURI())) {
      return refuse(GatewayResponse.badRequest("Not a download link"), response, callback);
    }
    boolean isGood = isSigned(request);
    if (isUpload && !isGood) {
      return refuse(GatewayResponse.notSigned(), response, callback);
    }
    if (isGood) {
      listener.know(request);
    }
    response.getHeaders().put("Content-Security-Policy", "default-src 'none'; sandbox");
    browsers
        .ofDownload()
        .forEach(header -> response.getHeaders().put(header.name(), header.value()));
    return isUpload
        ? super.handle(new PacedUpload(request, listener), response, callback)
        : super.handle(request, new PacedDownload(request, response, listener), callback);
  }

  private boolean isSigned(Request request) {
    HttpURI called =
        HttpURI.build(request.getHttpURI())
            .scheme(signed.getScheme())
            .host(signed.getHost())
            .port(signed.getPort());
    return links.isGood(
        request.getMethod(),
        URI.create(called.asString()),
        name -> request.getHeaders().getValuesList(name));
  }

  @Override
  protected HttpURI rewriteHttpURI(Request request) {
    return HttpURI.build(request.getHttpURI())
        .scheme(store.getScheme())
        .host(store.getHost())
        .port(store.getPort());
  }

  /// Sends the host that was signed, even if a proxy in front of this one has changed it.
  @Override
  protected void copyRequestHeaders(Request request, org.eclipse.jetty.client.Request onward) {
    onward.headers(all -> all.put(HttpHeader.HOST, signed.getRawAuthority()));
    for (HttpHeader name : PASSED_ON) {
      request.getHeaders().getFields(name).forEach(field -> onward.headers(all -> all.add(field)));
    }
    request.getHeaders().getFields(SUM).forEach(field -> onward.headers(all -> all.add(field)));
    // The store refuses a link with a credential, so it must see that there is one, but not its
    // value.
    if (request.getHeaders().contains(HttpHeader.AUTHORIZATION)) {
      onward.headers(all -> all.put(HttpHeader.AUTHORIZATION, "Withheld"));
    }
  }

  @Override
  protected void addProxyHeaders(Request request, org.eclipse.jetty.client.Request onward) {}

  /// Removes the store's own `Server` and `Date` headers.
  @Override
  protected @Nullable HttpField filterServerToProxyResponseField(HttpField field) {
    return field.getHeader() == HttpHeader.SERVER || field.getHeader() == HttpHeader.DATE
        ? null
        : field;
  }

  @Override
  protected void onServerToProxyResponseFailure(
      Request request,
      org.eclipse.jetty.client.Request onward,
      org.eclipse.jetty.client.Response answered,
      Response response,
      Callback callback,
      Throwable failure) {
    if (response.isCommitted()) {
      callback.failed(failure);
    } else {
      response.reset();
      refuse(GatewayResponse.busy(), response, callback);
    }
  }

  @Override
  protected HttpClient newHttpClient() {
    ClientConnector connector = new ClientConnector();
    connector.setExecutor(new VirtualThreadPool());
    connector.setSelectors(1);
    connector.setConnectTimeout(TO_CONNECT);
    return new HttpClient(new HttpClientTransportDynamic(connector));
  }

  @Override
  protected void configureHttpClient(HttpClient client) {
    super.configureHttpClient(client);
    client.setIdleTimeout(SILENCE.toMillis());
    client.setMaxConnectionsPerDestination(MOST_AT_ONCE);
    client.setUserAgentField(null);
  }

  private static boolean isUpload(Request request) {
    return HttpMethod.PUT.is(request.getMethod())
        && isBelow(ObjectStore.UPLOADS, request.getHttpURI());
  }

  /// Checks both the raw path and the normalised one, which another server may act on.
  private static boolean isBelow(String prefix, HttpURI address) {
    return begins(prefix, address.getPath()) && begins(prefix, address.getCanonicalPath());
  }

  private static boolean begins(String prefix, @Nullable String path) {
    return Objects.requireNonNullElse(path, "").startsWith(prefix);
  }

  private static boolean hasBody(Request request) {
    return request.getLength() > 0 || request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING);
  }

  /// Whether the path parses as a URI. Clients may send invalid characters, which no signed link
  /// has.
  private static boolean isReadable(HttpURI address) {
    try {
      return !URI.create(address.getPathQuery()).isOpaque();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private boolean refuse(GatewayResponse refusal, Response response, Callback callback) {
    String id = UUID.randomUUID().toString();
    response.getHeaders().put(HttpHeader.CONNECTION, "close");
    ApiServer.send(browsers.withHeaders(Gateway.answer(refusal, id)), response, callback);
    return true;
  }
}
