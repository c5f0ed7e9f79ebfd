package agentsessions.store.webhook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.ContendedTable;
import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryParameters;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.ParameterStore;
import agentsessions.session.id.EventId;
import agentsessions.session.id.Workspace;
import agentsessions.session.webhook.Delivery;
import agentsessions.session.webhook.Webhook;
import agentsessions.session.webhook.WebhookEvent;
import agentsessions.table.ChangeSignal;
import agentsessions.table.Layout;
import agentsessions.table.Shards;
import agentsessions.table.Table;
import agentsessions.testing.SettableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Webhooks, their leases and their deliveries, with others that write at the same time.
public class WebhookRacesTest {
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final Duration A_LEASE = Duration.ofSeconds(61);

  private final SettableClock clock = new SettableClock();
  private final InMemoryTable memory = new InMemoryTable(InMemoryAws.TABLE);
  private final ContendedTable contended = new ContendedTable(memory);
  private final Table table = new Table(contended, InMemoryAws.TABLE, new ChangeSignal(false));
  private final WebhookSecrets secrets =
      new WebhookSecrets(new ParameterStore(new InMemoryParameters(), "/stack"));
  private final Announcer announcer = InMemoryAws.announcer(table, clock, 0);
  private final Webhooks webhooks = new Webhooks(table, secrets, announcer, clock);
  private final WebhookLeases leases = new WebhookLeases(table, () -> secrets, clock);
  private final Deliveries deliveries = new Deliveries(table, clock);
  private final Webhook webhook = create().orElseThrow();
  private final WebhookLeases.Name name = WebhookLeases.Name.of(webhook);

  @Test
  void ofTwoThatAreMadeAtOnceOneIsTooMany() {
    for (int made = 1; made < Webhooks.MOST - 1; made++) {
      assertTrue(create().isPresent());
    }
    contended.beforeWrite(1, () -> assertTrue(create().isPresent()));
    assertEquals(Optional.empty(), create());
  }

  @Test
  void whereTheLastTwoAreRemovedAtOnceNobodyHearsAnyMore() {
    Webhook other = create().orElseThrow();
    contended.beforeWrite(1, () -> assertTrue(webhooks.delete(WORKSPACE, other.id())));
    assertTrue(webhooks.delete(WORKSPACE, webhook.id()));
    assertFalse(announcer.hasWebhooks(WORKSPACE));
  }

  @Test
  void whatIsRemovedIsNotChanged() {
    remove();
    assertFalse(enable(true));
    assertEquals(List.of(), webhooks.list(WORKSPACE));
  }

  @Test
  void whatIsRemovedMeanwhileGetsNoNewSecret() {
    contended.beforeWrite(1, this::remove);
    assertEquals(Optional.empty(), webhooks.rotate(WORKSPACE, webhook.id()));
    assertEquals(List.of(), webhooks.list(WORKSPACE));
  }

  @Test
  void ofTwoNewSecretsAtOnceBothSign() {
    List<String> shown = new ArrayList<>();
    contended.beforeWrite(1, () -> shown.add(rotated()));
    shown.add(rotated());
    assertEquals(Set.copyOf(shown), Set.copyOf(leases.secrets(webhook)));
  }

  @Test
  void whatIsDisabledIsNotWoken() {
    assertTrue(enable(false));
    assertFalse(leases.wake(name));
    assertEquals(List.of(), due());
    leases.wakeAnyhow(name);
    assertEquals(List.of(), due());
  }

  @Test
  void norIsItWhereItFailedBefore() {
    leases.failed(take(), 1, clock.instant().plusSeconds(7));
    assertTrue(enable(false));
    assertFalse(leases.wake(name));
    assertEquals(List.of(), due());
  }

  @Test
  void whatIsDisabledUnderItsSenderIsNotDueAgain() {
    WebhookLeases.Held held = take();
    assertTrue(enable(false));
    assertFalse(leases.release(held, Optional.of(clock.instant())));
    assertEquals(List.of(), due());
    leases.failed(held, 1, clock.instant());
    assertEquals(List.of(), due());
    assertTrue(enable(true));
    assertTrue(leases.take(name).isPresent(), "another sender need not wait for the lease");
  }

  @Test
  void whoeverHasLostTheLeaseReleasesNoOthers() {
    WebhookLeases.Held late = take();
    clock.pass(A_LEASE);
    WebhookLeases.Held _ = take();
    leases.failed(late, 1, clock.instant());
    assertEquals(Optional.empty(), leases.take(name));
  }

  @Test
  void whatIsDisabledIsNotRenewedButReleased() {
    WebhookLeases.Held held = take();
    assertTrue(enable(false));
    assertEquals(Optional.empty(), leases.renew(held));
    assertTrue(enable(true));
    assertTrue(leases.take(name).isPresent());
  }

  @Test
  void whatFailsIsNotWokenBeforeItsTime() {
    leases.failed(take(), 1, clock.instant().plusSeconds(7));
    assertFalse(leases.wake(name));
    assertEquals(List.of(), due());
    clock.pass(Duration.ofSeconds(7));
    assertEquals(List.of(name), due());
  }

  @Test
  void whatIsDisabledIsNotTaken() {
    assertTrue(enable(false));
    assertEquals(Optional.empty(), leases.take(name));
    assertTrue(enable(true));
    assertTrue(leases.take(name).isPresent());
  }

