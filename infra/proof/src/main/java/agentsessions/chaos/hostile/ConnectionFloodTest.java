package agentsessions.chaos.hostile;

import static agentsessions.talk.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.talk.Client;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Attackers without a key do not stop the service: it goes on answering clients that have one.
@Tag("chaos")
class ConnectionFloodTest {
  @TempDir Path temp;

  @Test
  void whoHasAKeyIsServedWhateverOthersHaveSent() throws Exception {
    served(1);
  }

  /// In the second round as many connections again join those that are held.
  @Test
  @Tag("deep")
  void whoHasAKeyIsServedWhateverOthersSend() throws Exception {
    served(2);
  }

  private void served(int rounds) throws Exception {
    try (ServiceProcess service = new ServiceProcess(temp, Map.of())) {
      service.await();
      long pid = service.pid();
      Client client = service.client();
      try (ConnectionFlood outsider = new ConnectionFlood(service)) {
        for (int i = 0; i < rounds; i++) {
          outsider.round();
          client.get("/me").expect(200);
          String session =
              client
                  .post("/sessions", Map.of("agent_name", "shell", "message", "echo hi"))
                  .expect(201)
                  .text("/id");
          assertEquals("hi", reply(client, session));
        }
      }
      assertTrue(ProcessHandle.of(pid).orElseThrow().isAlive());
    }
  }

  private static String reply(Client client, String session) {
    String replies = "/sessions/" + session + "/messages?type=final_message";
    // A key has 100 requests a minute.
    return await("a reply", Duration.ofSeconds(60), Duration.ofMillis(300))
        .until(
            () -> client.get(replies).expect(200).text("/items/0/message").strip(),
            reply -> !reply.isEmpty());
  }
}
