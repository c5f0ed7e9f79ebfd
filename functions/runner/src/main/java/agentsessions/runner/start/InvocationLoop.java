package agentsessions.runner.start;

import agentsessions.runner.agent.Json;
import agentsessions.runner.control.Deadline;
import agentsessions.runner.sandbox.process.Pause;
import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeException;
import dev.failsafe.RetryPolicy;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The invocations of a process that runs several turns at once: they are taken from the Lambda
/// Runtime API one after the other, and each is run and answered on a thread of its own. How many
/// there are at once is the invoker's to decide.
///
/// The threads are the system's: turns wait for file locks and processes and walk folders, which
/// would hold a virtual thread's carrier and with it the other turns.
final class InvocationLoop {
  private static final Logger LOG = LoggerFactory.getLogger(InvocationLoop.class);
  private static final Duration TO_ANSWER = Duration.ofSeconds(30);
  private static final int OK = 200;
  private static final long PAUSE_MILLIS = 100;

  /// A second answer to an invocation does nothing.
  private static final RetryPolicy<HttpResponse<Void>> AGAIN =
      RetryPolicy.<HttpResponse<Void>>builder()
          .handle(IOException.class)
          .withDelay(Duration.ofMillis(100))
          .withMaxRetries(5)
          .build();

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();
  private final String invocations;
  private final RunnerHandler handler;

  /// @param runtimeApi host, port and path, as in `AWS_LAMBDA_RUNTIME_API`
  InvocationLoop(String runtimeApi, RunnerHandler handler) {
    this.invocations = "http://" + runtimeApi + "/2018-06-01/runtime/invocation/";
    this.handler = handler;
  }

  /// Takes invocations until there is nobody to ask for one.
  void run() throws InterruptedException {
    try {
      while (true) {
        HttpResponse<byte[]> next = next();
        if (next.statusCode() == OK) {
          Thread.ofPlatform().daemon().name("turn").start(() -> answer(next));
        } else {
          LOG.warn("no invocation: status {}", next.statusCode());
          Pause.millis(PAUSE_MILLIS);
        }
      }
    } catch (IOException gone) {
      LOG.info("no more invocations: {}", gone.getMessage());
    }
  }

  /// Without a timeout: a turn that is given at the moment of one would be lost. Who gives them
  /// ends this process with itself.
  private HttpResponse<byte[]> next() throws IOException, InterruptedException {
    HttpRequest next = HttpRequest.newBuilder(URI.create(invocations + "next")).build();
    return http.send(next, BodyHandlers.ofByteArray());
  }

  private void answer(HttpResponse<byte[]> invocation) {
    String id = header(invocation, "Lambda-Runtime-Aws-Request-Id");
    try {
      long end = Long.parseLong(header(invocation, "Lambda-Runtime-Deadline-Ms"));
      Deadline time = Deadline.of(Duration.ofMillis(end - System.currentTimeMillis()));
      post(id, "response", handler.answer(new ByteArrayInputStream(invocation.body()), time));
    } catch (IOException | RuntimeException | Error failed) {
      LOG.warn("invocation failed", failed);
      post(id, "error", error(failed));
    }
  }

  private static byte[] error(Throwable failed) {
    Map<String, String> error =
        Map.of(
            "errorType", failed.getClass().getName(),
            "errorMessage", Objects.requireNonNullElse(failed.getMessage(), ""));
    return Json.MAPPER.valueToTree(error).toString().getBytes(StandardCharsets.UTF_8);
  }

  private static String header(HttpResponse<byte[]> invocation, String name) {
    return invocation.headers().firstValue(name).orElseThrow();
  }

  private void post(String id, String kind, byte[] body) {
    HttpRequest answer =
        HttpRequest.newBuilder(URI.create(invocations + id + "/" + kind))
            .timeout(TO_ANSWER)
            .POST(BodyPublishers.ofByteArray(body))
            .build();
    try {
      HttpResponse<Void> _ =
          Failsafe.with(AGAIN).get(() -> http.send(answer, BodyHandlers.discarding()));
    } catch (FailsafeException gone) {
      LOG.error("invocation not answered", gone);
    }
  }
}
