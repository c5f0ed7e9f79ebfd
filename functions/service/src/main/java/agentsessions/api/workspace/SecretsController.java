package agentsessions.api.workspace;

import agentsessions.api.request.AuditLog;
import agentsessions.api.request.Call;
import agentsessions.api.request.NeedsScope;
import agentsessions.api.request.RequestBody;
import agentsessions.authorizer.Scope;
import agentsessions.session.Refusal;
import agentsessions.session.input.Secret;
import agentsessions.store.workspace.Secrets;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Put;
import io.micronaut.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/// The endpoints for the secrets of the caller's workspace. No response has a secret's value.
@Controller("/rest/v1/secrets")
class SecretsController {
  private static final int MOST_BYTES = 4096;
  private static final int MOST_HOSTS = 20;
  private static final int MOST_PORT = 65_535;
  private static final String HOST =
      "(?=.{1,253}(:|$))[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*(:[1-9][0-9]{0,4})?";

  private final Secrets secrets;
  private final JsonMapper json;

  SecretsController(Secrets secrets, JsonMapper json) {
    this.secrets = secrets;
    this.json = json;
  }

  @Put("/{name}")
  @NeedsScope(Scope.ADMIN)
  HttpResponse<?> put(Call call, String name) {
    RequestBody body = RequestBody.read(json, call.body());
    requireName(body, name);
    String value = value(body);
    List<String> hosts = hosts(body);
    boolean environment = body.flag("environment").orElse(false);
    body.check();
    if (!call.authorized(() -> secrets.put(call.workspace(), name, value, hosts, environment))) {
      throw tooMany();
    }
    AuditLog.log("secret.put", call, "name", name);
    return HttpResponse.noContent();
  }

  @Get
  @NeedsScope(Scope.ADMIN)
  SecretPage list(Call call) {
    return new SecretPage(
        secrets.list(call.workspace()).stream().map(SecretPage.SecretBody::of).toList());
  }

  @Delete("/{name}")
  @NeedsScope(Scope.ADMIN)
  HttpResponse<?> delete(Call call, String name) {
    if (!name.matches(Secret.NAME)) {
      throw Refusal.invalid("name", badName());
    }
    if (!call.authorized(() -> secrets.delete(call.workspace(), name))) {
      throw Refusal.notFound("Secret");
    }
    AuditLog.log("secret.deleted", call, "name", name);
    return HttpResponse.noContent();
  }

  private static void requireName(RequestBody body, String name) {
    if (!name.matches(Secret.NAME)) {
      body.fault("name", badName());
    }
  }

  private static String badName() {
    return "must be 1 to 64 of A-Z, 0-9 and _, the first a letter";
  }

  private static String value(RequestBody body) {
    String value = body.optional("value", MOST_BYTES).orElse("");
    int bytes = value.getBytes(StandardCharsets.UTF_8).length;
    if (!body.has("value")) {
      body.fault("value", "is required");
    } else if (bytes < 1 || bytes > MOST_BYTES) {
      body.fault("value", "must be 1 to 4096 bytes of UTF-8");
    } else if (value.contains("{{") || value.indexOf('\0') >= 0) {
      body.fault("value", "must have neither {{ nor a zero byte");
    }
    return value;
  }

  private static List<String> hosts(RequestBody body) {
    List<String> hosts =
        body.list("hosts", MOST_HOSTS).stream()
            .map(host -> host.toLowerCase(Locale.ROOT))
            .distinct()
            .toList();
    if (!hosts.stream().allMatch(SecretsController::isHost)) {
      body.fault("hosts", "must be host or host:port each");
    }
    return hosts;
  }

  private static boolean isHost(String host) {
    return host.matches(HOST)
        && (host.indexOf(':') < 0
            || Integer.parseInt(host.substring(host.indexOf(':') + 1)) <= MOST_PORT);
  }

  private static Refusal tooMany() {
    return Refusal.of(
        Refusal.Code.TOO_MANY_SECRETS,
        "This workspace has %d secrets, which is the most; delete one first"
            .formatted(Secrets.MOST));
  }
}
