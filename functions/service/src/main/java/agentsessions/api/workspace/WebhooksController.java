package agentsessions.api.workspace;

import agentsessions.api.request.AuditLog;
import agentsessions.api.request.Call;
import agentsessions.api.request.NeedsScope;
import agentsessions.api.request.PageRange;
import agentsessions.api.request.Query;
import agentsessions.api.request.RequestBody;
import agentsessions.authorizer.Scope;
import agentsessions.session.Refusal;
import agentsessions.session.id.EventId;
import agentsessions.session.id.WebhookId;
import agentsessions.session.webhook.Delivery;
import agentsessions.session.webhook.Webhook;
import agentsessions.session.webhook.WebhookEventType;
import agentsessions.store.webhook.Announcer;
import agentsessions.store.webhook.Deliveries;
import agentsessions.store.webhook.WebhookLeases;
import agentsessions.store.webhook.Webhooks;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Patch;
import io.micronaut.http.annotation.Post;
import io.micronaut.json.JsonMapper;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// The endpoints for the webhooks of the caller's workspace and their deliveries.
@Controller("/rest/v1/webhooks")
class WebhooksController {
  private static final int MOST_RECORDS = 500;

  private final Webhooks webhooks;
  private final Deliveries deliveries;
  private final WebhookLeases leases;
  private final Announcer announcer;
  private final WebhookFields fields;
  private final JsonMapper json;
  private final Clock clock;

  WebhooksController(
      Webhooks webhooks,
      Deliveries deliveries,
      WebhookLeases leases,
      Announcer announcer,
      WebhookFields fields,
      JsonMapper json,
      Clock clock) {
    this.webhooks = webhooks;
    this.deliveries = deliveries;
    this.leases = leases;
    this.announcer = announcer;
    this.fields = fields;
    this.json = json;
    this.clock = clock;
  }

  @Post
  @NeedsScope(Scope.ADMIN)
  HttpResponse<WebhookBody> create(Call call) {
    RequestBody body = RequestBody.read(json, call.body());
    String url = fields.url(body);
    List<WebhookEventType> types = fields.types(body);
    Optional<String> description = fields.description(body);
    body.check();
    Webhooks.Made made =
        call.authorized(() ->
                webhooks.create(
                    call.workspace(), url, types, description.orElse(null), call.baseUrl()))
            .orElseThrow(WebhooksController::tooMany);
    AuditLog.log("webhook.created", call, "id", made.webhook().id().toString());
    return HttpResponse.created(WebhookBody.made(made))
        .contentType(MediaType.APPLICATION_JSON_TYPE)
        .header(HttpHeaders.LOCATION, call.links().webhook(made.webhook().id()));
  }

  @Get
  @NeedsScope(Scope.ADMIN)
  WebhookPage list(Call call) {
    return new WebhookPage(webhooks.list(call.workspace()).stream().map(WebhookBody::of).toList());
  }

  @Get("/{webhook_id}")
  @NeedsScope(Scope.ADMIN)
  WebhookBody load(Call call, String webhook_id) {
    return WebhookBody.of(found(call, webhook_id));
  }

  @Patch("/{webhook_id}")
  @NeedsScope(Scope.ADMIN)
  WebhookBody change(Call call, String webhook_id) {
    WebhookId id = id(webhook_id);
    RequestBody body = RequestBody.read(json, call.body());
    Webhooks.Patch patch = fields.patch(body);
    body.check();
    Webhook changed =
        call.authorized(() -> webhooks.change(call.workspace(), id, patch))
            .orElseThrow(WebhooksController::none);
    AuditLog.log("webhook.changed", call, "id", id.toString());
    return WebhookBody.of(changed);
  }

  @Delete("/{webhook_id}")
  @NeedsScope(Scope.ADMIN)
  HttpResponse<?> delete(Call call, String webhook_id) {
    WebhookId id = id(webhook_id);
    if (!call.authorized(() -> webhooks.delete(call.workspace(), id))) {
      throw none();
    }
    AuditLog.log("webhook.deleted", call, "id", id.toString());
    return HttpResponse.noContent();
  }

