package agentsessions.lambda;

import agentsessions.api.request.AcceptHeader;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The JSON codec of gateway events: it reads the parts of a request that the service uses, and
/// writes the response. It is written by hand, because the runtime's own reader costs a quarter of
/// a second of every cold start, and the service's JSON is in snake_case, which events are not.
final class GatewayEventCodec {
  private static final List<String> ROOTS = List.of("/rest/v1/", "/runner/v1/", "/console");
  private static final int MOST_CHARACTERS = 20_000_000;

  private final JsonFactory json =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(MOST_CHARACTERS).build())
          .build();

  APIGatewayProxyRequestEvent read(InputStream input) throws IOException {
    APIGatewayProxyRequestEvent event = new APIGatewayProxyRequestEvent();
    event.setRequestContext(new APIGatewayProxyRequestEvent.ProxyRequestContext());
    try (JsonParser parser = json.createParser(input)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        parser.nextToken();
        read(event, name, parser);
      }
    }
    event.setPath(withoutMapping(event));
    return event;
  }

  /// A custom domain may map a path of its own to the API (`/agents/rest/v1/…`). The gateway leaves
  /// it in the path, not in the resource, and our routes do not know it.
  private static @Nullable String withoutMapping(APIGatewayProxyRequestEvent event) {
    String path = event.getPath();
    String resource = event.getResource();
    for (String root : ROOTS) {
      if (path != null && resource != null && resource.startsWith(root)) {
        return path.substring(Math.max(0, path.indexOf(root)));
      }
    }
    return path;
  }

  void write(APIGatewayProxyResponseEvent answer, OutputStream output) throws IOException {
    try (JsonGenerator generator = json.createGenerator(output)) {
      generator.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      generator.writeStartObject();
      generator.writeNumberField("statusCode", answer.getStatusCode());
      generator.writeBooleanField(
          "isBase64Encoded", Boolean.TRUE.equals(answer.getIsBase64Encoded()));
      generator.writeObjectFieldStart("multiValueHeaders");
      for (Map.Entry<String, List<String>> header : answer.getMultiValueHeaders().entrySet()) {
        generator.writeArrayFieldStart(header.getKey());
        for (String value : header.getValue()) {
          generator.writeString(value);
        }
        generator.writeEndArray();
      }
      generator.writeEndObject();
      generator.writeStringField("body", answer.getBody() == null ? "" : answer.getBody());
      generator.writeEndObject();
    }
  }

  private static void read(APIGatewayProxyRequestEvent event, String name, JsonParser parser)
      throws IOException {
    switch (name) {
      case "path" -> event.setPath(parser.getValueAsString());
      case "resource" -> event.setResource(parser.getValueAsString());
      case "httpMethod" -> event.setHttpMethod(parser.getValueAsString());
      case "body" -> event.setBody(parser.getValueAsString());
      case "isBase64Encoded" -> event.setIsBase64Encoded(parser.getValueAsBoolean());
      case "headers" -> event.setHeaders(trusted(texts(parser)));
      case "multiValueHeaders" -> event.setMultiValueHeaders(trusted(lists(parser)));
      case "queryStringParameters" -> event.setQueryStringParameters(texts(parser));
      case "multiValueQueryStringParameters" ->
          event.setMultiValueQueryStringParameters(lists(parser));
      case "requestContext" -> context(event.getRequestContext(), parser);
      default -> parser.skipChildren();
    }
  }

  /// The headers without `Forwarded` and `X-Forwarded-…`: links never follow them, and the
  /// framework's reader of `Forwarded` fails on an unclosed quotation. `Accept` is renamed, so that
  /// the framework does not see it: a client that asks for a form that a route does not have is
  /// better served than refused.
  private static <T> @Nullable Map<String, T> trusted(@Nullable Map<String, T> headers) {
    if (headers == null) {
      return null;
    }
    Map<String, T> trusted = new LinkedHashMap<>();
    headers.forEach((name, value) -> {
      if (name.equalsIgnoreCase("accept")) {
        trusted.put(AcceptHeader.HEADER, value);
      } else if (!isIgnored(name)) {
        trusted.put(name, value);
      }
    });
    return trusted;
  }

  private static boolean isIgnored(String header) {
    String name = header.toLowerCase(Locale.ROOT);
    return name.equals("forwarded") || name.startsWith("x-forwarded-");
  }

  private static void context(
      APIGatewayProxyRequestEvent.ProxyRequestContext context, JsonParser parser)
      throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      switch (name) {
        case "requestId" -> context.setRequestId(parser.getValueAsString());
        case "domainName" -> context.setDomainName(parser.getValueAsString());
        case "stage" -> context.setStage(parser.getValueAsString());
        case "apiId" -> context.setApiId(parser.getValueAsString());
        case "authorizer" -> {
          Map<String, String> authorizer = texts(parser);
          context.setAuthorizer(authorizer == null ? null : new LinkedHashMap<>(authorizer));
        }
        default -> parser.skipChildren();
      }
    }
  }

  /// An object of texts (other values as their text); null where it is null.
  private static @Nullable Map<String, String> texts(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      return null;
    }
    Map<String, String> texts = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      String value = parser.getValueAsString();
      if (value != null) {
        texts.put(name, value);
      }
      parser.skipChildren();
    }
    return texts;
  }

  private static @Nullable Map<String, List<String>> lists(JsonParser parser) throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      return null;
    }
    Map<String, List<String>> lists = new LinkedHashMap<>();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      List<String> values = new ArrayList<>();
      parser.nextToken();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        values.add(parser.getValueAsString());
      }
      lists.put(name, values);
    }
    return lists;
  }
}