  @Test
  void oneSenderAtATime() {
    WebhookLeases.Held _ = take();
    assertEquals(Optional.empty(), leases.take(name));
    clock.pass(A_LEASE);
    assertTrue(leases.take(name).isPresent());
  }

  @Test
  void aSenderThatIsLateChangesNothing() {
    assertTrue(enable(true));
    WebhookLeases.Held late = take();
    clock.pass(A_LEASE);
    WebhookLeases.Held _ = take();
    clock.pass(Duration.ofSeconds(1));
    changesNothing(() -> assertEquals(Optional.empty(), leases.renew(late)));
    changesNothing(() -> leases.spread(late));
    changesNothing(() -> leases.succeeded(late));
    changesNothing(() -> leases.failed(late, 1, clock.instant()));
    changesNothing(() -> leases.disable(late, "late"));
    changesNothing(() -> assertFalse(leases.release(late, Optional.empty())));
  }

  @Test
  void whatIsWokenMeanwhileIsNotReleased() {
    WebhookLeases.Held first = take();
    assertTrue(leases.wake(name));
    assertFalse(leases.release(first, Optional.empty()));
    clock.pass(A_LEASE);
    WebhookLeases.Held second = take();
    assertTrue(leases.wake(name));
    assertFalse(leases.release(second, Optional.empty()));
  }

  /// Its sender may not see yet for what it is woken, and then would leave it without a due time.
  @Test
  void whatRecoversWhileItIsWokenIsNotReleased() {
    leases.failed(take(), 1, clock.instant());
    WebhookLeases.Held sender = take();
    contended.beforeWrite(2, () -> leases.succeeded(sender));
    assertFalse(leases.wake(name));
    assertFalse(leases.release(sender, Optional.empty()));
  }

  @Test
  void aDeliveryIsMadeOnce() {
    WebhookEvent event = event();
    attempted(delivery(event), Delivery.Status.SUCCEEDED);
    deliveries.put(webhook, event, "{}");
    assertEquals(Delivery.Status.SUCCEEDED, delivery(event).status());
  }

  @Test
  void whatHasExpiredIsNotSentAgain() {
    WebhookEvent event = event();
    clock.pass(Delivery.KEPT);
    assertFalse(again(event.id()));
    assertFalse(again(Deliveries.fresh(clock.instant())));
  }

  @Test
  void whatIsSentMeanwhileIsNotPutOff() {
    WebhookEvent event = event();
    contended.beforeWrite(1, () -> attempted(delivery(event), Delivery.Status.SUCCEEDED));
    deliveries.spread(webhook, Duration.ofMinutes(10), 10);
    assertNull(delivery(event).nextAttemptAt());
  }

  @Test
  void anAttemptBeforeItWasAskedForAnewDoesNotCount() {
    WebhookEvent event = event();
    attempted(delivery(event), Delivery.Status.PENDING);
    Delivery before = delivery(event);
    assertTrue(again(event.id()));
    attempted(before, Delivery.Status.FAILED);
    assertEquals(Delivery.Status.PENDING, delivery(event).status());
  }

  @Test
  void anAttemptOfWhatIsGoneLeavesNothing() {
    WebhookEvent event = event();
    Delivery before = delivery(event);
    table.purge(List.of(Layout.delivery(WORKSPACE, webhook.id(), event.id())));
    attempted(before, Delivery.Status.FAILED);
    assertEquals(Optional.empty(), deliveries.find(WORKSPACE, webhook.id(), event.id()));
  }

  private void changesNothing(Runnable call) {
    Map<?, ?> before = Map.copyOf(memory.contents());
    call.run();
    assertEquals(before, memory.contents());
  }

  private Optional<Webhook> create() {
    return webhooks
        .create(WORKSPACE, "http://receiver", List.of(), null, "http://here")
        .map(Webhooks.Made::webhook);
  }

  private void remove() {
    assertTrue(webhooks.delete(WORKSPACE, webhook.id()));
  }

  private String rotated() {
    return webhooks.rotate(WORKSPACE, webhook.id()).orElseThrow().secret();
  }

  private boolean enable(boolean enabled) {
    Webhooks.Patch patch =
        new Webhooks.Patch(
            Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(enabled));
    return webhooks.change(WORKSPACE, webhook.id(), patch).isPresent();
  }

  private WebhookLeases.Held take() {
    return leases.take(name).orElseThrow();
  }

  private List<WebhookLeases.Name> due() {
    return Shards.webhooks().stream().flatMap(shard -> leases.due(shard).stream()).toList();
  }

  private WebhookEvent event() {
    Instant at = clock.instant();
    WebhookEvent event = WebhookEvent.ping(Deliveries.fresh(at), at);
    deliveries.put(webhook, event, "{}");
    return event;
  }

  private Delivery delivery(WebhookEvent event) {
    return deliveries.find(WORKSPACE, webhook.id(), event.id()).orElseThrow();
  }

  private boolean again(EventId event) {
    return deliveries.again(WORKSPACE, webhook.id(), event);
  }

  private void attempted(Delivery delivery, Delivery.Status then) {
    Delivery.Attempt attempt = new Delivery.Attempt(clock.instant(), 200, 1, null);
    Optional<Instant> next =
        then == Delivery.Status.PENDING ? Optional.of(clock.instant()) : Optional.empty();
    deliveries.attempted(WORKSPACE, delivery, attempt, then, next);
  }
}