  @Post("/{webhook_id}/rotate")
  @NeedsScope(Scope.ADMIN)
  WebhookBody rotate(Call call, String webhook_id) {
    WebhookId id = id(webhook_id);
    Webhooks.Made made =
        call.authorized(() -> webhooks.rotate(call.workspace(), id))
            .orElseThrow(WebhooksController::none);
    AuditLog.log("webhook.rotated", call, "id", id.toString());
    return WebhookBody.made(made);
  }

  @Post("/{webhook_id}/ping")
  @NeedsScope(Scope.ADMIN)
  HttpResponse<DeliveryBody> ping(Call call, String webhook_id) {
    Webhook webhook = found(call, webhook_id);
    EventId ping = deliveries.ping(webhook);
    start(webhook);
    return accepted(call, webhook.id(), ping);
  }

  @Get("/{webhook_id}/deliveries")
  @NeedsScope(Scope.ADMIN)
  DeliveryBody.DeliveryPage deliveries(Call call, String webhook_id) {
    Query query = call.parameters();
    Optional<String> status = query.oneOf("status", "pending", "succeeded", "failed");
    WebhookId id = id(webhook_id);
    PageRange page = PageRange.read(query, call.links().deliveries(id), false, "status", "limit");
    if (webhooks.find(call.workspace(), id).isEmpty()) {
      throw none();
    }
    Instant now = clock.instant();
    List<Delivery> read =
        deliveries.list(
            call.workspace(), id, page.first(), page.last(), page.ascending(), MOST_RECORDS);
    List<Delivery> matching =
        read.stream()
            .filter(delivery -> !delivery.isOver(now))
            .filter(delivery -> status.map(delivery.status().word()::equals).orElse(true))
            .toList();
    List<Delivery> shown = matching.subList(0, Math.min(page.limit(), matching.size()));
    return new DeliveryBody.DeliveryPage(
        shown.stream().map(DeliveryBody::of).toList(),
        matching.size() > shown.size()
            ? page.links(shown.getLast().event().toString())
            : page.links(read.size() == MOST_RECORDS ? read.getLast().event().toString() : null));
  }

  @Post("/{webhook_id}/deliveries/{delivery_id}/redeliver")
  @NeedsScope(Scope.ADMIN)
  HttpResponse<DeliveryBody> redeliver(Call call, String webhook_id, String delivery_id) {
    EventId event =
        EventId.parse(delivery_id)
            .orElseThrow(() -> Refusal.invalid("delivery_id", "must be a UUID"));
    Webhook webhook = found(call, webhook_id);
    if (!deliveries.again(call.workspace(), webhook.id(), event)) {
      throw Refusal.notFound("Delivery");
    }
    start(webhook);
    return accepted(call, webhook.id(), event);
  }

  private void start(Webhook webhook) {
    WebhookLeases.Name name = WebhookLeases.Name.of(webhook);
    leases.wakeAnyhow(name);
    announcer.start(name);
  }

  private HttpResponse<DeliveryBody> accepted(Call call, WebhookId webhook, EventId event) {
    Delivery delivery =
        deliveries
            .find(call.workspace(), webhook, event)
            .orElseThrow(() -> Refusal.notFound("Delivery"));
    return HttpResponse.<DeliveryBody>status(HttpStatus.ACCEPTED)
        .body(DeliveryBody.of(delivery))
        .contentType(MediaType.APPLICATION_JSON_TYPE);
  }

  private Webhook found(Call call, String webhook_id) {
    return webhooks.find(call.workspace(), id(webhook_id)).orElseThrow(WebhooksController::none);
  }

  private static WebhookId id(String text) {
    return WebhookId.parse(text).orElseThrow(() -> Refusal.invalid("webhook_id", "must be a UUID"));
  }

  private static Refusal none() {
    return Refusal.notFound("Webhook");
  }

  private static Refusal tooMany() {
    return Refusal.of(
        Refusal.Code.TOO_MANY_WEBHOOKS,
        "This workspace has %d webhooks, which is the most; delete one first"
            .formatted(Webhooks.MOST));
  }
}
