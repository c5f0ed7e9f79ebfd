package agentsessions.local.aws;

import agentsessions.local.wire.HttpListener;
import agentsessions.local.wire.SecretPath;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// An HTTP server for AWS's JSON protocols, on a port of loopback.
///
/// A secret path in its address authenticates the caller; signatures are not checked. Of a request
/// without it, only the head is read.
final class JsonProtocol implements AutoCloseable {
  /// Four times the largest call on AWS, which is an execution's input of 256 KiB.
  private static final int LARGEST_BODY = 1 << 20;

  private static final Logger log = LoggerFactory.getLogger(JsonProtocol.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  private static final ObjectNode STRANGER =
      refusal(
          "UnrecognizedClientException", "The security token included in the request is invalid.");
  private static final ObjectNode NOT_UNDERSTOOD =
      refusal("SerializationException", "This is no request.");

  private final SecretPath path = SecretPath.random();
  private final HttpListener listener;

  /// Opens a port; requests wait until [#serve].
  JsonProtocol() {
    try {
      listener = new HttpListener(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A request to an AWS service.
  ///
  /// @param target the operation's name; null in protocols that name it by method and path
  /// @param rest method and path
  /// @param name the query parameter `name`; empty if absent
  record Call(@Nullable String target, String rest, String name, JsonNode input) {}

  /// A response of an AWS service.
  record Answer(int status, ObjectNode body) {
    static Answer ok(ObjectNode body) {
      return new Answer(200, body);
    }
  }

  @FunctionalInterface
  interface Calls {
    /// Answers as AWS would.
    ///
    /// @throws AwsRefusal where AWS would return an error
    Answer answer(Call call);
  }

  /// Starts to answer.
  void serve(Calls calls) {
    listener.serve(
        new Counter(calls),
        (_, response, callback) -> answer(response, callback, new Answer(400, NOT_UNDERSTOOD)));
  }

  /// The server's address. It contains the secret path, so it must not be logged.
  URI endpoint() {
    return URI.create("http://127.0.0.1:" + listener.port() + path.text());
  }

  @Override
  public void close() {
    listener.close();
  }

  private final class Counter extends Handler.Abstract {
    private final Calls calls;

    Counter(Calls calls) {
      this.calls = calls;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback)
        throws IOException {
      if (path.below(String.valueOf(request.getHttpURI().getPath())).isEmpty()) {
        return answer(response, callback, new Answer(403, STRANGER));
      }
      listener.know(request);
      return answer(response, callback, attempted(request));
    }

    private Answer attempted(Request request) throws IOException {
      try {
        return calls.answer(call(request));
      } catch (AwsRefusal e) {
        return new Answer(400, refusal(e.type(), String.valueOf(e.getMessage())));
      } catch (RuntimeException e) {
        log.error("A defect of the local AWS endpoint", e);
        return new Answer(500, refusal("InternalFailure", e.toString()));
      }
    }
  }

  private Call call(Request request) throws IOException {
    JsonNode input = JSON.readTree(body(request));
    String address = String.valueOf(request.getHttpURI().getPath());
    return new Call(
        request.getHeaders().get("X-Amz-Target"),
        request.getMethod() + " " + path.below(address).orElseThrow(),
        name(request),
        input);
  }

  private static String name(Request request) {
    @Nullable String name = Request.extractQueryParameters(request).getValue("name");
    return name == null ? "" : name;
  }

  private byte[] body(Request request) throws IOException {
    byte[] body = Content.Source.asInputStream(request).readNBytes(LARGEST_BODY + 1);
    if (body.length > LARGEST_BODY) {
      throw new AwsRefusal("ValidationException", "the request is larger than 1 MiB");
    }
    listener.answering(request);
    return body;
  }

  private static ObjectNode refusal(String type, String message) {
    return JSON.createObjectNode().put("__type", type).put("message", message);
  }

  private static boolean answer(Response response, Callback callback, Answer answer) {
    response.setStatus(answer.status());
    response.getHeaders().put("Content-Type", "application/x-amz-json-1.0");
    Content.Sink.write(response, true, answer.body().toString(), callback);
    return true;
  }
}
