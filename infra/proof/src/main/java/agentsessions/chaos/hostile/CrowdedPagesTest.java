package agentsessions.chaos.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Many concurrent readers of the largest pages: they wait for each other and hold up no other
/// client; none is refused, and neither the service nor its database runs out of memory.
@Tag("chaos")
class CrowdedPagesTest {
  private static final int MESSAGES = 40;
  private static final int READERS = 30;
  private static final String LARGE = ": " + "x".repeat((256 << 10) - 2);

  @Test
  void thirtyLargePagesAtOnceAreAnsweredAndTheDatabaseLives(@TempDir Path temp) throws Exception {
    try (ServiceProcess service = new ServiceProcess(temp, Map.of());
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      service.await();
      SessionHandle session = large(service.client(Rig.workspace(), 2));
      SessionHandle other = service.client(Rig.workspace(), 5).create("echo ok");
      long database = service.child("agentsessions.lock").orElseThrow().pid();
      AtomicBoolean read = new AtomicBoolean();
      Future<List<Integer>> others = threads.submit(() -> statuses(other, read));
      assertEquals(Set.of(200), Set.copyOf(crowd(session, threads)));
      read.set(true);
      assertEquals(List.of(), others.get());
      assertEquals(database, service.child("agentsessions.lock").orElseThrow().pid());
      assertEquals("ok", other.first().text());
    }
  }

  private static SessionHandle large(Client client) {
    SessionHandle session = client.create(LARGE);
    for (int i = 1; i < MESSAGES; i++) {
      session.send(LARGE);
    }
    return session;
  }

  /// Half of the readers ask for one kind of page, half for the other.
  private static List<Integer> crowd(SessionHandle session, ExecutorService threads)
      throws Exception {
    List<Future<Integer>> answers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      String query = "limit=100" + (i % 2 == 0 ? "" : "&role=user");
      answers.add(threads.submit(() -> status(session, query)));
    }
    List<Integer> statuses = new ArrayList<>();
    for (Future<Integer> answer : answers) {
      statuses.add(answer.get());
    }
    return statuses;
  }

  /// The statuses with which another client is refused until all pages are read.
  private static List<Integer> statuses(SessionHandle session, AtomicBoolean read) {
    List<Integer> refused = new ArrayList<>();
    while (!read.get()) {
      int status = status(session, "limit=2");
      if (status != 200 && status != 429) {
        refused.add(status);
      }
    }
    return refused;
  }

  private static int status(SessionHandle session, String query) {
    HttpResponse<byte[]> answer =
        session
            .client()
            .bytes(session.path() + "/messages?" + query, "Accept-Encoding", "identity");
    return answer.statusCode();
  }
}
