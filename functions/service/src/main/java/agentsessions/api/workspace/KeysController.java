package agentsessions.api.workspace;

import agentsessions.api.request.AuditLog;
import agentsessions.api.request.Call;
import agentsessions.api.request.NeedsScope;
import agentsessions.api.request.RequestBody;
import agentsessions.authorizer.Grant;
import agentsessions.authorizer.Scope;
import agentsessions.authorizer.WorkspaceKeys;
import agentsessions.session.Refusal;
import agentsessions.store.workspace.ApiKeys;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.json.JsonMapper;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The endpoints that make, list and revoke the keys of the caller's workspace.
@Controller("/rest/v1/keys")
class KeysController {
  private static final int MOST_SCOPES = 16;
  private static final int MOST_NAME = 100;
  private static final int MOST_DAYS = 3650;
  private static final String DAYS = "expires_in_days";
  private static final String SCOPES = "scopes";

  private final ApiKeys keys;
  private final JsonMapper json;
  private final Clock clock;

  KeysController(ApiKeys keys, JsonMapper json, Clock clock) {
    this.keys = keys;
    this.json = json;
    this.clock = clock;
  }

  @Post
  @NeedsScope(Scope.ADMIN)
  HttpResponse<KeyBody> create(Call call) {
    Grant grant = grant(call, RequestBody.read(json, call.body()));
    ApiKeys.Made made =
        call.authorized(() -> keys.create(call.workspace(), grant))
            .orElseThrow(KeysController::tooMany);
    AuditLog.log("key.created", call, "id", made.record().id());
    return HttpResponse.created(KeyBody.made(made)).contentType(MediaType.APPLICATION_JSON_TYPE);
  }

  @Get
  @NeedsScope(Scope.ADMIN)
  KeyPage list(Call call) {
    return new KeyPage(keys.list(call.workspace()).stream().map(KeyBody::of).toList());
  }

  @Delete("/{key_id}")
  @NeedsScope(Scope.ADMIN)
  HttpResponse<?> revoke(Call call, String key_id) {
    switch (call.authorized(() -> keys.revoke(call.workspace(), key_id, call.keyId()))) {
      case REVOKED -> AuditLog.log("key.revoked", call, "id", key_id);
      case NO_SUCH_KEY -> throw Refusal.notFound("Key");
      case LAST_ADMIN ->
          throw Refusal.of(
              Refusal.Code.LAST_ADMIN_KEY,
              "This is the last key that can administer the workspace; make another one first");
    }
    return HttpResponse.noContent();
  }

  private Grant grant(Call call, RequestBody body) {
    String name = body.required("name");
    if (name.codePointCount(0, name.length()) > MOST_NAME) {
      body.fault("name", "must be at most 100 characters");
    }
    Set<Scope> scopes = scopes(body);
    if (scopes.contains(Scope.DECIDE)) {
      call.require(Scope.DECIDE, "only a key that has it makes keys that have it");
    }
    @Nullable Instant expiresAt = expiry(body);
    body.check();
    return new Grant(name, scopes, expiresAt).madeBy(call.keyId());
  }

  private static Set<Scope> scopes(RequestBody body) {
    if (!body.has(SCOPES)) {
      return Set.of(Scope.READ, Scope.WRITE);
    }
    List<String> given = body.list(SCOPES, MOST_SCOPES);
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    given.stream().map(Scope::of).flatMap(Optional::stream).forEach(scopes::add);
    if (given.isEmpty() || given.stream().anyMatch(text -> Scope.of(text).isEmpty())) {
      body.fault(SCOPES, "must be one or more of " + Scope.texts(Scope.all()).replace(" ", ", "));
    }
    return scopes;
  }

  private @Nullable Instant expiry(RequestBody body) {
    return body.whole(DAYS, 1, MOST_DAYS)
        .map(days -> clock.instant().truncatedTo(ChronoUnit.SECONDS).plus(Duration.ofDays(days)))
        .orElse(null);
  }

  private static Refusal tooMany() {
    return Refusal.of(
        Refusal.Code.TOO_MANY_KEYS,
        "This workspace has %d live keys, which is the most; revoke one first"
            .formatted(WorkspaceKeys.CAP));
  }
}
