package agentsessions.bench;

import agentsessions.bench.WebhookSpeed.Neighbour;
import agentsessions.chaos.rig.Rig;
import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.WebhookReceiver;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A workspace with a webhook that answers and a second one of the measured kind: plays sessions
/// and checks the events that arrive.
final class WebhookScenario implements AutoCloseable {
  private static final int PLANS = 16;

  /// Events of each session: created, running, the plans, completed, deleted.
  static final int EVENTS = PLANS + 4;

  private static final String SCRIPT =
      "mkdir -p plans; for i in $(seq %d); do echo \"# $i\" > plans/$i.md; done".formatted(PLANS);

  private static final int KEYS = 50;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final Neighbour neighbour;
  private final Queue<String> broken;
  private final Client client;
  private final WebhookReceiver receiver = new WebhookReceiver(TIMEOUT);
  private final WebhookReceiver beside = new WebhookReceiver(TIMEOUT);
  private final CountDownLatch over = new CountDownLatch(1);

  /// Reserves a port at which no server listens.
  private final Socket deaf = new Socket();

  private final String secret;
  private final @Nullable JsonNode other;
  private final Map<String, BlockingQueue<WebhookReceiver.Came>> told = new ConcurrentHashMap<>();
  private final Set<String> heard = ConcurrentHashMap.newKeySet();
  private final Queue<Long> times = new ConcurrentLinkedQueue<>();

  /// @param broken collects the promises that were broken
  WebhookScenario(ServiceProcess service, Neighbour neighbour, Queue<String> broken)
      throws IOException {
    deaf.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    this.neighbour = neighbour;
    this.broken = broken;
    this.client = service.client(Rig.workspace(), KEYS).patient();
    receiver.tells(this::hear);
    beside.answers(exchange -> {
      if (neighbour == Neighbour.HANGING) {
        await(over);
      }
      exchange.sendResponseHeaders(204, -1);
    });
    this.secret = hook(receiver.url()).path("secret").asText();
    this.other =
        switch (neighbour) {
          case NOBODY -> null;
          case WELL, HANGING -> hook(beside.url());
          case REFUSING -> hook("http://127.0.0.1:" + deaf.getLocalPort());
        };
  }

  /// The number of different events that have arrived.
  long heard() {
    return heard.size();
  }

  /// The latencies from each event to its arrival since the last call, in nanoseconds.
  List<Long> times() {
    List<Long> since = new ArrayList<>();
    for (@Nullable Long time = times.poll(); time != null; time = times.poll()) {
      since.add(time);
    }
    return since;
  }

  /// Plays one session from its creation to its deletion, and waits for all of its events.
  void play() {
    SessionHandle session = client.create(SCRIPT);
    BlockingQueue<WebhookReceiver.Came> all = of(session.id());
    if (take(all, EVENTS - 1) < EVENTS - 1) {
      broken.add(session.id() + " " + neighbour + ": not all came while it lived");
    }
    client.delete(session.path()).expect(204);
    if (take(all, 1) < 1) {
      broken.add(session.id() + " " + neighbour + ": its end was not told");
    }
  }

  /// Checks that each event waits as a pending delivery of the webhook that does not answer.
  void judge() {
    if (other == null || !neighbour.isDead()) {
      return;
    }
    Set<String> waiting = new HashSet<>();
    @Nullable String next =
        "/webhooks/" + other.path("id").asText() + "/deliveries?status=pending&limit=100";
    while (next != null) {
      JsonNode page = client.get(next).ok();
      page.path("items").forEach(one -> waiting.add(one.path("id").asText()));
      next = page.at("/_links/next/href").asText(null);
    }
    Set<String> lost = new HashSet<>(heard);
    lost.removeAll(waiting);
    if (!lost.isEmpty()) {
      broken.add(lost.size() + " events do not wait for the one that " + neighbour);
    }
  }

  @Override
  public void close() {
    over.countDown();
    receiver.close();
    beside.close();
    try {
      deaf.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private JsonNode hook(String url) {
    return client.post("/webhooks", Map.of("url", url)).expect(201).json();
  }

  private void hear(WebhookReceiver.Came came) {
    Instant now = Instant.now();
    JsonNode event = came.json();
    Duration since = Duration.between(Instant.parse(event.path("timestamp").asText()), now);
    if (!heard.add(came.id())) {
      return; // deliveries are at least once
    }
    times.add(since.toNanos());
    if (!came.isSignedBy(secret)) {
      broken.add(came.id() + " is not signed");
    }
    // In a thread of its own, since a receiver should answer soon.
    Thread _ = Thread.ofVirtual().start(() -> look(came, event));
  }

  private void look(WebhookReceiver.Came came, JsonNode event) {
    if (!isSo(event)) {
      broken.add(event.path("type").asText() + " came too early: " + came.id());
    }
    of(event.at("/data/session_id").asText()).add(came);
  }

  /// Whether the API shows the state that an event announces.
  private boolean isSo(JsonNode event) {
    String session = "/sessions/" + event.at("/data/session_id").asText();
    return switch (event.path("type").asText()) {
      case "session.created" -> client.get(session).status() == 200;
      case "session.deleted" -> client.get(session).status() == 404;
      case "plan.created" ->
          client.get(event.at("/data/_links/artifact/href").asText()).status() == 200;
      case "thread.running" -> !status(event).equals("queued");
      default -> status(event).equals("completed");
    };
  }

  private String status(JsonNode event) {
    return client.get(event.at("/data/_links/thread/href").asText()).ok().path("status").asText();
  }

  private BlockingQueue<WebhookReceiver.Came> of(String session) {
    return told.computeIfAbsent(session, _ -> new LinkedBlockingQueue<>());
  }

  private static int take(BlockingQueue<WebhookReceiver.Came> all, int count) {
    long end = System.nanoTime() + TIMEOUT.toNanos();
    int taken = 0;
    try {
      while (taken < count && all.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS) != null) {
        taken++;
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    return taken;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
