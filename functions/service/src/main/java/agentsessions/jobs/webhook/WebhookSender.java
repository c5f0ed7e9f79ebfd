package agentsessions.jobs.webhook;

import agentsessions.jobs.WorkerPool;
import agentsessions.session.webhook.Delivery;
import agentsessions.session.webhook.Webhook;
import agentsessions.session.webhook.WebhookEvent;
import agentsessions.store.webhook.Deliveries;
import agentsessions.store.webhook.Outbox;
import agentsessions.store.webhook.WebhookLeases;
import agentsessions.store.webhook.Webhooks;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The sender of webhooks: it makes deliveries of events and sends them, ten at once. Each webhook
/// has one sender at a time. While a webhook fails, one delivery is tried at a time, and the others
/// wait.
@Singleton
public final class WebhookSender {
  private static final Logger LOG = LoggerFactory.getLogger(WebhookSender.class);
  private static final int AT_ONCE = 10;
  private static final int A_ROUND = 20;
  private static final int MOST_SPREAD = 600;
  private static final Duration SPREAD = Duration.ofMinutes(10);

  /// How many waits, each of [#BEHIND], an index gets that still shows deliveries that were sent.
  private static final int MOST_BEHIND = 20;

  private static final Duration BEHIND = Duration.ofMillis(50);

  /// The longest time of a round: two batches of ten attempts, each of fifteen seconds.
  private static final Duration LONGEST_ROUND = Duration.ofSeconds(32);

  /// A delivery that is due again so soon is waited for, instead of being left to another sender.
  private static final Duration WORTH_WAITING = Duration.ofSeconds(40);

  private final Outbox outbox;
  private final Webhooks webhooks;
  private final WebhookLeases leases;
  private final Deliveries deliveries;
  private final WebhookPost post;
  private final JsonMapper json;
  private final Clock clock;

  WebhookSender(
      Outbox outbox,
      Webhooks webhooks,
      WebhookLeases leases,
      Deliveries deliveries,
      WebhookPost post,
      JsonMapper json,
      Clock clock) {
    this.outbox = outbox;
    this.webhooks = webhooks;
    this.leases = leases;
    this.deliveries = deliveries;
    this.post = post;
    this.json = json;
    this.clock = clock;
  }

  /// Makes deliveries of the events of one change, and sends them, each webhook's separately.
  ///
  /// @param end `System.nanoTime` at which nothing more is begun
  public void fanOut(Outbox.Place place, long end) {
    Optional<Outbox.Letter> letter = outbox.open(place);
    if (letter.isEmpty()) {
      return;
    }
    List<WebhookLeases.Name> awake = new ArrayList<>();
    for (Webhook webhook : webhooks.of(letter.get())) {
      List<WebhookEvent> wanted =
          letter.get().events().stream()
              .filter(event -> webhook.subscribesTo(event.type()))
              .toList();
      wanted.forEach(event -> deliveries.put(webhook, event, payload(event, webhook)));
      WebhookLeases.Name name = WebhookLeases.Name.of(webhook);
      if (!wanted.isEmpty() && leases.wake(name)) {
        awake.add(name);
      }
    }
    outbox.remove(place);
    new WorkerPool(Math.max(1, awake.size())).each(awake, end, name -> attempt(name, end));
  }

  /// Sends the due deliveries of one webhook, and waits for those that failed and are due again
  /// soon.
  public void drain(WebhookLeases.Name name, long end) {
    Optional<Instant> again = once(name, end);
    while (again.isPresent() && waited(again.get(), end)) {
      again = once(name, end);
    }
  }

  /// A fault with one webhook must not affect the others.
  private void attempt(WebhookLeases.Name name, long end) {
    try {
      drain(name, end);
    } catch (RuntimeException fault) {
      LOG.atError().addKeyValue("webhook", name.id()).setCause(fault).log("webhook.not_drained");
    }
  }

  /// Sends the due deliveries; the time at which this sender should try again, empty where it need
  /// not.
  private Optional<Instant> once(WebhookLeases.Name name, long end) {
    boolean failed = false;
    int behind = 0;
    Optional<WebhookLeases.Held> held = leases.take(name);
    while (held.isPresent()) {
      WebhookLeases.Held now = held.get();
      spread(now);
      List<Delivery> due = isLate(end) ? List.of() : deliveries.due(now.webhook(), A_ROUND);
      Optional<Instant> next = due.isEmpty() ? deliveries.next(now.webhook()) : Optional.empty();
      if (!isLate(end) && isPast(next) && behind < MOST_BEHIND) {
        behind++;
        pause(BEHIND);
      } else if (due.isEmpty() && leases.release(now, next)) {
        return failed ? next : Optional.empty();
      }
      if (!due.isEmpty()) {
        Round round = round(now, due, end);
        failed |= round.failed();
        if (round.until() != null) {
          return Optional.of(round.until());
        }
      }
      held = leases.renew(now);
    }
    return Optional.empty();
  }

