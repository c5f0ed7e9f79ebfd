package agentsessions.api.workspace;

import agentsessions.api.request.AuditLog;
import agentsessions.api.request.Call;
import agentsessions.api.request.NeedsScope;
import agentsessions.api.request.RequestBody;
import agentsessions.authorizer.Scope;
import agentsessions.session.usage.SpendingLimits;
import agentsessions.store.usage.SpendingLimitStore;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Put;
import io.micronaut.json.JsonMapper;

/// The endpoints for the spending limits of the caller's workspace: the most that all its turns may
/// cost together.
@Controller("/rest/v1/limits")
class LimitsController {
  private final SpendingLimitStore spendingLimitStore;
  private final JsonMapper json;

  LimitsController(SpendingLimitStore spendingLimitStore, JsonMapper json) {
    this.spendingLimitStore = spendingLimitStore;
    this.json = json;
  }

  @Get
  @NeedsScope(Scope.READ)
  WorkspaceLimitsBody limits(Call call) {
    return WorkspaceLimitsBody.of(spendingLimitStore.of(call.workspace()));
  }

  @Put
  @NeedsScope(Scope.ADMIN)
  WorkspaceLimitsBody replace(Call call) {
    RequestBody body = RequestBody.read(json, call.body());
    SpendingLimits wanted =
        new SpendingLimits(
            body.dollars("max_cost_usd_per_month").orElse(null),
            body.dollars("max_cost_usd_per_day").orElse(null));
    body.check();
    SpendingLimits spendingLimits =
        call.authorized(() -> spendingLimitStore.put(call.workspace(), wanted));
    AuditLog.log("limits.changed", call, "limits", spendingLimits.toString());
    return WorkspaceLimitsBody.of(spendingLimits);
  }
}
