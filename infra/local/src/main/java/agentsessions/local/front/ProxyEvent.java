package agentsessions.local.front;

import agentsessions.local.front.HttpMessage.Request;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.base.Splitter;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The proxy event of a REST API, payload version 1, in which API Gateway passes a request to a
/// function.
final class ProxyEvent {
  static final String STAGE = "local";
  static final String API = "local";
  private static final String DOMAIN = "local.execute-api.us-east-1.amazonaws.com";
  private static final ObjectMapper JSON = new ObjectMapper();

  /// The characters that must be encoded in a path. Percent signs are not among them, since paths
  /// arrive encoded.
  private static final Pattern UNENCODED = Pattern.compile("[^A-Za-z0-9\\-._~!$&'()*+,;=:@/%]+");

  private ProxyEvent() {}

  /// @param authorizer the authorizer's context of the caller; null on a public path
  static byte[] of(Request request, byte[] body, @Nullable JsonNode authorizer) {
    ObjectNode event = JSON.createObjectNode();
    String path = encoded(request.path());
    boolean root = path.equals("/");
    event.put("resource", root ? "/" : "/{proxy+}");
    event.put("path", path);
    event.put("httpMethod", request.method());
    multi(event, "headers", "multiValueHeaders", headers(request));
    multi(
        event, "queryStringParameters", "multiValueQueryStringParameters", query(request.query()));
    event.set(
        "pathParameters", root ? null : JSON.createObjectNode().put("proxy", path.substring(1)));
    event.set("stageVariables", null);
    event.set("requestContext", context(request, authorizer));
    body(event, body);
    return bytes(event);
  }

  /// Encodes the characters that a URI cannot have, which some clients send.
  private static String encoded(String path) {
    return UNENCODED
        .matcher(path)
        .replaceAll(match -> URLEncoder.encode(match.group(), StandardCharsets.UTF_8));
  }

  /// The query's names and values, decoded once.
  ///
  /// @throws GatewayResponse 400 if they cannot be decoded
  static Map<String, List<String>> query(String query) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (String pair : Splitter.on('&').omitEmptyStrings().split(query)) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      values.computeIfAbsent(decoded(name), key -> new ArrayList<>()).add(decoded(value));
    }
    return values;
  }

  /// The request's headers, with the gateway's own domain as `Host`, as on AWS.
  private static Map<String, List<String>> headers(Request request) {
    Map<String, List<String>> lines = request.headerLines();
    lines.keySet().removeIf(name -> name.equalsIgnoreCase("Host"));
    lines.put("Host", List.of(DOMAIN));
    return lines;
  }

  private static ObjectNode context(Request request, @Nullable JsonNode authorizer) {
    ObjectNode context = JSON.createObjectNode();
    context.put("accountId", "000000000000");
    context.put("apiId", API);
    context.put("stage", STAGE);
    context.put("domainName", DOMAIN);
    context.put("requestId", request.id());
    context.put("requestTimeEpoch", Instant.now().toEpochMilli());
    context.put("httpMethod", request.method());
    context.put("resourcePath", "/{proxy+}");
    context.put("path", "/" + STAGE + request.path());
    context.put("protocol", request.protocol());
    context.putObject("identity").put("sourceIp", request.sourceIp());
    if (authorizer != null) {
      context.set("authorizer", authorizer);
    }
    return context;
  }

  /// Writes a map of last values and a map of all values; null if there are none.
  private static void multi(
      ObjectNode event, String single, String all, Map<String, List<String>> values) {
    if (values.isEmpty()) {
      event.set(single, null);
      event.set(all, null);
      return;
    }
    ObjectNode last = event.putObject(single);
    values.forEach((name, list) -> last.put(name, list.getLast()));
    ObjectNode lists = event.putObject(all);
    values.forEach((name, list) -> list.forEach(lists.putArray(name)::add));
  }

  private static void body(ObjectNode event, byte[] body) {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
      event.put("body", body.length == 0 ? null : text);
      event.put("isBase64Encoded", false);
    } catch (CharacterCodingException e) {
      event.put("body", Base64.getEncoder().encodeToString(body));
      event.put("isBase64Encoded", true);
    }
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw GatewayResponse.badRequest("Malformed percent-encoding in the query");
    }
  }

  private static byte[] bytes(ObjectNode event) {
    try {
      return JSON.writeValueAsBytes(event);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
