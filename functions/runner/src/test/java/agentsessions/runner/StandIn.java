package agentsessions.runner;

import agentsessions.runner.agent.Json;
import agentsessions.runner.turn.Invocation;
import agentsessions.testing.Loopback;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A stand-in for the service: the runner protocol for one turn at a time, and the object store
/// behind its upload links, on loopback. It checks both sides against the protocol's contract.
public final class StandIn implements AutoCloseable {
  /// A fault of a response, after the call has been processed.
  public enum Fault {
    UNAVAILABLE,
    DROPPED,
    NEVER
  }

  /// Small, so that a test's sandbox has several parts.
  private static final int PART_BYTES = 256 * 1024;

  private static final String REQUESTS = "/runner/v1/requests";

  private final Loopback server;
  private final Path objects;
  private final Map<String, Queue<Fault>> faults = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
  private final Map<String, Integer> turnings = new ConcurrentHashMap<>();
  private final List<JsonNode> events = new ArrayList<>();
  private final List<String> commits = new ArrayList<>();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();
  private volatile ObjectNode claim = Json.MAPPER.createObjectNode();
  private volatile JsonNode result = Json.MAPPER.missingNode();
  private volatile Runnable atResult = () -> {};
  private volatile boolean live;
  private volatile boolean released;
  private volatile int objectsStatus = 200;
  private final List<Path> parts = new ArrayList<>();
  private volatile @Nullable String snapshot;
  private volatile boolean saved;
  private volatile boolean lost;
  private volatile boolean occupied;
  private volatile CountDownLatch end = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile boolean hasty;
  private volatile boolean claimed;
  private volatile boolean over;
  private volatile boolean parksNothing;
  private volatile boolean endsWithParking;
  private volatile JsonNode parking = Json.MAPPER.missingNode();
  private final Decider decider = new Decider();

  StandIn(Path objects) throws IOException {
    this.objects = Files.createDirectories(objects);
    this.server = new Loopback(this::answer);
  }

  /// Offers a new turn; forgets the last one.
  public synchronized Invocation offer(ObjectNode next) {
    events.clear();
    return offerAgain(next);
  }

  /// Offers the same turn to another runner.
  public synchronized Invocation offerAgain(ObjectNode next) {
    claim = next;
    result = Json.MAPPER.missingNode();
    parking = Json.MAPPER.missingNode();
    calls.clear();
    live = true;
    end = new CountDownLatch(1);
    released = false;
    saved = false;
    claimed = false;
    parts.clear();
    return new Invocation("ticket", url("/runner/v1"), 0, next.path("session_id").textValue());
  }

  public void interrupt() {
    live = false;
    end.countDown();
  }

  /// From now on the question whether a turn is live is answered at once, whatever wait was
  /// requested.
  public void neverWaits() {
    hasty = true;
  }

  /// The person who decides on tool calls.
  public Decider decider() {
    return decider;
  }

  /// From now on no waiting runner gets another turn.
  public void endsWaiting() {
    over = true;
  }

  /// Renames the object of the saved sandbox to another turn's.
  public synchronized void replaceSnapshot() throws IOException {
    String other = "sandboxes/another/turn/1";
    Files.move(object(Objects.requireNonNull(snapshot)), object(other));
    snapshot = other;
  }

  /// Sets the object store's responses from now on.
  public void objectsAnswer(int status) {
    objectsStatus = status;
  }

  /// Sets the object store's responses from the next such call on.
  public void objectsAnswer(int status, String from) {
    turnings.put(from, status);
  }

  /// From now on objects exist already where files are to be uploaded.
  public void occupy() {
    occupied = true;
  }

  /// Sets the next fault; `put` is the call that stores an object.
  public void fault(String call, Fault... next) {
    fault(call, List.of(next));
  }

  public void fault(String call, List<Fault> next) {
    faults.computeIfAbsent(call, _ -> new ConcurrentLinkedQueue<>()).addAll(next);
  }

  /// From now on no turn can be parked.
  public void parksNothing() {
    parksNothing = true;
  }

  /// From now on a turn is over when it is to be parked.
  public void endsWithParking() {
    endsWithParking = true;
  }

  /// The call by which the turn was parked; missing if it was not.
  public JsonNode parking() {
    return parking;
  }

  /// Runs this whenever a result comes.
  void atResult(Runnable look) {
    atResult = look;
  }

  public JsonNode result() {
    return result;
  }

  public boolean isReleased() {
    return released;
  }

  public synchronized List<JsonNode> events() {
    return List.copyOf(events);
  }

  /// The recorded commits, each after the number of its repository.
  public synchronized List<String> commits() {
    return List.copyOf(commits);
  }

  /// The link to the sandbox that was saved last.
  public @Nullable String snapshotUrl() {
    return snapshot == null ? null : url("/objects/" + snapshot).toString();
  }

  /// A link that leads to an object.
  public String link(String key) {
    return url("/objects/" + key).toString();
  }

  public boolean isSandboxLost() {
    return lost;
  }

