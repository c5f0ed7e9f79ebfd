package agentsessions.chaos.kills;

import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.WebhookReceiver;
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

/// `kill -9` between a change of state and its webhook delivery: every event still arrives.
@Tag("chaos")
class KilledDeliveryTest {
  @TempDir Path temp;

  /// The lease of the killed sender is set to the past, so that the test need not wait for it.
  @Test
  void whatHadHappenedIsToldOnceTheLeaseOfTheKilledIsOver() throws Exception {
    told(3, true);
  }

  @Test
  @Tag("deep")
  void whatHadHappenedIsToldAfterTheRestart() throws Exception {
    told(5, false);
  }

  private void told(int count, boolean aged) throws Exception {
    CountDownLatch killed = new CountDownLatch(1);
    try (WebhookReceiver receiver = new WebhookReceiver(Duration.ofMinutes(3));
        ServiceProcess service = new ServiceProcess(temp, Map.of(), List.of("--allow-private"))) {
      service.await();
      String workspace = Rig.workspace();
      Client client = service.client(workspace, 3).patient();
      JsonNode hook = client.post("/webhooks", Map.of("url", receiver.url())).expect(201).json();
      receiver.answers(exchange -> {
        await(killed);
        exchange.sendResponseHeaders(204, -1);
      });
      List<SessionHandle> sessions =
          Stream.generate(() -> client.create("echo ok")).limit(count).toList();
      receiver.await(1, "session.created");
      service.kill();
      killed.countDown();
      service.restart();
      if (aged) {
        service.age("W#" + workspace + "#WEBHOOKS", hook.path("id").asText());
      }
      sessions.forEach(session -> session.first().ended());
      Set<String> told = new TreeSet<>();
      for (SessionHandle session : sessions) {
        told.add("session.created " + session.id());
        told.add("thread." + session.first().status() + " " + session.id());
      }
      receiver.until("all that happened", came -> names(came).containsAll(told));
      assertTrue(
          receiver.came().stream().allMatch(one -> one.isSignedBy(hook.path("secret").asText())));
    }
  }

  private static Set<String> names(List<WebhookReceiver.Came> came) {
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
