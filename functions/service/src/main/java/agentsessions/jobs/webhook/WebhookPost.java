package agentsessions.jobs.webhook;

import agentsessions.rule.HostAddresses;
import agentsessions.session.id.EventId;
import agentsessions.session.webhook.Delivery;
import agentsessions.turn.catalogue.OperatorPolicy;
import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookSigningException;
import io.micronaut.context.annotation.Property;
import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.io.HttpClientConnectionManager;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.jspecify.annotations.Nullable;

/// The HTTP client of webhook deliveries. An attempt is signed, goes to an address that was
/// checked, follows no redirect, and is over after fifteen seconds whatever the receiver does. Only
/// the head of the response is read.
@Singleton
public final class WebhookPost {
  private static final int MOST_CONNECTIONS = 400;
  private static final int MOST_LINE = 8192;
  private static final int MOST_HEADERS = 100;

  private final Clock clock;
  private final Duration longest;
  private final CloseableHttpClient client;
  private final ScheduledExecutorService ends =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("webhooks").factory());

  public WebhookPost(
      OperatorPolicy allowed,
      Clock clock,
      @Property(name = "webhooks.attempt.seconds", defaultValue = "15") int seconds,
      @Property(name = "service.version") String version) {
    this.clock = clock;
    this.longest = Duration.ofSeconds(seconds);
    this.client = client(allowed.hosts(), seconds, "agent-sessions/" + version);
  }

  private static CloseableHttpClient client(HostAddresses hosts, int seconds, String userAgent) {
    RequestConfig request =
        RequestConfig.custom()
            .setConnectionRequestTimeout(seconds, TimeUnit.SECONDS)
            .setResponseTimeout(seconds, TimeUnit.SECONDS)
            .setRedirectsEnabled(false)
            .build();
    return HttpClients.custom()
        .setConnectionManager(connections(hosts, seconds))
        .setDefaultRequestConfig(request)
        .setConnectionReuseStrategy((_, _, _) -> false)
        .setUserAgent(userAgent)
        .disableRedirectHandling()
        .disableAutomaticRetries()
        .disableCookieManagement()
        .disableAuthCaching()
        .disableContentCompression()
        .build();
  }

  private static HttpClientConnectionManager connections(HostAddresses hosts, int seconds) {
    Http1Config head =
        Http1Config.custom().setMaxLineLength(MOST_LINE).setMaxHeaderCount(MOST_HEADERS).build();
    ConnectionConfig times =
        ConnectionConfig.custom()
            .setConnectTimeout(seconds, TimeUnit.SECONDS)
            .setSocketTimeout(seconds, TimeUnit.SECONDS)
            .build();
    return PoolingHttpClientConnectionManagerBuilder.create()
        .setDnsResolver(new CheckedHosts(hosts))
        .setConnectionFactory(
            ManagedHttpClientConnectionFactory.builder().http1Config(head).build())
        .setDefaultConnectionConfig(times)
        .setMaxConnTotal(MOST_CONNECTIONS)
        .setMaxConnPerRoute(MOST_CONNECTIONS)
        .build();
  }

  /// Connections go to the very addresses that were checked, so that a name cannot lead somewhere
  /// else a moment later.
  private record CheckedHosts(HostAddresses hosts) implements DnsResolver {
    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
      return hosts.of(host);
    }

    @Override
    public List<InetSocketAddress> resolve(String host, int port) throws UnknownHostException {
      return Stream.of(hosts.of(host, port))
          .map(address -> new InetSocketAddress(address, port))
          .toList();
    }

    @Override
    public String resolveCanonicalHostname(String host) {
      return host;
    }
  }

  /// The outcome of an attempt, with the wait that the receiver asks for.
  public record Answered(Delivery.Attempt attempt, Optional<Duration> retryAfter) {
    public boolean isGood() {
      return attempt.error() == null;
    }

    /// Whether the receiver wants no delivery any more (410).
    public boolean isGone() {
      Integer status = attempt.statusCode();
      return status != null && status == 410;
    }
  }

  /// Sends an event once; a failure is an outcome too, and not an exception.
  ///
  /// @param secrets the signing secrets, each of which gives a signature
  public Answered send(String url, EventId event, String body, List<String> secrets) {
    Instant at = clock.instant();
    long begun = System.nanoTime();
    AtomicBoolean late = new AtomicBoolean();
    try {
      URI target = URI.create(url);
      HttpPost post = signed(target, event.toString(), body, secrets, at);
      Future<?> end =
          ends.schedule(() -> cutOff(post, late), longest.toMillis(), TimeUnit.MILLISECONDS);
      try {
        return answered(at, begun, target, post);
      } finally {
        end.cancel(false);
        post.cancel(); // the rest of the response is not read
      }
    } catch (IOException | RuntimeException fault) {
      return new Answered(
          new Delivery.Attempt(at, null, since(begun), late.get() ? "timeout" : error(fault)),
          Optional.empty());
    }
  }

  private static HttpPost signed(
      URI target, String id, String body, List<String> secrets, Instant at) {
    HttpPost post = new HttpPost(target);
    post.setHeader("webhook-id", id);
    post.setHeader("webhook-timestamp", Long.toString(at.getEpochSecond()));
    post.setHeader("webhook-signature", signatures(secrets, id, at, body));
    post.setEntity(
        new ByteArrayEntity(body.getBytes(StandardCharsets.UTF_8), ContentType.APPLICATION_JSON));
    return post;
  }

  private static void cutOff(HttpPost post, AtomicBoolean late) {
    late.set(true);
    post.cancel();
  }

  @PreDestroy
  void close() throws IOException {
    ends.shutdownNow().clear();
    client.close();
  }

  @SuppressWarnings("MustBeClosed") // closing would read the rest; the request is cancelled instead
  private Answered answered(Instant at, long begun, URI target, HttpPost post) throws IOException {
    HttpHost host = new HttpHost(target.getScheme(), target.getHost(), target.getPort());
    ClassicHttpResponse response = client.executeOpen(host, post, null);
    int status = response.getCode();
    @Nullable Header retryAfter = response.getFirstHeader("Retry-After");
    return new Answered(
        new Delivery.Attempt(at, status, since(begun), error(status)),
        retryAfter == null || (status != 429 && status != 503)
            ? Optional.empty()
            : wait(retryAfter.getValue(), at));
  }

  private static @Nullable String error(int status) {
    if (status >= 200 && status < 300) {
      return null;
    }
    return status >= 300 && status < 400 ? "redirect" : "status";
  }

  private static String error(Exception fault) {
    return switch (fault) {
      case HostAddresses.Refused _ -> "address";
      case UnknownHostException _ -> "dns";
      case InterruptedIOException _ -> "timeout";
      case SSLException _ -> "tls";
      default -> "connect";
    };
  }

  private static long since(long begun) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
  }

  /// The value of `Retry-After`: seconds, or a date.
  private static Optional<Duration> wait(String retryAfter, Instant now) {
    if (retryAfter.matches("[0-9]{1,9}")) {
      return Optional.of(Duration.ofSeconds(Long.parseLong(retryAfter)));
    }
    try {
      Instant then =
          ZonedDateTime.parse(retryAfter, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      return Optional.of(Duration.between(now, then)).filter(Duration::isPositive);
    } catch (DateTimeParseException malformed) {
      return Optional.empty();
    }
  }

  private static String signatures(List<String> secrets, String id, Instant at, String body) {
    return secrets.stream()
        .map(secret -> signature(secret, id, at, body))
        .collect(Collectors.joining(" "));
  }

  private static String signature(String secret, String id, Instant at, String body) {
    try {
      return new Webhook(secret).sign(id, at.getEpochSecond(), body);
    } catch (WebhookSigningException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