  /// The outcome of a round.
  ///
  /// @param until the time of the next try, where the webhook fails now
  private record Round(boolean failed, @Nullable Instant until) {}

  private Round round(WebhookLeases.Held held, List<Delivery> due, long end) {
    Webhook webhook = held.webhook();
    List<String> secrets = leases.secrets(webhook);
    double chance = new Random().nextDouble();
    Queue<WebhookPost.Answered> answers = new ConcurrentLinkedQueue<>();
    List<Delivery> chosen = webhook.failing() == null ? due : due.subList(0, 1);
    new WorkerPool(AT_ONCE)
        .each(
            chosen,
            end,
            delivery -> {
              if (answers.stream().allMatch(WebhookPost.Answered::isGood)) {
                WebhookPost.Answered answered =
                    post.send(webhook.url(), delivery.event(), body(webhook, delivery), secrets);
                record(webhook, delivery, answered, chance);
                answers.add(answered);
              }
            });
    List<WebhookPost.Answered> all = List.copyOf(answers);
    boolean failed = !all.stream().allMatch(WebhookPost.Answered::isGood);
    if (all.isEmpty() || all.getLast().isGood()) {
      leases.succeeded(held);
      return new Round(failed, null);
    }
    boolean anyGood = all.stream().anyMatch(WebhookPost.Answered::isGood);
    return new Round(true, failed(held, anyGood ? 0 : webhook.failures(), all.getLast(), chance));
  }

  /// Records that the webhook fails; the time of the next try.
  private Instant failed(
      WebhookLeases.Held held, int before, WebhookPost.Answered last, double chance) {
    Instant now = clock.instant();
    if (last.isGone() || (before > 0 && held.webhook().isGivenUp(now))) {
      String reason =
          last.isGone() ? "The receiver answered 410 Gone" : "Nothing but failures for three days";
      leases.disable(held, reason);
      LOG.atInfo().addKeyValue("webhook", held.webhook().id()).log("webhook.disabled");
      return Instant.MAX;
    }
    Instant until = now.plus(RetrySchedule.ofEndpoint(before + 1, chance, last.retryAfter()));
    leases.failed(held, before + 1, until);
    return until;
  }

  private void record(
      Webhook webhook, Delivery delivery, WebhookPost.Answered answered, double chance) {
    Delivery.Attempt attempt = answered.attempt();
    Optional<Instant> next =
        answered.isGood() || answered.isGone()
            ? Optional.empty()
            : RetrySchedule.after(delivery.tries() + 1, chance, answered.retryAfter())
                .map(clock.instant()::plus);
    Delivery.Status then =
        answered.isGood()
            ? Delivery.Status.SUCCEEDED
            : next.isPresent() ? Delivery.Status.PENDING : Delivery.Status.FAILED;
    deliveries.attempted(webhook.workspace(), delivery, attempt, then, next);
    LOG.atInfo()
        .addKeyValue("webhook", webhook.id())
        .addKeyValue("host", URI.create(webhook.url()).getHost())
        .addKeyValue("event", delivery.event())
        .addKeyValue("type", delivery.type().text())
        .addKeyValue("status", attempt.statusCode())
        .addKeyValue("error", attempt.error())
        .addKeyValue("ms", attempt.milliseconds())
        .log("webhook.attempt");
  }

  private void spread(WebhookLeases.Held held) {
    if (held.enabledAnew()) {
      deliveries.spread(held.webhook(), SPREAD, MOST_SPREAD);
      leases.spread(held);
    }
  }

  private boolean waited(Instant until, long end) {
    Duration wait = Duration.between(clock.instant(), until);
    if (wait.compareTo(WORTH_WAITING) > 0
        || end - System.nanoTime() < wait.plus(LONGEST_ROUND).toNanos()) {
      return false;
    }
    pause(wait);
    return !Thread.currentThread().isInterrupted();
  }

  private static void pause(Duration wait) {
    long over = System.nanoTime() + wait.toNanos();
    while (over - System.nanoTime() > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(over - System.nanoTime());
    }
  }

  /// Whether a delivery should be due that was not found: the index still shows an earlier state.
  private boolean isPast(Optional<Instant> next) {
    return next.isPresent() && !next.get().isAfter(clock.instant());
  }

  private static boolean isLate(long end) {
    return end - System.nanoTime() < LONGEST_ROUND.toNanos();
  }

  private String body(Webhook webhook, Delivery delivery) {
    return delivery.body().isEmpty()
        ? payload(WebhookEvent.ping(delivery.event(), delivery.createdAt()), webhook)
        : delivery.body();
  }

  private String payload(WebhookEvent event, Webhook webhook) {
    try {
      return json.writeValueAsString(WebhookPayload.of(event, webhook.baseUrl()));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
