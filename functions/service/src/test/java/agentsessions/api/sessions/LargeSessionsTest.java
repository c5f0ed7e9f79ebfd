package agentsessions.api.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.api.request.Call;
import agentsessions.api.request.CommonJson;
import agentsessions.authorizer.Scope;
import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.NoMachine;
import agentsessions.rule.Encoded;
import agentsessions.session.NewSession;
import agentsessions.session.SessionInputs;
import agentsessions.session.id.Workspace;
import agentsessions.session.usage.Ceilings;
import agentsessions.testing.SettableClock;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Pages of the largest sessions: an answer that Lambda takes, however much clients wrote into
/// them.
class LargeSessionsTest {
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final int MOST_ANSWER = 6_291_556;
  private static final int SESSIONS = 100;
  private static final long ROW = 4096;

  private final InMemoryAws aws =
      InMemoryAws.of(
          new InMemoryTable(InMemoryAws.TABLE),
          new InMemoryBucket(),
          new NoMachine(),
          new SettableClock());
  private final SessionReadController reads =
      new SessionReadController(aws.sessions(), aws.list(), aws.turns());

  @Test
  void everyPageOfSessionsFitsAnAnswerAndNoneIsLeftOut() {
    for (int i = 0; i < SESSIONS; i++) {
      create();
    }
    List<String> ids = new ArrayList<>();
    String query = "limit=100";
    while (query != null) {
      SessionPage page = page(query);
      assertTrue(onItsWay(page) < MOST_ANSWER);
      page.items().forEach(session -> ids.add(session.id()));
      CommonJson.Href next = page.links().next();
      query = next == null ? null : URI.create(next.href()).getRawQuery();
    }
    assertEquals(SESSIONS, ids.size());
    assertEquals(SESSIONS, new HashSet<>(ids).size());
  }

  /// With room for what is in a row beside what its client chose.
  private static long onItsWay(SessionPage page) {
    return page.items().stream()
        .flatMap(session -> session.metadata().entrySet().stream())
        .mapToLong(pair -> Encoded.bytes(pair.getKey()) + Encoded.bytes(pair.getValue()))
        .reduce(page.items().size() * ROW, Long::sum);
  }

  private void create() {
    Map<String, String> metadata = new HashMap<>();
    for (int pair = 0; pair < 16; pair++) {
      metadata.put("\u0001".repeat(62) + "%02d".formatted(pair), "\u0001".repeat(512));
    }
    aws.intake()
        .create(
            WORKSPACE,
            new NewSession(
                "shell",
                "hi",
                null,
                metadata,
                SessionInputs.NONE,
                null,
                Ceilings.OfSession.NONE,
                null,
                "key"),
            "http://service",
            null);
  }

  private SessionPage page(String query) {
    Map<String, List<String>> values = new HashMap<>();
    for (String pair : query.split("&", -1)) {
      String[] parts = pair.split("=", 2);
      values.put(parts[0], List.of(URLDecoder.decode(parts[1], StandardCharsets.UTF_8)));
    }
    return reads.list(
        new Call(
            WORKSPACE,
            "key",
            Scope.all(),
            "http://service",
            "http://service",
            values,
            Map.of(),
            new byte[0],
            Instant.EPOCH));
  }
}
