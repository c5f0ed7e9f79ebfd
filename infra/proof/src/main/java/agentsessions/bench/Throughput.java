package agentsessions.bench;

import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// Reads a second of one machine beside other servers on the same machine: medians of rounds in
/// which all reads take turns, so that other load of the machine falls on all alike.
final class Throughput {
  private static final int ROUNDS = 5;
  private static final Duration ALONE = Duration.ofMillis(400);
  private static final Duration CROWDED = Duration.ofSeconds(1);
  private static final Duration WARMING = Duration.ofSeconds(2);
  private static final Duration REST = Duration.ofMillis(200);

  /// Enough workspaces, since a key allows 100 requests at once and as many a minute.
  private static final int WORKSPACES = 12;

  private static final int KEYS = 50;
  private static final String LIST = "/sessions?limit=20";

  /// A read that is measured.
  enum Read {
    POLL("finished poll"),
    SESSION("`GET session`"),
    PAGE("history page of 3"),
    LIST("list of 20 of 10,000 sessions"),
    ITEM("a bare SDK GetItem"),
    THEIR_SESSION("`opencode serve`: session"),
    THEIR_MESSAGE("`opencode serve`: messages of 1"),
    THEIR_LIST("`opencode serve`: list of 20 of 10,000"),
    CONVERSATION("OpenHands agent server: conversation"),
    RESPONSE("OpenHands agent server: final response"),
    EVENTS("OpenHands agent server: last 3 events");

    private final String label;

    Read(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }

    /// The read of opencode that is compared with this one.
    Optional<Read> theirs() {
      return switch (this) {
        case POLL, SESSION -> Optional.of(THEIR_SESSION);
        case PAGE -> Optional.of(THEIR_MESSAGE);
        case LIST -> Optional.of(THEIR_LIST);
        case ITEM, THEIR_SESSION, THEIR_MESSAGE, THEIR_LIST, CONVERSATION, RESPONSE, EVENTS ->
            Optional.empty();
      };
    }
  }

  private final Map<Read, Callable<LoadGenerator.Caller>> callers = new LinkedHashMap<>();
  private final SpeedTable table = new SpeedTable();

  private Throughput() {}

  /// Measures, and returns the table.
  ///
  /// @param service one with many sessions
  static SpeedTable run(ServiceProcess service, Peers peers) throws Exception {
    Throughput throughput = new Throughput();
    try (DynamoDbClient table = service.table()) {
      throughput.ours(service, table);
      peers.opencode().ifPresent(throughput::theirs);
      peers.openhands().ifPresent(throughput::theirs);
      throughput.measure();
      return throughput.table;
    }
  }

  private void ours(ServiceProcess service, DynamoDbClient table) throws Exception {
    List<SessionHandle> sessions = sessions(service);
    ask(Read.POLL, service, sessions, session -> URI.create(session.first().link()));
    ask(Read.SESSION, service, sessions, session -> url(session, session.path()));
    ask(Read.PAGE, service, sessions, Throughput::page);
    ask(Read.LIST, service, List.of(listed(service)), session -> url(session, LIST));
    callers.put(Read.ITEM, item(table, sessions.getFirst()));
  }

  private void theirs(OpencodeServer server) {
    ask(Read.THEIR_SESSION, server.sessionUrl());
    ask(Read.THEIR_MESSAGE, server.lastMessageUrl());
    ask(Read.THEIR_LIST, server.listUrl());
  }

  private void theirs(OpenhandsServer server) {
    ask(Read.CONVERSATION, server.conversationUrl());
    ask(Read.RESPONSE, server.responseUrl());
    ask(Read.EVENTS, server.lastEventsUrl());
  }

  private void ask(Read read, URI url) {
    callers.put(read, LoadGenerator.connection(url, List.of(LoadGenerator.get(url))));
  }

  /// In another order each round: the work of a server after its own round (garbage collection,
  /// compilation) must not always fall on the same neighbour.
  private void measure() throws Exception {
    for (Callable<LoadGenerator.Caller> caller : callers.values()) {
      LoadGenerator.run(16, WARMING, caller);
    }
    List<Map.Entry<Read, Callable<LoadGenerator.Caller>>> order =
        new ArrayList<>(callers.entrySet());
    for (int round = 0; round < ROUNDS; round++) {
      Collections.shuffle(order, new Random(round));
      for (Map.Entry<Read, Callable<LoadGenerator.Caller>> read : order) {
        LockSupport.parkNanos(REST.toNanos());
        table.alone(read.getKey(), LoadGenerator.run(1, ALONE, read.getValue()));
        table.crowded(read.getKey(), LoadGenerator.run(16, CROWDED, read.getValue()));
        table.pressed(read.getKey(), LoadGenerator.run(32, CROWDED, read.getValue()));
      }
    }
  }

  /// Sessions with three messages and more, each in a workspace of its own.
  private static List<SessionHandle> sessions(ServiceProcess service) throws Exception {
    List<SessionHandle> sessions = new ArrayList<>();
    for (int i = 0; i < WORKSPACES; i++) {
      Client client = service.client(Rig.workspace(), KEYS);
      SessionHandle session = client.create("echo one");
      session.first().completed();
      session.send("echo two").completed();
      sessions.add(session);
    }
    return sessions;
  }

  /// A session of the workspace that has many.
  private static SessionHandle listed(ServiceProcess service) throws IOException {
    Client client = service.client(ManySessions.WORKSPACE, KEYS - 1); // it has one
    JsonNode page = client.get(LIST).ok().path("items");
    if (page.size() != 20) {
      throw new AssertionError("not twenty sessions: " + page);
    }
    return new SessionHandle(client, page.path(0));
  }

  /// The address of a page of messages; fails if the page is not full.
  private static URI page(SessionHandle session) {
    String query = "?limit=3";
    if (session.messages(query).path("items").size() != 3) {
      throw new AssertionError("not three messages: " + session.messages(query));
    }
    return url(session, session.path() + "/messages" + query);
  }

  private static URI url(SessionHandle session, String path) {
    return URI.create(session.client().base() + path);
  }

  private void ask(
      Read read,
      ServiceProcess service,
      List<SessionHandle> sessions,
      Function<SessionHandle, URI> url) {
    List<byte[]> requests = new ArrayList<>();
    List<URI> urls = sessions.stream().map(url).toList();
    for (int key = 0; key < sessions.getFirst().client().keys().size(); key++) {
      for (int i = 0; i < urls.size(); i++) {
        String name = sessions.get(i).client().keys().get(key);
        requests.add(LoadGenerator.get(urls.get(i), "Authorization: ApiKey " + name + "\r\n"));
      }
    }
    callers.put(read, LoadGenerator.connection(service.base(), requests));
  }

  /// The one DynamoDB read that a poll needs at least, by the SDK and nothing else.
  private static Callable<LoadGenerator.Caller> item(DynamoDbClient table, SessionHandle session) {
    String workspace = session.client().get("/me").ok().path("workspace").asText();
    Map<String, AttributeValue> key =
        Map.of(
            "PK",
            AttributeValue.fromS("W#" + workspace + "#S#" + session.id()),
            "SK",
            AttributeValue.fromS("T#" + session.first().id()));
    return () ->
        () -> {
          if (!table
              .getItem(get -> get.tableName("agent-sessions").key(key).consistentRead(true))
              .hasItem()) {
            throw new AssertionError("the turn is not where it should be");
          }
        };
  }
}
