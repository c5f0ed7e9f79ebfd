package agentsessions.local.front;

import agentsessions.local.front.HttpMessage.Request;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A Lambda authorizer of type TOKEN, called as API Gateway does: its answer for each value of the
/// `Authorization` header is cached. Unlike there, a revocation ends all cached answers.
final class CachedAuthorizer {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Logger log = LoggerFactory.getLogger(CachedAuthorizer.class);

  private final RequestStreamHandler authorizer;
  private final Cache<String, Known> callers;
  private final KeyRevocations revocations;

  /// @param kept the lifetime of a cached answer
  CachedAuthorizer(
      RequestStreamHandler authorizer, Duration kept, Ticker time, KeyRevocations revocations) {
    this.authorizer = authorizer;
    this.revocations = revocations;
    this.callers =
        CacheBuilder.newBuilder().expireAfterWrite(kept).ticker(time).maximumSize(10_000).build();
  }

  /// An authenticated caller.
  ///
  /// @param context the event's `requestContext.authorizer`
  /// @param usage the key of the usage plan
  record Caller(JsonNode context, String usage) {}

  /// A cached answer.
  ///
  /// @param revocations the count before the authorizer was asked: a key that was revoked meanwhile
  ///   is asked about again
  private record Known(Caller caller, long revocations) {}

  /// @throws GatewayResponse 401 if the authorizer refuses the caller, 503 if it fails
  Caller caller(Request request) {
    List<String> tokens = request.values("Authorization");
    if (tokens.size() != 1 || tokens.getFirst().isBlank()) {
      throw GatewayResponse.unauthorized();
    }
    String token = tokens.getFirst();
    @Nullable Known known = callers.getIfPresent(token);
    return known == null || known.revocations() != revocations.count()
        ? fresh(token, request)
        : known.caller();
  }

  /// Asks the authorizer again, regardless of a cached answer.
  Caller again(Request request) {
    String token = request.values("Authorization").getFirst();
    callers.invalidate(token);
    return fresh(token, request);
  }

  /// Ends all cached answers, since a key may have been revoked.
  void forget() {
    revocations.add();
  }

  private Caller fresh(String token, Request request) {
    try {
      long before = revocations.count();
      Caller caller = ask(token, request);
      callers.put(token, new Known(caller, before));
      return caller;
    } catch (GatewayResponse refused) {
      throw refused;
    } catch (IOException | RuntimeException failed) {
      log.atError()
          .setCause(failed)
          .addKeyValue("request", request.id())
          .log("The authorizer failed");
      throw GatewayResponse.authorizerFailure();
    }
  }

  private Caller ask(String token, Request request) throws IOException {
    ObjectNode event = JSON.createObjectNode();
    event.put("type", "TOKEN").put("authorizationToken", token).put("methodArn", arn(request));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      authorizer.handleRequest(new ByteArrayInputStream(JSON.writeValueAsBytes(event)), out, null);
    } catch (RuntimeException e) {
      throw "Unauthorized".equals(e.getMessage()) ? GatewayResponse.unauthorized() : e;
    }
    return caller(JSON.readTree(out.toByteArray()));
  }

  private static Caller caller(JsonNode answer) throws IOException {
    JsonNode statement = answer.path("policyDocument").path("Statement").path(0);
    String usage = answer.path("usageIdentifierKey").asText();
    if (!statement.path("Effect").asText().equals("Allow") || usage.isEmpty()) {
      throw new IOException("The authorizer's answer allows nothing or names no usage key");
    }
    ObjectNode context =
        JSON.createObjectNode().put("principalId", answer.path("principalId").asText());
    answer
        .path("context")
        .properties()
        .forEach(entry -> context.set(entry.getKey(), entry.getValue()));
    return new Caller(context, usage);
  }

  private static String arn(Request request) {
    return "arn:aws:execute-api:us-east-1:000000000000:"
        + (ProxyEvent.API + "/" + ProxyEvent.STAGE + "/")
        + (request.method() + request.path());
  }
}
