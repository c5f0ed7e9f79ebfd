package agentsessions.local.process;

import static agentsessions.local.Eventually.eventually;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import agentsessions.local.steps.StepError;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Tests of the Runtime API; the test acts as the runtime.
class RuntimeApiTest {
  private static final int MOST = 4;

  private final BlockingDeque<FunctionCall> waiting = new LinkedBlockingDeque<>();
  private final RuntimeApi api = new RuntimeApi(waiting, MOST);
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
    FunctionCall one = invoke("1");
    FunctionCall two = invoke("2");
    post(first.get(), "response", "echo " + first.get().body());
    post(second.get(), "response", "echo " + second.get().body());
    assertEquals("echo 1", text(one));
    assertEquals("echo 2", text(two));
  }

  @Test
  void anErrorKeepsItsName() throws Exception {
    FunctionCall one = invoke("1");
    post(next().get(), "error", "{\"errorType\":\"a.B\",\"errorMessage\":\"why\"}");
    StepError error = failure(one);
    assertEquals("a.B", error.error());
    assertEquals("why", error.cause());
  }

  @Test
  void whatWasInHandFailsWithItsProcessAndWhatWaitsIsLeft() throws Exception {
    FunctionCall taken = invoke("1");
    next().get();
    CompletableFuture<HttpResponse<String>> idle = next();
    api.close();
    assertEquals("Runtime.ExitError", failure(taken).error());
    assertThrows(ExecutionException.class, idle::get);
    FunctionCall later = invoke("2");
    try (RuntimeApi fresh = new RuntimeApi(waiting, MOST)) {
      assertEquals("2", next(fresh).get().body());
    }
    assertEquals("Runtime.ExitError", failure(later).error());
  }

  @Test
  void whoDoesNotKnowTheAddressGetsNothing() throws Exception {
    String known = api.address();
    String other = known.substring(0, known.length() - 1) + (known.endsWith("0") ? "1" : "0");
    FunctionCall one = invoke("1");
    for (String address : List.of(known.substring(0, known.indexOf('/')), other)) {
      URI uri = URI.create("http://" + address + "/2018-06-01/runtime/invocation/next");
      HttpRequest request = HttpRequest.newBuilder(uri).build();
      assertEquals(403, client.send(request, BodyHandlers.discarding()).statusCode());
    }
    assertEquals("1", next().get().body());
    assertFalse(one.answer().isDone());
  }

  @Test
  void whoIsGoneTakesNoInvocationAlong() throws Exception {
    ask().close();
    try (Socket half = ask()) {
      half.shutdownOutput();
      invoke("1");
      assertEquals("1", next().get(1, TimeUnit.MINUTES).body());
    }
  }

  @Test
  void oneMoreThanAgreedIsRefused() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> asked =
        Stream.generate(this::next).limit(MOST + 1).toList();
    CompletableFuture.anyOf(asked.toArray(CompletableFuture<?>[]::new)).get(1, TimeUnit.MINUTES);
    for (int i = 0; i < MOST; i++) {
      invoke("1");
    }
    List<Integer> statuses = asked.stream().map(each -> each.join().statusCode()).sorted().toList();
    assertEquals(List.of(200, 200, 200, 200, 429), statuses);
  }

  @Test
  void whoIsGoneKeepsNobodyElseFromWaiting() throws Exception {
    for (int i = 0; i < MOST; i++) {
      ask().close();
    }
    invoke("1");
    HttpResponse<String> answer =
        eventually(() -> next().get(), found -> found.statusCode() == 200);
    assertEquals("1", answer.body());
  }

  /// A connection that asks for the next invocation.
  private Socket ask() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), uri(api, "next").getPort());
    String head = "GET " + uri(api, "next").getPath() + " HTTP/1.1\r\nHost: h\r\n\r\n";
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private FunctionCall invoke(String payload) {
    FunctionCall invocation = new FunctionCall(payload.getBytes(StandardCharsets.UTF_8));
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

  private static String text(FunctionCall invocation) throws Exception {
    return new String(invocation.answer().get(), StandardCharsets.UTF_8);
  }

  private static StepError failure(FunctionCall invocation) {
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> invocation.answer().get());
    return assertInstanceOf(StepError.class, failure.getCause());
  }
}
