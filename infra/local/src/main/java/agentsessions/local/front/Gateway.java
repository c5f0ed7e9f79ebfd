package agentsessions.local.front;

import agentsessions.local.front.CachedAuthorizer.Caller;
import agentsessions.local.front.HttpMessage.Answer;
import agentsessions.local.front.HttpMessage.Request;
import agentsessions.local.machine.SamTemplate;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import io.github.bucket4j.TimeMeter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The stand-in of API Gateway: passes each request through authorizer, usage plan and function.
///
/// Every failure becomes a response in the API's error shape, and every response has a request id.
public final class Gateway {
  /// The lifetime of the authorizer's cached answers, from `template.yaml`.
  public static final Duration KEY_CACHE =
      Duration.ofSeconds(
          SamTemplate.api()
              .at("/components/securitySchemes/Key/x-amazon-apigateway-authorizer")
              .path("authorizerResultTtlInSeconds")
              .asLong());

  /// The size limit of a function's event and of its response, as on Lambda.
  private static final int LARGEST_PAYLOAD = 6_291_556;

  /// The memory quota of request bodies: a twelfth of the process's heap, since a function holds
  /// several copies of a body.
  private static final long BODIES = 16 << 20;

  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final String API = "/rest/v1/";
  private static final String RUNNERS = "/runner/v1/";
  private static final String HEALTH = "/rest/v1/health";
  private static final Pattern TURN = Pattern.compile("/rest/v1/sessions(/[^/]+/messages)?/?");
  private static final Pattern BAD_PERCENT = Pattern.compile("%(?![0-9A-Fa-f]{2})");
  private static final Logger log = LoggerFactory.getLogger(Gateway.class);

  private final RequestStreamHandler function;
  private final CachedAuthorizer authorizer;
  private final UsagePlan plan;
  private final StreamLimit streams;
  private final TurnRequestLimit turns = new TurnRequestLimit();
  private final BodyQuota bodies = new BodyQuota(BODIES, BODIES / 2, TIMEOUT);

  /// The tokens of runners that the service has accepted lately. Runners show no key, so this is
  /// how their connections become known ones.
  private final Cache<HashCode, Boolean> runners =
      CacheBuilder.newBuilder()
          .expireAfterAccess(Duration.ofMinutes(10))
          .maximumSize(10_000)
          .build();

  private final BooleanSupplier isDiskNearlyFull;
  private final SignIn signIn;

  /// @param keyCache the lifetime of the authorizer's cached answers
  /// @param revocations what ends these answers before
  /// @param isDiskNearlyFull while it is true, requests that begin a turn are refused
  /// @param signIn exchanges one-time codes for keys
  public Gateway(
      RequestStreamHandler function,
      RequestStreamHandler authorizer,
      Duration keyCache,
      KeyRevocations revocations,
      BooleanSupplier isDiskNearlyFull,
      SignIn signIn) {
    this(
        function,
        new CachedAuthorizer(authorizer, keyCache, Ticker.systemTicker(), revocations),
        isDiskNearlyFull,
        signIn,
        new UsagePlan(TimeMeter.SYSTEM_MILLISECONDS),
        new StreamLimit());
  }

  Gateway(
      RequestStreamHandler function,
      RequestStreamHandler authorizer,
      BooleanSupplier isDiskNearlyFull) {
    this(
        function,
        authorizer,
        KEY_CACHE,
        KeyRevocations.inMemory(),
        isDiskNearlyFull,
        SignIn.closed());
  }

  Gateway(RequestStreamHandler function, RequestStreamHandler authorizer) {
    this(function, authorizer, () -> false);
  }

  Gateway(RequestStreamHandler function, RequestStreamHandler authorizer, TimeMeter time) {
    this(
        function,
        new CachedAuthorizer(authorizer, KEY_CACHE, ticker(time), KeyRevocations.inMemory()),
        () -> false,
        SignIn.closed(),
        new UsagePlan(time),
        new StreamLimit());
  }

  Gateway(RequestStreamHandler function, RequestStreamHandler authorizer, StreamLimit streams) {
    this(
        function,
        new CachedAuthorizer(
            authorizer, KEY_CACHE, Ticker.systemTicker(), KeyRevocations.inMemory()),
        () -> false,
        SignIn.closed(),
        new UsagePlan(TimeMeter.SYSTEM_MILLISECONDS),
        streams);
  }

  private Gateway(
      RequestStreamHandler function,
      CachedAuthorizer authorizer,
      BooleanSupplier isDiskNearlyFull,
      SignIn signIn,
      UsagePlan plan,
      StreamLimit streams) {
    this.isDiskNearlyFull = isDiskNearlyFull;
    this.signIn = signIn;
    this.function = function;
    this.authorizer = authorizer;
    this.plan = plan;
    this.streams = streams;
  }

  private static Ticker ticker(TimeMeter time) {
    return new Ticker() {
      @Override
      public long read() {
        return time.currentTimeNanos();
      }
    };
  }