  public int parts() {
    return parts.size();
  }

  public int calls(String call) {
    return calls.computeIfAbsent(call, _ -> new AtomicInteger()).get();
  }

  public Path object(String key) {
    return objects.resolve(key.replace('/', '_'));
  }

  /// Fails if any request or response violated the contract.
  @Override
  public void close() {
    closed.countDown();
    server.close();
    if (!violations.isEmpty()) {
      throw new AssertionError("Not as infra/runner.yaml says: " + violations);
    }
  }

  private URI url(String path) {
    return URI.create(server.url() + path);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      boolean asks = path.startsWith(REQUESTS);
      String call = asks ? "requests" : path.substring(path.lastIndexOf('/') + 1);
      if (path.startsWith("/objects/") && objectsStatus != 200) {
        exchange.sendResponseHeaders(objectsStatus, -1);
        return;
      }
      if (path.startsWith("/objects/")) {
        object(exchange, object(path.substring("/objects/".length())));
        return;
      }
      calls.computeIfAbsent(call, _ -> new AtomicInteger()).incrementAndGet();
      Optional.ofNullable(turnings.remove(call)).ifPresent(this::objectsAnswer);
      String sent = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      JsonNode body = Json.MAPPER.readTree(sent);
      boolean current = isCurrent(exchange);
      awaitEnd(asks ? null : exchange.getRequestURI().getQuery());
      JsonNode answer =
          current || !call.equals("claim")
              ? process(asks ? path : call, body, current)
              : refusal("UNAUTHORIZED", "Not the ticket");
      check(exchange, sent, answer);
      switch (nextFault(call)) {
        case NEVER -> awaitClose();
        case DROPPED -> {}
        case UNAVAILABLE -> send(exchange, 503, Json.MAPPER.createObjectNode());
        case null -> send(exchange, status(answer), answer);
      }
    }
  }

  /// Waits as long as the question whether the turn is live may be held open.
  private void awaitEnd(@Nullable String query) {
    if (query != null && !hasty) {
      try {
        boolean _ = end.await(Long.parseLong(query.replace("wait=", "")), TimeUnit.SECONDS);
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void awaitClose() {
    try {
      closed.await();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private void check(HttpExchange exchange, String sent, JsonNode answer) throws IOException {
    violations.addAll(
        new Protocol.Exchange(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                exchange.getRequestHeaders().getFirst("Authorization"),
                sent,
                status(answer),
                answer.toString())
            .faults());
  }

  private static int status(JsonNode answer) {
    return switch (answer.path("code").asText()) {
      case "NOT_LIVE" -> 409;
      case "UNAUTHORIZED" -> 401;
      default -> 200;
    };
  }

  private @Nullable Fault nextFault(String call) {
    return faults.getOrDefault(call, new ConcurrentLinkedQueue<>()).poll();
  }

  private void object(HttpExchange exchange, Path object) throws IOException {
    if (exchange.getRequestMethod().equals("GET") && Files.notExists(object)) {
      exchange.sendResponseHeaders(404, -1);
      return;
    }
    if ("bytes=0-0".equals(exchange.getRequestHeaders().getFirst("Range"))) {
      exchange.sendResponseHeaders(206, 1);
      exchange.getResponseBody().write(0);
      return;
    }
    if (exchange.getRequestMethod().equals("GET")) {
      calls.computeIfAbsent("download", _ -> new AtomicInteger()).incrementAndGet();
      exchange.sendResponseHeaders(200, Files.size(object));
      Files.copy(object, exchange.getResponseBody());
      return;
    }
    int status = put(exchange, object);
    exchange.getResponseHeaders().set("ETag", "tag of " + object.getFileName());
    switch (nextFault("put")) {
      case NEVER -> awaitClose();
      case DROPPED -> {}
      case UNAVAILABLE -> exchange.sendResponseHeaders(503, -1);
      case null -> exchange.sendResponseHeaders(status, -1);
    }
  }

  /// As in S3: a link signed with a condition is valid with its header only, and an existing object
  /// stays.
  private int put(HttpExchange exchange, Path object) throws IOException {
    boolean conditional = "*".equals(exchange.getRequestHeaders().getFirst("If-None-Match"));
    if (conditional != "once=".equals(exchange.getRequestURI().getQuery())) {
      return 403;
    }
    if (conditional && Files.exists(object)) {
      return 412;
    }
    Files.copy(exchange.getRequestBody(), object, StandardCopyOption.REPLACE_EXISTING);
    return 200;
  }

  private static void send(HttpExchange exchange, int status, JsonNode answer) throws IOException {
    byte[] bytes = Json.MAPPER.writeValueAsBytes(answer);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  /// Whether the caller has the ticket, the token of the turn that was offered last, or the one of
  /// its standby.
  private boolean isCurrent(HttpExchange exchange) {
    String bearer = exchange.getRequestHeaders().getFirst("Authorization");
    if (exchange.getRequestURI().getPath().endsWith("/next")) {
      return "Bearer waiting".equals(bearer);
    }
    return List.of("Bearer ticket", "Bearer " + claim.path("token").textValue()).contains(bearer);
  }

  private synchronized JsonNode process(String call, JsonNode body, boolean current)
      throws IOException {
    boolean live = this.live && current;
    if (call.startsWith(REQUESTS)) {
      return live ? decider.answer(call.substring(REQUESTS.length()), body) : notLive();
    }
    return switch (call) {
      case "claim" -> live ? claimed() : notLive();
      case "refusal" -> live ? Json.MAPPER.createObjectNode() : notLive();
      case "turn", "lease" -> Json.MAPPER.createObjectNode().put("live", live);
      case "events" -> live ? take(body) : notLive();
      case "uploads" -> live ? uploads(body) : notLive();
      case "commits" -> live ? recorded(body) : notLive();
      case "result" -> live || !result.isMissingNode() ? commit(body) : notLive();
      case "parking" -> live || body.equals(parking) ? park(body) : notLive();
      case "snapshot" -> Json.MAPPER.createObjectNode().put("part_bytes", PART_BYTES);
      case "parts" -> part(body);
      case "complete" -> complete(body);
      case "standby" -> released || !current ? notLive() : waiting();
      case "next" -> over || !current ? notLive() : next();
      case "release" -> release(body);
      default -> throw new IllegalArgumentException(call);
    };
  }

  private JsonNode park(JsonNode body) {
    if (endsWithParking) {
      interrupt();
      return notLive();
    }
    if (!parksNothing) {
      parking = body;
      released = true;
      interrupt();
    }
    return Json.MAPPER.createObjectNode().put("parked", !parksNothing);
  }

  private JsonNode claimed() {
    claimed = true;
    return claim;
  }

  private static JsonNode waiting() {
    return Json.MAPPER.createObjectNode().put("token", "waiting");
  }

  private JsonNode next() {
    ObjectNode answer = Json.MAPPER.createObjectNode();
    return claimed ? answer : answer.put("ticket", "ticket").put("attempt", 0);
  }

  private JsonNode take(JsonNode body) {
    int from = body.get("from").intValue();
    for (JsonNode event : body.get("events")) {
      if (from++ == events.size()) {
        events.add(event);
      }
    }
    return Json.MAPPER.createObjectNode().put("count", events.size());
  }

  private JsonNode uploads(JsonNode body) throws IOException {
    ObjectNode answer = Json.MAPPER.createObjectNode();
    for (JsonNode _ : body.get("files")) {
      upload(answer.withArray("uploads").addObject());
    }
    return answer;
  }

  private ObjectNode upload(ObjectNode answer) throws IOException {
    String key = UUID.randomUUID().toString();
    if (occupied) {
      Files.writeString(objects.resolve(key), "of somebody else");
    }
    return answer.put("key", key).put("url", url("/objects/" + key + "?once=").toString());
  }

  private JsonNode recorded(JsonNode body) {
    commits.add(body.get("repository").intValue() + " " + body.get("commit").textValue());
    return Json.MAPPER.createObjectNode();
  }

  private JsonNode commit(JsonNode body) {
    result = body;
    atResult.run();
    interrupt();
    boolean free = body.path("release").asBoolean();
    released |= free;
    return Json.MAPPER.createObjectNode().put("released", free);
  }

  private JsonNode part(JsonNode body) {
    int number = body.get("number").intValue();
    if (number == parts.size() + 1) {
      parts.add(objects.resolve(UUID.randomUUID().toString()));
    }
    Path part = parts.get(number - 1).getFileName();
    return Json.MAPPER.createObjectNode().put("url", url("/objects/" + part).toString());
  }

  /// As in the service: joins the parts in the order in which they were put, once.
  private JsonNode complete(JsonNode body) {
    List<String> sent = new ArrayList<>();
    body.get("tags").forEach(tag -> sent.add(tag.textValue()));
    if (!sent.equals(parts.stream().map(part -> "tag of " + part.getFileName()).toList())) {
      return notLive();
    }
    if (!saved) {
      snapshot = joined();
      saved = true;
    }
    return Json.MAPPER.createObjectNode();
  }

  private String joined() {
    String key =
        "sandboxes/%s/%s/%d"
            .formatted(
                claim.path("session_id").textValue(),
                claim.path("thread_id").textValue(),
                claim.path("fence").intValue());
    try (OutputStream all = Files.newOutputStream(object(key))) {
      for (Path part : parts) {
        Files.copy(part, all);
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return key;
  }

  private JsonNode release(JsonNode body) {
    if (!released && !body.path("untouched").asBoolean()) {
      lost = !saved;
    }
    released = true;
    return Json.MAPPER.createObjectNode();
  }

  private static JsonNode notLive() {
    return refusal("NOT_LIVE", "The turn is no longer yours");
  }

  private static JsonNode refusal(String code, String message) {
    return Json.MAPPER
        .createObjectNode()
        .put("code", code)
        .put("message", message)
        .put("request_id", "request");
  }
}
