package agentsessions.runner.network.host;

import agentsessions.rule.HostAddresses;
import agentsessions.runner.agent.HostRule;
import agentsessions.runner.agent.tool.Verdict;
import agentsessions.runner.network.connection.Addresses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ConnectHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.HostPort;

/// The request handler of the host proxy: forwards `CONNECT` requests to the hosts that both the
/// operator and the judge allow, and refuses all other requests. One that the judge has yet to
/// decide about is held. Tunnelled bytes are encrypted and not inspected; the number of
/// connections, their idle time and the bytes of a turn are limited.
final class HostGate extends ConnectHandler {
  private static final Duration TO_CONNECT = Duration.ofSeconds(10);
  private static final int BUFFER = 16 * 1024;

  private final List<HostRule> rules;
  private final HostJudge judge;
  private final Addresses addresses;
  private final HostRefusals refusals;
  private final Bounds bounds;
  private final Semaphore places;
  private final AtomicLong carried = new AtomicLong();

  /// @param connections the most at once
  /// @param bytes the most in a turn, in both directions together
  /// @param idle the idle timeout of a connection
  record Bounds(int connections, long bytes, Duration idle) {
    static final Bounds STANDARD = new Bounds(64, 10L << 30, Duration.ofMinutes(5));
  }

  /// @param rules the operator's
  /// @param judge asked about those that the operator allows
  HostGate(
      List<HostRule> rules,
      HostJudge judge,
      Addresses addresses,
      HostRefusals refusals,
      Bounds bounds) {
    this.rules = rules;
    this.judge = judge;
    this.addresses = addresses;
    this.refusals = refusals;
    this.bounds = bounds;
    this.places = new Semaphore(bounds.connections());
    setConnectTimeout(TO_CONNECT.toMillis());
    setIdleTimeout(bounds.idle().toMillis());
    setBufferSize(BUFFER);
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    if (HttpMethod.CONNECT.is(request.getMethod())) {
      return super.handle(request, response, callback);
    }
    String host = Optional.ofNullable(request.getHttpURI().getHost()).orElse("");
    refuse(request, response, callback, HttpStatus.FORBIDDEN_403, refusals.notEncrypted(host));
    return true;
  }

  @Override
  protected void handleConnect(
      Request request, Response response, Callback callback, String authority) {
    HostPort target = target(request);
    if (rules.stream().noneMatch(rule -> rule.allows(target.getHost(), target.getPort()))) {
      refuse(
          request,
          response,
          callback,
          HttpStatus.FORBIDDEN_403,
          refusals.notAllowed(target.getHost(), target.getPort()));
    } else {
      CompletableFuture<Verdict> verdict = judge.judge(target.getHost(), target.getPort());
      Runnable held = verdict.isDone() ? () -> {} : hold(request);
      CompletableFuture<Void> _ =
          verdict
              .exceptionally(HostGate::undecided)
              .thenAccept(decided -> {
                held.run();
                judged(decided, request, response, callback, authority);
              });
    }
  }

  private static Verdict undecided(Throwable failed) {
    return Verdict.denied("No decision could be had: " + failed);
  }

  /// Lets a request wait for longer than an idle one may, and returns the end of that.
  private static Runnable hold(Request request) {
    EndPoint agent = request.getConnectionMetaData().getConnection().getEndPoint();
    long idle = agent.getIdleTimeout();
    agent.setIdleTimeout(0);
    return () -> agent.setIdleTimeout(idle);
  }

  private void judged(
      Verdict verdict, Request request, Response response, Callback callback, String authority) {
    if (!verdict.allowed()) {
      String why = refusals.say(verdict.text());
      refuse(request, response, callback, HttpStatus.FORBIDDEN_403, why);
    } else if (places.tryAcquire()) {
      super.handleConnect(request, response, callback, authority);
    } else {
      refuse(
          request,
          response,
          callback,
          HttpStatus.SERVICE_UNAVAILABLE_503,
          refusals.tooMany(bounds.connections()));
    }
  }

  /// Connects to the address that was checked, so that the name is not resolved a second time.
  @Override
  protected InetSocketAddress newConnectAddress(String host, int port) {
    try {
      return addresses.of(host, port).getFirst();
    } catch (IOException refused) {
      throw new UncheckedIOException(refused);
    }
  }

  @Override
  protected void onConnectFailure(
      Request request, Response response, Callback callback, Throwable failure) {
    places.release();
    HostPort target = target(request);
    if (failure.getCause() instanceof HostAddresses.Refused) {
      refuse(
          request,
          response,
          callback,
          HttpStatus.FORBIDDEN_403,
          refusals.isPrivate(target.getHost(), target.getPort()));
    } else {
      refuse(
          request,
          response,
          callback,
          HttpStatus.BAD_GATEWAY_502,
          target + " could not be reached.");
    }
  }

  @Override
  protected UpstreamConnection newUpstreamConnection(EndPoint host, ConnectContext context) {
    UpstreamConnection connection = super.newUpstreamConnection(host, context);
    connection.addEventListener(
        new Connection.Listener() {
          @Override
          public void onClosed(Connection closed) {
            places.release();
          }
        });
    return connection;
  }

  @Override
  protected void onConnectSuccess(ConnectContext context, UpstreamConnection connection) {
    context.getEndPoint().setIdleTimeout(bounds.idle().toMillis());
    super.onConnectSuccess(context, connection);
  }

  @Override
  protected int read(EndPoint from, ByteBuffer into, ConcurrentMap<String, Object> context)
      throws IOException {
    int count = super.read(from, into, context);
    if (count > 0 && carried.addAndGet(count) > bounds.bytes()) {
      throw new IOException(refusals.tooMuch(bounds.bytes()));
    }
    return count;
  }

  private static HostPort target(Request request) {
    return new HostPort(request.getHttpURI().getAuthority());
  }

  private static void refuse(
      Request request, Response response, Callback callback, int status, String why) {
    response.getHeaders().put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE);
    Response.writeError(request, response, callback, status, why);
  }
}
