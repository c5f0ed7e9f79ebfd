package agentsessions.runner.network.connection;

import agentsessions.runner.agent.Json;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/// The error responses of the proxies to models and hosts: one line of JSON that clients of all
/// model APIs can read.
public final class JsonErrorResponses implements Request.Handler {
  @Override
  public boolean handle(Request request, Response response, Callback callback)
      throws JsonProcessingException {
    int status = status(request, response);
    String text = (String) request.getAttribute(ErrorHandler.ERROR_MESSAGE);
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
    response.write(
        true, body(status, text == null ? HttpStatus.getMessage(status) : text), callback);
    return true;
  }

  private static int status(Request request, Response response) {
    return request.getAttribute(ErrorHandler.ERROR_EXCEPTION) instanceof HttpException failure
        ? failure.getCode()
        : response.getStatus();
  }

  private static ByteBuffer body(int status, String message) throws JsonProcessingException {
    Map<String, Object> error =
        Map.of("type", "proxy_error", "message", message, "code", status, "status", "PROXY");
    String line = Json.MAPPER.writeValueAsString(Map.of("type", "error", "error", error));
    return ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
  }
}
