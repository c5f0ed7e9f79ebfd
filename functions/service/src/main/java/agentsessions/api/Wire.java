package agentsessions.api;

import agentsessions.authorizer.KeyRecord;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The smaller JSON objects of `infra/openapi.yaml`, and how times are written. A larger object, as
/// {@link SessionBody}, is a record of its own, with the way it is made.
public final class Wire {
  private static final DateTimeFormatter MILLISECONDS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  @Serdeable
  record Href(String href) {}

  @Serdeable
  record PageLinks(Href self, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Href next) {}

  @Serdeable
  record AgentPage(List<AgentBody> items, List<Absence> notOffered) {}

  @Serdeable
  record Absence(String name, String reason) {}

  @Serdeable
  record Limits(int requestsPerMinute, int messageBytes, int requestBodyBytes, int liveKeys) {}

  @Serdeable
  record Me(
      String workspace,
      String keyId,
      @Nullable String name,
      List<String> scopes,
      @Nullable String expiresAt,
      Limits limits) {
    static Me of(KeyRecord key, Limits limits) {
      return new Me(
          key.workspace(),
          key.id(),
          key.grant().name(),
          KeyBody.scopes(key.grant().scopes()),
          KeyBody.time(key.grant().expiresAt()),
          limits);
    }
  }

  @Serdeable
  record Health(
      String status,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String isolation,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String memory,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean git,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String version) {}

  @Serdeable
  record Detail(String field, String message) {}

  @Serdeable
  public record Problem(
      String code,
      String message,
      String requestId,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Detail> details) {}

  static String time(Instant instant) {
    return MILLISECONDS.format(instant);
  }

  /// Of millionths.
  static BigDecimal dollars(long micros) {
    return BigDecimal.valueOf(micros, 6);
  }

  /// Of thousandths.
  static BigDecimal seconds(long millis) {
    return BigDecimal.valueOf(millis, 3);
  }

  private Wire() {}
}