  Answer answer(Request request) {
    return attempt(request).with("X-Request-Id", request.id());
  }

  /// A response of the gateway itself, with its request id.
  static Answer answer(GatewayResponse response, String requestId) {
    return response.answer(requestId).with("X-Request-Id", requestId);
  }

  private Answer attempt(Request request) {
    try {
      requireRoom(checked(request));
      if (signIn.isAsked(request)) {
        return signedIn(request);
      }
      return PublicRoutes.has(request) ? open(request) : keyed(request);
    } catch (GatewayResponse e) {
      return reported(request, e.answer(request.id()));
    } catch (IOException | RuntimeException e) {
      log.atError().setCause(e).addKeyValue("request", request.id()).log("A function failed");
      return reported(request, GatewayResponse.internal().answer(request.id()));
    }
  }

  /// Refuses requests that begin a turn while the disk is nearly full, and reports it as ill
  /// health; deletions and interrupts still pass.
  private void requireRoom(Request request) {
    if ((beginsTurn(request) || request.path().equals(HEALTH)) && isDiskNearlyFull.getAsBoolean()) {
      throw GatewayResponse.diskNearlyFull();
    }
  }

  private static boolean beginsTurn(Request request) {
    return request.method().equals("POST") && TURN.matcher(request.path()).matches();
  }

  private Answer keyed(Request request) throws IOException {
    Caller caller = caller(request);
    request.sender().known().run();
    try {
      plan.spend(caller.usage());
      return answered(request, caller).with("RateLimit-Policy", UsagePlan.POLICY);
    } catch (GatewayResponse e) {
      return reported(request, e.answer(request.id())).with("RateLimit-Policy", UsagePlan.POLICY);
    } finally {
      if (request.method().equals("DELETE")) {
        authorizer.forget(); // it may have been a key, whatever became of the answer
      }
    }
  }

  /// The key of the sign-in before has ended then, even if the answer is lost.
  private Answer signedIn(Request request) {
    try {
      return signIn.answer(request);
    } finally {
      authorizer.forget();
    }
  }

  /// Who comes without a key to where there is nothing for anybody is told that, as by the gateway
  /// on AWS: the usual cause is a path without its beginning.
  private Caller caller(Request request) {
    try {
      return authorizer.caller(request);
    } catch (GatewayResponse refused) {
      throw refused.isUnauthorized() && !request.path().startsWith(API)
          ? GatewayResponse.notFound()
          : refused;
    }
  }

  private Answer answered(Request request, Caller caller) throws IOException {
    boolean stream = OpenStream.isWanted(request);
    if (!stream && !OpenStream.waits(request)) {
      return call(request, caller.context(), true);
    }
    Runnable release = streams.enter(caller.context().path("workspace").asText());
    if (!stream) {
      try {
        return call(request, caller.context(), true);
      } finally {
        release.run();
      }
    }
    return new OpenStream(
            request,
            part -> call(part, caller.context(), true),
            () -> authorizer.again(request),
            release)
        .begin();
  }

  private Answer open(Request request) throws IOException {
    HashCode bearer =
        Hashing.sha256().hashUnencodedChars(String.join("\n", request.values("Authorization")));
    Answer answer = call(request, null, runners.getIfPresent(bearer) != null);
    if (request.path().startsWith(RUNNERS) && answer.status() < 300) {
      runners.put(bearer, true);
      request.sender().known().run();
    }
    return answer;
  }

  private Answer call(Request request, @Nullable JsonNode caller, boolean known)
      throws IOException {
    try (BodyQuota.Body body = bodies.read(request, BodyLimit.of(request), known)) {
      byte[] content = body.take();
      if (caller != null && content.length > 0) {
        Caller _ = authorizer.caller(request); // the key may have ended while the body came
      }
      byte[] event = ProxyEvent.of(request, content, caller);
      if (event.length > LARGEST_PAYLOAD) {
        throw GatewayResponse.tooLarge(413, "The request is larger than 6 MB");
      }
      Runnable end =
          caller != null && beginsTurn(request)
              ? turns.enter(caller.path("workspace").asText())
              : () -> {};
      try {
        return call(event);
      } finally {
        end.run();
      }
    }
  }

  private Answer call(byte[] event) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    function.handleRequest(new ByteArrayInputStream(event), out, null);
    if (out.size() > LARGEST_PAYLOAD) {
      throw new IOException("the answer of a function is larger than 6 MB");
    }
    return FunctionResponse.of(out.toByteArray());
  }

  private static Request checked(Request request) {
    if (!request.path().startsWith("/") || BAD_PERCENT.matcher(request.path()).find()) {
      throw GatewayResponse.badRequest("Malformed path");
    }
    return request;
  }

  private static Answer reported(Request request, Answer answer) {
    log.atInfo()
        .addKeyValue("request", request.id())
        .addKeyValue("method", request.method())
        .addKeyValue("status", answer.status())
        .log("answered by the gateway");
    return answer;
  }
}
