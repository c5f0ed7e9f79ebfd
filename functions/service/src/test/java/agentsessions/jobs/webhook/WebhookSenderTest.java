package agentsessions.jobs.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.api.request.CommonJson;
import agentsessions.aws.InMemoryWebhooks;
import agentsessions.session.id.EventId;
import agentsessions.session.id.Workspace;
import agentsessions.session.webhook.Delivery;
import agentsessions.session.webhook.Webhook;
import agentsessions.session.webhook.WebhookEvent;
import agentsessions.store.webhook.Deliveries;
import agentsessions.store.webhook.WebhookLeases;
import agentsessions.store.webhook.Webhooks;
import agentsessions.table.Shards;
import agentsessions.testing.Loopback;
import agentsessions.testing.SettableClock;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/// The times at which events are sent, over some days.
class WebhookSenderTest {
  private static final Workspace WORKSPACE = new Workspace("w");

  /// The time for one round, too short to wait for another.
  private static final long A_ROUND = TimeUnit.SECONDS.toNanos(34);

  private final SettableClock clock = new SettableClock();
  private final AtomicInteger behind = new AtomicInteger();
  private final InMemoryWebhooks all = InMemoryWebhooks.of(clock, behind);
  private final WebhookSender sender =
      new WebhookSender(
          all.outbox(),
          all.webhooks(),
          all.leases(),
          all.deliveries(),
          all.post(),
          JsonMapper.createDefault(),
          clock);
  private final AtomicInteger status = new AtomicInteger(204);
  private final AtomicInteger came = new AtomicInteger();
  private final AtomicReference<String> last = new AtomicReference<>("");
  @AutoClose private final Loopback receiver;
  private final Webhook webhook;

  WebhookSenderTest() throws IOException {
    receiver =
        new Loopback(exchange -> {
          came.incrementAndGet();
          last.set(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(status.get(), -1);
          exchange.close();
        });
    String url = receiver.url();
    webhook =
        all.webhooks()
            .create(WORKSPACE, url, List.of(), null, "http://here")
            .orElseThrow()
            .webhook();
  }

  @Test
  void aPingSaysItsTimeAndNothingElse() {
    String at = CommonJson.time(clock.instant());
    EventId _ = all.deliveries().ping(webhook);
    drain();
    assertEquals("{\"type\":\"ping\",\"timestamp\":\"%s\",\"data\":{}}".formatted(at), last.get());
  }

  @Test
  void whatFailsIsTriedAgainLaterAndLaterUntilTheWebhookIsGivenUp() {
    status.set(500);
    Instant begun = clock.instant();
    EventId event = event();
    drain();
    assertEquals(1, delivery(event).tries());
    while (now().enabled()) {
      Instant next = all.deliveries().next(webhook).orElseGet(this::again);
      clock.pass(Duration.between(clock.instant(), next).plusMillis(1));
      drain();
    }
    Duration lasted = Duration.between(begun, clock.instant());
    assertTrue(lasted.compareTo(Webhook.GIVE_UP_AFTER) > 0, lasted::toString);
    assertTrue(lasted.compareTo(Webhook.GIVE_UP_AFTER.plusDays(2)) < 0, lasted::toString);
    assertTrue(came.get() >= 10 && came.get() < 20, came::toString);
    assertEquals("Nothing but failures for three days", now().disabledReason());
  }

  @Test
  void whileOneFailsTheOthersOnlyQueue() {
    status.set(500);
    EventId _ = event();
    drain();
    for (int i = 0; i < 30; i++) {
      EventId _ = event();
      assertFalse(all.leases().wake(WebhookLeases.Name.of(webhook)));
    }
    assertEquals(1, came.get());
    clock.pass(Duration.ofSeconds(7));
    drain();
    assertEquals(2, came.get());
    status.set(204);
    clock.pass(Duration.ofSeconds(40));
    drain();
    assertEquals(2 + 31, came.get());
    assertEquals(0, now().failures());
    assertTrue(all.deliveries().next(webhook).isEmpty());
  }

  @Test
  void whatWaitedForADisabledWebhookIsSpreadOverTenMinutes() {
    status.set(410);
    EventId _ = event();
    drain();
    assertFalse(now().enabled());
    for (int i = 0; i < 20; i++) {
      EventId _ = event();
    }
    status.set(204);
    enable();
    drain();
    assertEquals(2, came.get());
    clock.pass(Duration.ofMinutes(5).plusSeconds(1));
    drain();
    assertEquals(1 + 11, came.get());
    clock.pass(Duration.ofMinutes(5));
    drain();
    assertEquals(1 + 20, came.get());
  }

  @Test
  void oneSenderAtATimeAndNothingIsOverlooked() {
    WebhookLeases.Held held = all.leases().take(WebhookLeases.Name.of(webhook)).orElseThrow();
    EventId _ = event();
    assertTrue(all.leases().wake(WebhookLeases.Name.of(webhook)));
    drain();
    assertEquals(0, came.get());
    assertFalse(all.leases().release(held, Optional.empty()));
    clock.pass(Duration.ofSeconds(61));
    drain();
    assertEquals(1, came.get());
  }

  @Test
  void whatTheIndexShowsLateIsSentAMinuteLater() {
    drain();
    EventId _ = event();
    assertTrue(all.leases().wake(WebhookLeases.Name.of(webhook)));
    behind.set(2);
    drain();
    assertEquals(0, came.get());
    assertEquals(List.of(), lookedFor());
    clock.pass(Duration.ofSeconds(61));
    assertEquals(List.of(WebhookLeases.Name.of(webhook)), lookedFor());
    drain();
    assertEquals(1, came.get());
    clock.pass(Duration.ofDays(1));
    assertEquals(List.of(), lookedFor());
  }

  @Test
  void whatTheIndexStillShowsHidesNothing() {
    for (int i = 0; i < 25; i++) {
      EventId _ = event();
    }
    behind.set(1);
    drain();
    assertEquals(25, came.get());
  }

  /// The webhooks that the sweep finds due.
  private List<WebhookLeases.Name> lookedFor() {
    return Shards.webhooks().stream().flatMap(shard -> all.leases().due(shard).stream()).toList();
  }

  private void enable() {
    Webhooks.Patch patch =
        new Webhooks.Patch(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(true));
    assertTrue(all.webhooks().change(WORKSPACE, webhook.id(), patch).isPresent());
  }

  private EventId event() {
    Instant at = clock.instant();
    WebhookEvent event = WebhookEvent.ping(Deliveries.fresh(at), at);
    all.deliveries().put(webhook, event, "{}");
    return event.id();
  }

  /// Another one, where all before were tried as often as they may be.
  private Instant again() {
    EventId _ = event();
    return clock.instant().plus(Duration.ofHours(12));
  }

  private void drain() {
    sender.drain(WebhookLeases.Name.of(webhook), System.nanoTime() + A_ROUND);
  }

  private Webhook now() {
    return all.webhooks().find(WORKSPACE, webhook.id()).orElseThrow();
  }

  private Delivery delivery(EventId event) {
    return all.deliveries().find(WORKSPACE, webhook.id(), event).orElseThrow();
  }
}
