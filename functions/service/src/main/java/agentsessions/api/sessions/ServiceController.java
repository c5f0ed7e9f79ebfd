package agentsessions.api.sessions;

import agentsessions.api.request.AnyScope;
import agentsessions.api.request.Call;
import agentsessions.authorizer.WorkspaceKeys;
import agentsessions.aws.Authentication;
import agentsessions.session.Refusal;
import agentsessions.turn.catalogue.AgentCatalogue;
import agentsessions.turn.catalogue.OperatorPolicy;
import agentsessions.turn.catalogue.UnofferedAgents;
import io.micronaut.context.annotation.Property;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The endpoints about the service itself: its agents, the caller's key, its contract, its health.
@Controller("/rest/v1")
class ServiceController {
  private static final ServiceBody.Limits LIMITS =
      new ServiceBody.Limits(100, 256 * 1024, 1024 * 1024, WorkspaceKeys.CAP);
  private static final String CONTRACT = "/openapi.yaml";

  private final AgentCatalogue catalogue;
  private final UnofferedAgents absences;
  private final Authentication keys;
  private final OperatorPolicy allowed;
  private final List<String> hosts;
  private final String isolation;
  private final String memory;
  private final String version;
  private final boolean isOpenAboutItself;

  ServiceController(
      AgentCatalogue catalogue,
      UnofferedAgents absences,
      Authentication keys,
      OperatorPolicy allowed,
      @Property(name = "allowed.hosts", defaultValue = "") List<String> hosts,
      @Property(name = "isolation", defaultValue = "lambda") String isolation,
      @Property(name = "memory", defaultValue = "lambda") String memory,
      @Property(name = "service.version") String version,
      @Property(name = "health.details", defaultValue = "true") boolean isOpenAboutItself) {
    this.catalogue = catalogue;
    this.absences = absences;
    this.keys = keys;
    this.allowed = allowed;
    this.hosts = hosts.stream().filter(host -> !host.isBlank()).toList();
    this.isolation = isolation;
    this.memory = memory;
    this.version = version;
    this.isOpenAboutItself = isOpenAboutItself;
  }

  @Get("/agents")
  @AnyScope
  ServiceBody.AgentPage agents(Call call) {
    return new ServiceBody.AgentPage(
        catalogue.offered().stream().map(agent -> AgentBody.of(agent, isolation, hosts)).toList(),
        absences.reasons().entrySet().stream()
            .map(absent -> new ServiceBody.Absence(absent.getKey(), absent.getValue()))
            .toList());
  }

  @Get("/me")
  @AnyScope
  ServiceBody.Me me(Call call) {
    return keys.find(call.workspace(), call.keyId())
        .map(key -> ServiceBody.Me.of(key, LIMITS))
        .orElseThrow(Refusal::unauthorized);
  }

  /// Without an agent the service is degraded, not down: past sessions can be read. Why there is
  /// none is shown only to holders of a key, in the list of agents.
  @Get("/health")
  ServiceBody.Health health() {
    String status = catalogue.offered().isEmpty() ? "degraded" : "ok";
    return isOpenAboutItself
        ? new ServiceBody.Health(status, isolation, memory, allowed.git(), version)
        : new ServiceBody.Health(status, null, null, null, null);
  }

  /// The contract in its one form, whatever the client accepts.
  @Get(value = "/openapi.yaml", produces = MediaType.ALL)
  HttpResponse<String> contract() {
    try (InputStream file = ServiceController.class.getResourceAsStream(CONTRACT)) {
      if (file == null) {
        throw new IllegalStateException(CONTRACT + " is not in the package");
      }
      return HttpResponse.ok(new String(file.readAllBytes(), StandardCharsets.UTF_8))
          .header(HttpHeaders.CACHE_CONTROL, "no-cache")
          .contentType("application/yaml");
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
