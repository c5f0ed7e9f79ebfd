package agentsessions.local.front;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.local.front.HttpMessage.Header;
import agentsessions.local.front.HttpMessage.Request;
import agentsessions.local.front.HttpMessage.Sender;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Tests of a burst of requests that begin turns.
@Timeout(120)
class TurnRequestLimitTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int BURST = 40;

  private final Semaphore begun = new Semaphore(0);
  private final Semaphore mayEnd = new Semaphore(0);
  private final Gateway gateway =
      new Gateway((in, out, _) -> slowPost(in, out), (in, out, _) -> authorize(in, out));

  @Test
  void aBurstIsWorkedOnInPartsWhileOthersAreServed() throws Exception {
    try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> burst = new ArrayList<>();
      for (int i = 0; i < BURST; i++) {
        burst.add(clients.submit(() -> status("POST", "crowd")));
      }
      begun.acquire(TurnRequestLimit.MOST);
      assertEquals(200, status("GET", "crowd"));
      Future<Integer> beside = clients.submit(() -> status("POST", "bystander"));
      begun.acquire();
      assertEquals(0, begun.availablePermits());
      mayEnd.release(BURST + 1);
      for (Future<Integer> one : burst) {
        assertEquals(200, one.get());
      }
      assertEquals(200, beside.get());
    }
  }

  @Test
  void whoHasNoRequestsIsNotRemembered() {
    TurnRequestLimit requests = new TurnRequestLimit();
    Runnable first = requests.enter("w");
    Runnable second = requests.enter("w");
    first.run();
    assertEquals(1, requests.workspaces());
    second.run();
    assertEquals(0, requests.workspaces());
  }

  private int status(String method, String workspace) {
    return gateway
        .answer(
            new Request(
                "r-1",
                method,
                "/rest/v1/sessions",
                "",
                List.of(new Header("authorization", "ApiKey " + workspace)),
                "127.0.0.1",
                "HTTP/1.1",
                InputStream.nullInputStream(),
                new Sender(() -> {}, () -> {}, () -> {})))
        .status();
  }

  private void slowPost(InputStream in, OutputStream out) throws IOException {
    if (JSON.readTree(in).path("httpMethod").asText().equals("POST")) {
      begun.release();
      mayEnd.acquireUninterruptibly();
    }
    write(out, "{\"statusCode\":200,\"body\":\"\"}");
  }

  private static void authorize(InputStream in, OutputStream out) throws IOException {
    String key = JSON.readTree(in).path("authorizationToken").asText().substring(7);
    write(
        out,
        """
        {"principalId": "id", "policyDocument": {"Statement": [{"Effect": "Allow"}]},
         "context": {"workspace": "%s"}, "usageIdentifierKey": "%s"}\
        """
            .formatted(key, key));
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }
}
