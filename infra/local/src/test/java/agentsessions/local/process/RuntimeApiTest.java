package agentsessions.local.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import agentsessions.local.process.RuntimeApi.Invocation;
import agentsessions.local.steps.StepError;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The Runtime API, with this test as the runtime.
class RuntimeApiTest {
  private final BlockingQueue<Invocation> waiting = new LinkedBlockingQueue<>();
  private final RuntimeApi api = new RuntimeApi(waiting);
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    api.close();
    client.close();
  }

  @Test
  void severalInvocationsAreInHandAtOnce() throws Exception {
    CompletableFuture<HttpResponse<String>> first = next();
    CompletableFuture<HttpResponse<String>> second = next();
    Invocation one = invoke("1");
    Invocation two = invoke("2");
    post(first.get(), "response", "echo " + first.get().body());
    post(second.get(), "response", "echo " + second.get().body());
    assertEquals("echo 1", text(one));
    assertEquals("echo 2", text(two));
  }

  @Test
  void anErrorKeepsItsName() throws Exception {
    Invocation one = invoke("1");
    post(next().get(), "error", "{\"errorType\":\"a.B\",\"errorMessage\":\"why\"}");
    StepError error = failure(one);
    assertEquals("a.B", error.error());
    assertEquals("why", error.cause());
  }

  @Test
  void whatWasInHandFailsWithItsProcessAndWhatWaitsIsLeft() throws Exception {
    Invocation taken = invoke("1");
    next().get();
    CompletableFuture<HttpResponse<String>> idle = next();
    api.close();
    assertEquals("Runtime.ExitError", failure(taken).error());
    assertThrows(ExecutionException.class, idle::get);
    Invocation later = invoke("2");
    try (RuntimeApi fresh = new RuntimeApi(waiting)) {
      assertEquals("2", next(fresh).get().body());
    }
    assertEquals("Runtime.ExitError", failure(later).error());
  }

  private Invocation invoke(String payload) {
    Invocation invocation = new Invocation(payload.getBytes(StandardCharsets.UTF_8));
    waiting.add(invocation);
    return invocation;
  }

  private CompletableFuture<HttpResponse<String>> next() {
    return next(api);
  }

  private CompletableFuture<HttpResponse<String>> next(RuntimeApi server) {
    return client.sendAsync(
        HttpRequest.newBuilder(uri(server, "next")).build(), BodyHandlers.ofString());
  }

  private void post(HttpResponse<String> invocation, String what, String body) throws Exception {
    String id = invocation.headers().firstValue("Lambda-Runtime-Aws-Request-Id").orElseThrow();
    HttpRequest request =
        HttpRequest.newBuilder(uri(api, id + "/" + what))
            .POST(BodyPublishers.ofString(body))
            .build();
    assertEquals(202, client.send(request, BodyHandlers.discarding()).statusCode());
  }

  private static URI uri(RuntimeApi server, String path) {
    return URI.create("http://" + server.address() + "/2018-06-01/runtime/invocation/" + path);
  }

  private static String text(Invocation invocation) throws Exception {
    return new String(invocation.answer().get(), StandardCharsets.UTF_8);
  }

  private static StepError failure(Invocation invocation) {
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> invocation.answer().get());
    return assertInstanceOf(StepError.class, failure.getCause());
  }
}
