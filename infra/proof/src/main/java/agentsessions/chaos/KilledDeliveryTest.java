package agentsessions.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.talk.Client;
import agentsessions.talk.Receiver;
import agentsessions.talk.Session;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `kill -9` between the change of a state and what a webhook hears of it: every event comes.
@Tag("chaos")
class KilledDeliveryTest {
  private static final int SESSIONS = 5;

  @TempDir Path temp;

  @Test
  void whatHadHappenedIsToldAfterTheRestart() throws Exception {
    CountDownLatch killed = new CountDownLatch(1);
    try (Receiver receiver = new Receiver(Duration.ofMinutes(3));
        ServiceProcess service = new ServiceProcess(temp, Map.of(), List.of("--allow-private"))) {
      service.await();
      Client client = service.client(Rig.workspace(), 3).patient();
      JsonNode hook = client.post("/webhooks", Map.of("url", receiver.url())).expect(201).json();
      receiver.answers(exchange -> {
        await(killed);
        exchange.sendResponseHeaders(204, -1);
      });
      List<Session> sessions =
          Stream.generate(() -> client.create("echo ok")).limit(SESSIONS).toList();
      receiver.await(1, "session.created");
      service.kill();
      killed.countDown();
      service.restart();
      sessions.forEach(session -> session.first().ended());
      Set<String> told = new TreeSet<>();
      for (Session session : sessions) {
        told.add("session.created " + session.id());
        told.add("thread." + session.first().status() + " " + session.id());
      }
      receiver.until("all that happened", came -> names(came).containsAll(told));
      assertTrue(
          receiver.came().stream().allMatch(one -> one.isSignedBy(hook.path("secret").asText())));
      assertEquals(SESSIONS, sessions.size());
    }
  }

  private static Set<String> names(List<Receiver.Came> came) {
    return came.stream()
        .map(one -> one.type() + " " + one.json().at("/data/session_id").asText())
        .collect(Collectors.toSet());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
