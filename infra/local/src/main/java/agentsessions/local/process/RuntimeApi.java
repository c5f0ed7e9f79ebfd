package agentsessions.local.process;

import agentsessions.local.wire.HttpListener;
import agentsessions.local.wire.SecretPath;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The Lambda Runtime API for one process, which polls for its next invocation and posts the
/// answers.
///
/// An invocation carries the rights of its turn, and any local user could connect. So the address
/// has a secret path, and requests without it are refused unread. Each process has a server of its
/// own, which is closed when the process has ended; its pending invocations then fail.
final class RuntimeApi implements AutoCloseable {
  private static final String ROOT = "/2018-06-01/runtime/";
  private static final String ARN = "arn:aws:lambda:us-east-1:000000000000:function:Runner";

  /// As for a task. The deadline of a turn is earlier, and only that one moves on while its agent
  /// waits for people's decisions.
  private static final Duration LONGEST = Duration.ofHours(8);

  private static final int LARGEST_EXCUSE = 64 << 10;

  /// The interval at which a waiting client's connection is checked.
  private static final long POLL_MILLIS = 500;

  private static final Logger log = LoggerFactory.getLogger(RuntimeApi.class);

  private final BlockingDeque<FunctionCall> waiting;
  private final PendingInvocations pending = new PendingInvocations();
  private final SecretPath secret = SecretPath.random();
  private final Semaphore permits;
  private final HttpListener listener;
  private volatile boolean closed;

  /// @param waiting invocations that are not taken yet
  /// @param most the limit of requests that wait for an invocation at once
  RuntimeApi(BlockingDeque<FunctionCall> waiting, int most) {
    this.waiting = waiting;
    this.permits = new Semaphore(most);
    try {
      listener = new HttpListener(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    listener.serve(new Window(), (_, response, callback) -> empty(response, callback, 400));
  }

  /// The value of `AWS_LAMBDA_RUNTIME_API`: host, port and secret path. A runtime puts it between
  /// `http://` and the request path.
  String address() {
    return "127.0.0.1:" + listener.port() + secret.text();
  }

  /// Fails the pending invocations, after the end of the process. Those that still wait are not
  /// touched.
  @Override
  public void close() {
    closed = true;
    listener.close();
    pending.lose();
  }

  private final class Window extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback)
        throws IOException {
      Optional<String> path = secret.below(String.valueOf(request.getHttpURI().getPath()));
      if (path.isEmpty()) {
        return empty(response, callback, HttpStatus.FORBIDDEN_403);
      }
      listener.know(request);
      listener.answering(request);
      return serve(request, response, callback, path.get());
    }
  }

  private boolean serve(Request request, Response response, Callback callback, String path)
      throws IOException {
    if (!path.startsWith(ROOT)) {
      return empty(response, callback, HttpStatus.NOT_FOUND_404);
    }
    String[] names = path.substring(ROOT.length()).split("/");
    return switch (request.getMethod() + " " + names[names.length - 1]) {
      case "GET next" -> seated(request, response, callback);
      case "POST response", "POST error" -> accept(request, response, callback, names);
      default -> empty(response, callback, HttpStatus.NOT_FOUND_404);
    };
  }

  private boolean seated(Request request, Response response, Callback callback) {
    if (!permits.tryAcquire()) {
      return empty(response, callback, HttpStatus.TOO_MANY_REQUESTS_429);
    }
    try {
      return next(request, response, callback);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return hangUp(request, callback);
    } finally {
      permits.release();
    }
  }

  private boolean next(Request request, Response response, Callback callback)
      throws InterruptedException {
    request.addIdleTimeoutListener(_ -> false); // the next invocation may be long in coming
    while (isThere(request)) {
      @Nullable FunctionCall invocation = waiting.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
      if (invocation != null) {
        return deliver(invocation, request, response, callback);
      }
    }
    return hangUp(request, callback);
  }

  /// Hands an invocation over, if the client is still connected; otherwise it has not begun and is
  /// put back.
  private boolean deliver(
      FunctionCall invocation, Request request, Response response, Callback callback) {
    if (!isThere(request)) {
      waiting.addFirst(invocation);
      return hangUp(request, callback);
    }
    pending.add(invocation);
    try {
      send(invocation, response);
    } catch (IOException e) {
      takeBack(invocation);
      return hangUp(request, callback);
    }
    callback.succeeded();
    return true;
  }

  /// Puts an invocation back whose delivery failed. If the process has ended meanwhile, it fails
  /// instead, since it may have begun.
  private void takeBack(FunctionCall invocation) {
    pending.remove(invocation);
    if (closed) {
      PendingInvocations.lose(invocation);
    } else {
      waiting.addFirst(invocation);
    }
  }

  private boolean isThere(Request request) {
    return !closed && HttpListener.isThere(request);
  }

  private static boolean hangUp(Request request, Callback callback) {
    HttpListener.endPoint(request).close();
    callback.failed(new EofException("whoever asked is gone"));
    return true;
  }

  private static void send(FunctionCall invocation, Response response) throws IOException {
    response.setStatus(HttpStatus.OK_200);
    String deadline = Long.toString(Instant.now().plus(LONGEST).toEpochMilli());
    response
        .getHeaders()
        .put("Content-Type", "application/json")
        .put("Content-Length", invocation.payload().length)
        .put("Lambda-Runtime-Aws-Request-Id", invocation.id())
        .put("Lambda-Runtime-Invoked-Function-Arn", ARN)
        .put("Lambda-Runtime-Deadline-Ms", deadline);
    Content.Sink.write(response, true, ByteBuffer.wrap(invocation.payload()));
  }

  private boolean accept(Request request, Response response, Callback callback, String[] path)
      throws IOException {
    InputStream body = Content.Source.asInputStream(request);
    Optional<FunctionCall> invocation = path.length == 3 ? pending.find(path[1]) : Optional.empty();
    if (invocation.isPresent()) {
      pending.end(invocation.get(), path[2], body);
    } else if (path[0].equals("init")) {
      String why = new String(body.readNBytes(LARGEST_EXCUSE), StandardCharsets.UTF_8);
      log.error("The runner cannot start: {}", why);
    } else {
      return empty(response, callback, HttpStatus.NOT_FOUND_404);
    }
    return empty(response, callback, HttpStatus.ACCEPTED_202);
  }

  private static boolean empty(Response response, Callback callback, int status) {
    response.setStatus(status);
    callback.succeeded();
    return true;
  }
}
