package agentsessions.contract.workspace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.contract.AdminClient;
import agentsessions.contract.Section;
import agentsessions.contract.SuiteTiming;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.WebhookReceiver;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Webhook deliveries: every event comes, signed, and only after the API shows its state, whatever
/// the receiver answers.
@Section(number = "api", title = "Webhooks")
final class WebhooksTest {
  private static final int MOST = 10;
  private static @Nullable JsonNode kept;

  /// An address that is never called: the tests only store it.
  private static final String ELSEWHERE = "https://hooks.example.org/x";

  /// A client of a workspace in which no other test runs, if there is one.
  private final Client client = Target.loneClient().orElseGet(Target::client);

  private final List<JsonNode> hooks = new ArrayList<>();
  private final WebhookReceiver receiver = new WebhookReceiver(SuiteTiming.LIMIT);

  WebhooksTest() {
    AdminClient.of(client);
  }

  /// A workspace without webhooks may take a minute to notice its first; this one has one all the
  /// time.
  @BeforeAll
  static void hear() {
    Map<String, Object> silent = Map.of("url", ELSEWHERE, "types", List.of("ping"));
    kept = Target.makesKeys() ? null : lone().map(client -> make(client, silent)).orElse(null);
  }

  @AfterAll
  static void hearNoMore() {
    if (kept != null) {
      lone().orElseThrow().delete(path(kept)).expect(204);
    }
  }

  @AfterEach
  void close() {
    receiver.close();
    hooks.forEach(one -> client.delete(path(one)).expect(204));
  }

