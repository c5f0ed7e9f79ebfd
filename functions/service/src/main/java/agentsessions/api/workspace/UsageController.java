package agentsessions.api.workspace;

import agentsessions.api.request.AcceptHeader;
import agentsessions.api.request.Call;
import agentsessions.api.request.NeedsScope;
import agentsessions.authorizer.Scope;
import agentsessions.session.DailyUsage;
import agentsessions.session.Refusal;
import agentsessions.store.usage.UsageLedger;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.time.Clock;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;

/// The endpoint for the usage of the caller's workspace, by day, agent, model and key, as JSON or
/// CSV.
@Controller("/rest/v1/usage")
class UsageController {
  private static final int MOST_COUNTERS = 20_000;
  private static final String CSV = "text/csv";

  private final UsageLedger ledger;
  private final Clock clock;

  UsageController(UsageLedger ledger, Clock clock) {
    this.ledger = ledger;
    this.clock = clock;
  }

  @Get(produces = MediaType.ALL)
  @NeedsScope(Scope.READ)
  HttpResponse<?> used(Call call) {
    LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
    UsageQuery query = UsageQuery.read(call.parameters(), today);
    List<DailyUsage> tallies =
        ledger.list(call.workspace(), query.first(), query.last(), MOST_COUNTERS + 1);
    if (tallies.size() > MOST_COUNTERS) {
      throw Refusal.invalid("from", "has more than 20,000 counters to read: narrow it");
    }
    UsageTable table = UsageTable.of(query, tallies);
    return AcceptHeader.isAsked(call, CSV)
        ? HttpResponse.ok(table.csv()).contentType(CSV + "; charset=utf-8; header=present")
        : HttpResponse.ok(new UsagePage(table.rows())).contentType(MediaType.APPLICATION_JSON_TYPE);
  }
}
