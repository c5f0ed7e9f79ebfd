package agentsessions.runner.network.model;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.Dialect;
import agentsessions.runner.network.connection.OutboundClient;
import agentsessions.runner.usage.ModelBudget;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/// The request handler of the model proxy: forwards the requests that an agent may make to its
/// model, with the entry's headers, and refuses all others. An agent's own value of a header that
/// the entry names is not forwarded.
final class ModelGate extends CountingProxy {
  private static final int CONNECTIONS = 32;
  private static final int PATH = 2000;

  /// The most concurrent calls; together they may overshoot a ceiling.
  private static final int AT_ONCE = 8;

  /// Headers by which a server could take a request for one of another method than was allowed.
  private static final List<String> OTHER_METHOD =
      List.of("x-http-method-override", "x-http-method", "x-method-override");

  private final AgentEntry.Model model;
  private final URI url;
  private final Optional<String> secret;
  private final Duration silence;
  private final ModelResponses responses;
  private final ConcurrencyLimit turnstile = new ConcurrencyLimit(AT_ONCE);

  /// @param secret the required path segment or header; empty: none is required
  /// @param silence the idle timeout of the model
  ModelGate(
      AgentEntry.Model model, Optional<String> secret, Duration silence, ModelResponses responses) {
    super(responses.usage());
    this.model = model;
    this.url = URI.create(model.url());
    this.secret = secret;
    this.silence = silence;
    this.responses = responses;
  }

  @Override
  public boolean handle(
      org.eclipse.jetty.server.Request agent, Response answer, Callback callback) {
    Optional<String> path = path(agent);
    if (path.isEmpty()) {
      return refuse(agent, answer, callback, HttpStatus.NOT_FOUND_404, "There is no such address.");
    }
    if (!model.allows(agent.getMethod(), path.get())) {
      return refuse(
          agent,
          answer,
          callback,
          HttpStatus.FORBIDDEN_403,
          "The agent's entry does not allow %s %s.".formatted(agent.getMethod(), path.get()));
    }
    Optional<Dialect> counted = model.counts(agent.getMethod(), path.get());
    if (counted.isEmpty() && !model.counted().isEmpty()) {
      return super.handle(agent, answer, callback);
    }
    AtomicBoolean waits = new AtomicBoolean(true);
    agent.addIdleTimeoutListener(_ -> !waits.get());
    Callback leaving = Callback.from(callback, turnstile::leave);
    Runnable judged =
        () -> {
          waits.set(false);
          judge(agent, answer, leaving, counted, path.get());
        };
    turnstile.enter(() -> responses.usage().budget().pause().after(judged));
    return true;
  }

  private void judge(
      org.eclipse.jetty.server.Request agent,
      Response answer,
      Callback callback,
      Optional<Dialect> counted,
      String path) {
    Optional<String> refusal = refusal(counted);
    try {
      if (refusal.isPresent()) {
        ModelRefusals.write(counted, refusal.get(), answer, callback);
      } else {
        counted.ifPresent(dialect -> count(agent, dialect, path));
        boolean _ = super.handle(agent, answer, callback);
      }
    } catch (RuntimeException failed) {
      callback.failed(failed);
    }
  }

  /// A call whose model cannot be read has no known price either, so a budget in money refuses it.
  private Optional<String> refusal(Optional<Dialect> counted) {
    ModelBudget budget = responses.usage().budget();
    return budget.refusal().or(() -> counted.isEmpty() ? budget.refusalOf("") : Optional.empty());
  }

  /// From here on the proxy waits for the model, which has an idle timeout of its own.
  @Override
  boolean forward(org.eclipse.jetty.server.Request agent, Response answer, Callback callback) {
    agent.addIdleTimeoutListener(_ -> false);
    return super.forward(agent, answer, callback);
  }

  @Override
  protected HttpURI rewriteHttpURI(org.eclipse.jetty.server.Request agent) {
    String base = url.getRawPath() == null ? "" : url.getRawPath().replaceFirst("/$", "");
    return HttpURI.build(agent.getHttpURI())
        .scheme(url.getScheme())
        .host(url.getHost())
        .port(url.getPort())
        .path(base + path(agent).orElseThrow());
  }

  @Override
  protected void copyRequestHeaders(org.eclipse.jetty.server.Request agent, Request onward) {
    super.copyRequestHeaders(agent, onward);
    onward.headers(all -> OTHER_METHOD.forEach(all::remove));
    onward.headers(all -> all.remove(ModelProxy.SECRET));
    onward.headers(all -> all.put(HttpHeader.HOST, url.getRawAuthority()));
    onward.headers(all -> model.headers().forEach(all::put));
  }

  /// Omits `Forwarded` and the like: the model need not know of the proxy.
  @Override
  protected void addProxyHeaders(org.eclipse.jetty.server.Request agent, Request onward) {}

  /// Only failures of POST count: requests for lists and counts may fail without harm, the agent's
  /// work depends on its POST requests.
  @Override
  protected void sendProxyToServerRequest(
      org.eclipse.jetty.server.Request agent, Request onward, Response answer, Callback callback) {
    if (HttpMethod.POST.is(agent.getMethod())) {
      onward.onResponseBegin(begun -> responses.answered(begun.getStatus()));
    }
    super.sendProxyToServerRequest(agent, onward, answer, callback);
  }

  @Override
  protected void onServerToProxyResponseFailure(
      org.eclipse.jetty.server.Request agent,
      Request onward,
      org.eclipse.jetty.client.Response answered,
      Response answer,
      Callback callback,
      Throwable failure) {
    if (answer.isCommitted()) {
      callback.failed(failure);
    } else if (failure instanceof HttpException refusal) {
      refuse(agent, answer, callback, refusal.getCode(), refusal.getReason());
    } else {
      responses.unreachable();
      int status =
          failure instanceof TimeoutException
              ? HttpStatus.GATEWAY_TIMEOUT_504
              : HttpStatus.BAD_GATEWAY_502;
      refuse(agent, answer, callback, status, "The model could not be reached.");
    }
  }

  @Override
  protected HttpClient newHttpClient() {
    return OutboundClient.of("model-client");
  }

  @Override
  protected void configureHttpClient(HttpClient client) {
    super.configureHttpClient(client);
    client.setIdleTimeout(silence.toMillis());
    client.setMaxConnectionsPerDestination(CONNECTIONS);
    client.setUserAgentField(null);
  }

  /// The path below the model's URL; empty for a caller without the secret, and for a path that is
  /// not canonical, which another server could read differently.
  private Optional<String> path(org.eclipse.jetty.server.Request agent) {
    String path = agent.getHttpURI().getPath();
    if (path == null
        || path.length() > PATH
        || !path.equals(agent.getHttpURI().getCanonicalPath())) {
      return Optional.empty();
    }
    if (secret.isEmpty() || isSecret(agent.getHeaders().get(ModelProxy.SECRET))) {
      return Optional.of(path);
    }
    int end = path.indexOf('/', 1);
    return end > 0 && isSecret(path.substring(1, end))
        ? Optional.of(path.substring(end))
        : Optional.empty();
  }

  private boolean isSecret(@Nullable String candidate) {
    return candidate != null
        && MessageDigest.isEqual(
            candidate.getBytes(StandardCharsets.UTF_8),
            secret.orElseThrow().getBytes(StandardCharsets.UTF_8));
  }

  private static boolean refuse(
      org.eclipse.jetty.server.Request agent,
      Response answer,
      Callback callback,
      int status,
      @Nullable String why) {
    Response.writeError(agent, answer, callback, status, why);
    return true;
  }
}