  @Tag("stack")
  @Test
  void aWebhookIsMadeListedChangedAndDeleted() {
    ApiResponse answer = client.post("/webhooks", Map.of("url", ELSEWHERE, "description", "Mine"));
    JsonNode made = answer.expect(201).json();
    assertTrue(made.path("secret").asText().startsWith("whsec_"));
    assertTrue(answer.header("Location").endsWith(path(made)));
    JsonNode listed = listed(made).orElseThrow();
    assertFalse(listed.has("secret"));
    assertEquals("Mine", listed.path("description").asText());
    assertTrue(listed.path("types").toString().contains("thread.completed"));
    JsonNode changed =
        client
            .patch(path(made), Map.of("types", List.of("plan.created"), "is_enabled", false))
            .ok();
    assertEquals("[\"plan.created\"]", changed.path("types").toString());
    assertFalse(changed.path("is_enabled").asBoolean());
    assertEquals("Mine", changed.path("description").asText());
    assertEquals(changed, client.get(path(made)).ok());
    JsonNode renewed = client.send("POST", path(made) + "/rotate", null).expect(200).json();
    assertFalse(renewed.path("secret").equals(made.path("secret")));
    client.delete(path(made)).expect(204);
    client.delete(path(made)).refused(404, "NOT_FOUND");
    assertTrue(listed(made).isEmpty());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | url",
        "{\"url\":\"ftp://example.org/\"} | url",
        "{\"url\":\"https://me@example.org/\"} | url",
        "{\"url\":\"https://example.org/#a\"} | url",
        "{\"url\":\"https:///a\"} | url",
        "{\"url\":7} | url",
        "{\"url\":\"https://hooks.example.org/\",\"types\":[]} | types",
        "{\"url\":\"https://hooks.example.org/\",\"types\":[\"thread.begun\"]} | types"
      })
  void whatCannotBeSentToIsRefusedByField(String body, String field) {
    client.send("POST", "/webhooks", body).invalid(field);
  }

  @Test
  void idsAreUuidsAndUnknownOnesAreNotFound() {
    JsonNode made = hook(ELSEWHERE);
    for (String base : List.of("/webhooks/x", "/webhooks/" + Client.unknownId())) {
      for (ApiResponse answer : everything(base)) {
        assertTrue(answer.status() == (base.endsWith("x") ? 422 : 404), answer::toString);
      }
    }
    String deliveries = path(made) + "/deliveries";
    client.send("POST", deliveries + "/x/redeliver", null).invalid("delivery_id");
    client
        .send("POST", deliveries + "/" + Client.unknownId() + "/redeliver", null)
        .refused(404, "NOT_FOUND");
    client.get(deliveries + "?status=lost").invalid("status");
    client.patch(path(made), Map.of("url", "nowhere")).invalid("url");
    Client other = AdminClient.of(Target.otherClient()).client();
    other.get(path(made)).refused(404, "NOT_FOUND");
  }

  @Test
  void theEleventhIsTooMany() {
    Client full = AdminClient.of(Target.otherClient()).client();
    for (JsonNode left : full.get("/webhooks").ok().path("items")) {
      full.delete(path(left)).expect(204);
    }
    List<JsonNode> made = new ArrayList<>();
    for (int i = 0; i < MOST; i++) {
      made.add(full.post("/webhooks", Map.of("url", ELSEWHERE)).expect(201).json());
    }
    full.post("/webhooks", Map.of("url", ELSEWHERE)).refused(409, "TOO_MANY_WEBHOOKS");
    made.forEach(one -> full.delete(path(one)).expect(204));
  }

  @Tag("stack")
  @Test
  void everyEventOfASessionComesSignedAndAfterWhatItSays() {
    JsonNode hook = hook();
    Set<String> seen = ConcurrentHashMap.newKeySet();
    Queue<String> late = new ConcurrentLinkedQueue<>();
    receiver.answers(exchange -> {
      receiver.came().stream()
          .filter(one -> one.type().startsWith("thread.") && seen.add(one.id()))
          .filter(one -> !isAsItSays(one.json().path("data")))
          .forEach(one -> late.add(one.body()));
      exchange.sendResponseHeaders(204, -1);
    });
    SessionHandle session = client.create("printf '# Plan\\n' > PLAN.md; echo ok");
    session.first().reply();
    session.send("sleep 600");
    session.send("echo again").reply();
    session.send("exit 3").ended();
    session.send("sleep 600");
    client.send("POST", session.path() + "/interrupt", null).expect(200);
    List<WebhookReceiver.Came> ended =
        receiver.await(
            5,
            Stream.of("completed", "interrupted", "failed", "cancelled")
                .map(status -> "thread." + status)
                .toArray(String[]::new));
    client.delete(session.path()).expect(204);
    WebhookReceiver.Came deleted = receiver.await(1, "session.deleted").getFirst();
    WebhookReceiver.Came created = receiver.await(1, "session.created").getFirst();
    WebhookReceiver.Came plan = receiver.await(1, "plan.created").getFirst();
    receiver.await(3, "thread.running");
    assertTrue(
        receiver.came().stream().allMatch(one -> one.isSignedBy(hook.path("secret").asText())));
    assertEquals(List.of(), List.copyOf(late));
    long completed = seq(ended.getFirst());
    assertTrue(seq(created) < seq(plan) && seq(plan) < completed);
    assertTrue(ended.stream().allMatch(one -> seq(one) < seq(deleted)));
    long distinct = receiver.came().stream().map(WebhooksTest::seq).distinct().count();
    long events = receiver.came().stream().map(WebhookReceiver.Came::id).distinct().count();
    assertEquals(events, distinct);
    assertFalse(receiver.came().toString().contains("# Plan"));
  }

  @Test
  void thatMuchOfACeilingIsUsedIsToldOnceAndAgainWhenItWasRaised() {
    JsonNode hook = hook();
    SessionHandle session = client.create("shell", "sleep 1.7", Map.of("limits", ofSession(2)));
    session.first().ended();
    awaitWarning(session, 2);
    double used = client.get(session.path()).ok().at("/usage/active_seconds").asDouble();
    int next = (int) Math.ceil(used) + 2; // two more seconds pass four fifths of it
    client.patch(session.path(), Map.of("limits", ofSession(next))).expect(200);
    session.send("sleep 2").ended();
    awaitWarning(session, next);
    JsonNode ping = client.send("POST", path(hook) + "/ping", null).expect(202).json();
    receiver.until(
        "the ping",
        came -> came.stream().anyMatch(one -> one.id().equals(ping.path("id").asText())));
    assertEquals(
        2,
        receiver.await(2, "budget.warning").stream()
            .map(WebhookReceiver.Came::id)
            .distinct()
            .count());
  }

  private static Map<String, ?> ofSession(int seconds) {
    return Map.of("session", Map.of("max_seconds", seconds));
  }

  /// Waits for the warning of this ceiling; another may come more than once.
  private void awaitWarning(SessionHandle session, int seconds) {
    WebhookReceiver.Came came =
        receiver
            .until(
                "a warning of " + seconds, all -> all.stream().anyMatch(one -> isOf(one, seconds)))
            .stream()
            .filter(one -> isOf(one, seconds))
            .findFirst()
            .orElseThrow();
    JsonNode data = came.json().path("data");
    JsonNode budget = data.path("budget");
    assertEquals(session.id(), data.path("session_id").asText());
    assertEquals(
        "session seconds", budget.path("scope").asText() + " " + budget.path("unit").asText());
    assertTrue(budget.path("used").asDouble() >= 0.8 * seconds, came::body);
  }

  private static boolean isOf(WebhookReceiver.Came came, int seconds) {
    return came.type().equals("budget.warning")
        && came.json().at("/data/budget/limit").asInt() == seconds;
  }

  @Tag("stack")
  @Test
  void aPingIsADeliveryThatCanBeSentAgain() {
    JsonNode hook = hook();
    JsonNode ping = client.send("POST", path(hook) + "/ping", null).expect(202).json();
    WebhookReceiver.Came came = receiver.await(1, "ping").getFirst();
    assertEquals(ping.path("id").asText(), came.id());
    assertEquals("{}", came.json().path("data").toString());
    JsonNode sent = delivery(hook, "succeeded");
    assertEquals(204, sent.at("/attempts/0/status_code").asInt());
    client.send("POST", path(hook) + "/deliveries/" + came.id() + "/redeliver", null).expect(202);
    List<WebhookReceiver.Came> both = receiver.await(2, "ping");
    assertEquals(both.getFirst().id(), both.getLast().id());
    assertEquals(both.getFirst().body(), both.getLast().body());
    assertFalse(client.get(path(hook)).ok().path("last_success_at").isNull());
  }

  @Tag("stack")
  @Test
  void afterARotationBothSecretsSign() {
    JsonNode hook = hook();
    JsonNode renewed = client.send("POST", path(hook) + "/rotate", null).expect(200).json();
    client.send("POST", path(hook) + "/ping", null).expect(202);
    WebhookReceiver.Came came = receiver.await(1, "ping").getFirst();
    assertTrue(came.isSignedBy(hook.path("secret").asText()));
    assertTrue(came.isSignedBy(renewed.path("secret").asText()));
    assertFalse(came.isSignedBy("whsec_" + Base64.getEncoder().encodeToString(new byte[32])));
  }

  @Test
  void whatFailsIsSentAgainAndOnlyQueuesMeanwhile() {
    JsonNode hook = hook();
    receiver.answers(WebhookReceiver.with(500));
    client.send("POST", path(hook) + "/ping", null).expect(202);
    receiver.await(1, "ping");
    JsonNode failed = attempted(hook);
    assertEquals("pending", failed.path("status").asText());
    assertEquals("status", failed.at("/attempts/0/error").asText());
    assertEquals(500, failed.at("/attempts/0/status_code").asInt());
    receiver.answers(WebhookReceiver.with(200));
    List<WebhookReceiver.Came> both = receiver.await(2, "ping");
    assertEquals(both.getFirst().id(), both.getLast().id());
    JsonNode attempts = delivery(hook, "succeeded").path("attempts");
    assertEquals(receiver.await(2, "ping").size(), attempts.size(), attempts::toString);
    assertEquals(200, attempts.get(attempts.size() - 1).path("status_code").asInt());
  }

  @Test
  void aRedirectIsNotFollowed() {
    JsonNode hook = hook();
    receiver.answers(
        WebhookReceiver.with(302, "Location", "http://169.254.169.254/latest/meta-data"));
    client.send("POST", path(hook) + "/ping", null).expect(202);
    assertEquals("redirect", attempted(hook).at("/attempts/0/error").asText());
  }

  @Test
  void goneDisables() {
    JsonNode hook = hook();
    receiver.answers(WebhookReceiver.with(410));
    client.send("POST", path(hook) + "/ping", null).expect(202);
    assertEquals(410, delivery(hook, "failed").at("/attempts/0/status_code").asInt());
    JsonNode disabled =
        SuiteTiming.until(
            "a disabled webhook",
            () ->
                Optional.of(client.get(path(hook)).ok())
                    .filter(one -> !one.path("is_enabled").asBoolean()));
    assertTrue(disabled.path("disabled_reason").asText().contains("410"));
    assertTrue(
        client.patch(path(hook), Map.of("is_enabled", true)).ok().path("disabled_reason").isNull());
  }

  @Test
  void whoNeverAnswersDelaysNobodyElse() {
    CompletableFuture<Void> released = new CompletableFuture<>();
    try (WebhookReceiver silent = new WebhookReceiver(SuiteTiming.LIMIT)) {
      assumeLoopback();
      JsonNode mute = hook(silent.url());
      JsonNode hook = hook();
      silent.answers(_ -> released.join());
      client.create("echo ok").first().reply();
      receiver.await(1, "thread.completed");
      JsonNode lost = attempted(mute);
      assertEquals("timeout", lost.at("/attempts/0/error").asText());
      SuiteTiming.until(
          "everything sent",
          () -> Optional.of(deliveries(hook, "?status=pending")).filter(List::isEmpty));
      JsonNode sent =
          deliveries(hook, "").stream()
              .filter(one -> one.path("id").equals(lost.path("id")))
              .findFirst()
              .orElseThrow();
      assertTrue(begin(sent).isBefore(end(lost)), () -> sent + " after " + lost);
    } finally {
      released.complete(null);
    }
  }

  /// The start of a delivery's first attempt.
  private static Instant begin(JsonNode delivery) {
    return Instant.parse(delivery.at("/attempts/0/at").asText());
  }

  private static Instant end(JsonNode delivery) {
    return begin(delivery).plusMillis(delivery.at("/attempts/0/milliseconds").asLong());
  }

  @Test
  void retryAfterIsHonoured() {
    JsonNode hook = hook();
    receiver.answers(WebhookReceiver.with(429, "Retry-After", "600"));
    client.send("POST", path(hook) + "/ping", null).expect(202);
    JsonNode pending = attempted(hook);
    long wait =
        Duration.between(
                Instant.parse(pending.at("/attempts/0/at").asText()),
                Instant.parse(pending.path("next_attempt_at").asText()))
            .toSeconds();
    assertTrue(wait >= 599 && wait < 660, () -> "" + wait);
  }

  @Test
  void aSessionMayHaveAWebhookOfItsOwn() {
    assumeLoopback();
    String secret = "whsec_" + Base64.getEncoder().encodeToString(new byte[24]);
    Map<String, Object> body = new HashMap<>();
    body.put("agent_name", "shell");
    body.put("message", "echo ok");
    body.put("webhook", Map.of("url", receiver.url(), "secret", "whsec_short"));
    client.post("/sessions", body).invalid("webhook.secret");
    body.put("webhook", Map.of("url", receiver.url(), "secret", secret));
    ApiResponse made = client.post("/sessions", body).expect(201);
    assertFalse(made.body().contains("whsec"));
    SessionHandle session = new SessionHandle(client, made.json());
    session.first().reply();
    receiver.await(1, "thread.completed");
    client.delete(session.path()).expect(204);
    for (String type : List.of("session.created", "thread.running", "session.deleted")) {
      receiver.await(1, type);
    }
    assertTrue(receiver.came().stream().allMatch(one -> one.isSignedBy(secret)));
    assertEquals(4, receiver.came().stream().map(WebhookReceiver.Came::type).distinct().count());
    assertFalse(client.get("/webhooks").body().contains(session.id()));
  }

  /// A webhook of the workspace that gets every event.
  private JsonNode hook() {
    assumeLoopback();
    return hook(receiver.url());
  }

  /// A webhook with this URL, removed at the end of the test.
  private JsonNode hook(String url) {
    JsonNode hook = make(client, Map.of("url", url));
    hooks.add(hook);
    return hook;
  }

  private static JsonNode make(Client client, Map<String, ?> webhook) {
    return client.post("/webhooks", webhook).expect(201).json();
  }

  private Optional<JsonNode> listed(JsonNode webhook) {
    return client
        .get("/webhooks")
        .ok()
        .path("items")
        .valueStream()
        .filter(one -> path(one).equals(path(webhook)))
        .findFirst();
  }

  private static Optional<Client> lone() {
    return Target.loneClient();
  }

  private static void assumeLoopback() {
    assumeTrue(
        Target.trusts() && lone().isPresent(),
        "the service must reach this machine, and nothing else happen in a workspace");
  }

  private boolean isAsItSays(JsonNode data) {
    String thread =
        "/sessions/%s/threads/%s"
            .formatted(data.path("session_id").asText(), data.path("thread_id").asText());
    ApiResponse answer = client.get(thread);
    String status = data.path("status").asText();
    return answer.status() == 404
        || status.equals("running")
        || answer.ok().path("status").asText().equals(status);
  }

  private List<ApiResponse> everything(String base) {
    return List.of(
        client.get(base),
        client.patch(base, Map.of()),
        client.delete(base),
        client.send("POST", base + "/rotate", null),
        client.send("POST", base + "/ping", null),
        client.get(base + "/deliveries"),
        client.send("POST", base + "/deliveries/" + Client.unknownId() + "/redeliver", null));
  }

  private JsonNode delivery(JsonNode hook, String status) {
    return SuiteTiming.until(
        "a delivery that has " + status,
        () -> deliveries(hook, "?limit=5&status=" + status).stream().findFirst());
  }

  private JsonNode attempted(JsonNode hook) {
    return SuiteTiming.until(
        "an attempt",
        () ->
            deliveries(hook, "").stream()
                .filter(one -> !one.path("attempts").isEmpty())
                .findFirst());
  }

  private List<JsonNode> deliveries(JsonNode hook, String query) {
    return client.get(path(hook) + "/deliveries" + query).ok().path("items").valueStream().toList();
  }

  private static long seq(WebhookReceiver.Came came) {
    return came.json().at("/data/seq").asLong();
  }

  private static String path(JsonNode webhook) {
    return "/webhooks/" + webhook.path("id").asText();
  }
}
