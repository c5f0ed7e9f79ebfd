package agentsessions.runner.network.git;

import static java.util.Objects.requireNonNullElse;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/// The error responses of the git proxy: a line of plain text, which git shows.
final class GitErrorResponses implements Request.Handler {
  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    int status =
        request.getAttribute(ErrorHandler.ERROR_EXCEPTION) instanceof HttpException failure
            ? failure.getCode()
            : response.getStatus();
    Object text = request.getAttribute(ErrorHandler.ERROR_MESSAGE);
    say(
        response,
        callback,
        status,
        (String) requireNonNullElse(text, HttpStatus.getMessage(status)));
    return true;
  }

  static void say(Response response, Callback callback, int status, String text) {
    response.setStatus(status);
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
    response.write(true, ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8)), callback);
  }
}
