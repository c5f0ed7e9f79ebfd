package agentsessions.api.workspace;

import agentsessions.api.request.CommonJson;
import agentsessions.authorizer.ApiKey;
import agentsessions.authorizer.KeyRecord;
import agentsessions.authorizer.Scope;
import agentsessions.store.workspace.ApiKeys;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An API key as the API shows it. Its text is only in the response that made it.
@Serdeable
public record KeyBody(
    String id,
    String name,
    List<String> scopes,
    @Nullable String madeBy,
    String createdAt,
    @Nullable String expiresAt,
    @Nullable String lastUsedAt,
    @Nullable String revokedAt,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String key) {
  static KeyBody of(KeyRecord record) {
    return of(record, null);
  }

  static KeyBody made(ApiKeys.Made made) {
    return of(made.record(), made.key());
  }

  private static KeyBody of(KeyRecord record, @Nullable ApiKey key) {
    return new KeyBody(
        record.id(),
        record.grant().name(),
        scopes(record.grant().scopes()),
        record.grant().madeBy(),
        CommonJson.time(record.createdAt()),
        time(record.grant().expiresAt()),
        time(record.lastUsedAt()),
        time(record.revokedAt()),
        key == null ? null : key.text());
  }

  public static List<String> scopes(Set<Scope> scopes) {
    return Arrays.stream(Scope.values()).filter(scopes::contains).map(Scope::text).toList();
  }

  public static @Nullable String time(@Nullable Instant instant) {
    return instant == null ? null : CommonJson.time(instant);
  }

  /// Without the key's text, so that no log can hold it.
  @Override
  public String toString() {
    return "key " + id;
  }
}
