package agentsessions.api.request;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The smaller JSON objects of `infra/openapi.yaml` that responses share, and the formats of times,
/// dollars and seconds. A larger object, such as `SessionBody`, is a record of its own.
public final class CommonJson {
  private static final DateTimeFormatter MILLISECONDS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  @Serdeable
  public record Href(String href) {}

  @Serdeable
  public record PageLinks(
      Href self, @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Href next) {}

  @Serdeable
  record Detail(String field, String message) {}

  @Serdeable
  public record Problem(
      String code,
      String message,
      String requestId,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Detail> details) {}

  /// ISO 8601 in UTC, with milliseconds.
  public static String time(Instant instant) {
    return MILLISECONDS.format(instant);
  }

  /// Dollars, from micro-dollars.
  public static BigDecimal dollars(long micros) {
    return BigDecimal.valueOf(micros, 6);
  }

  /// Seconds, from milliseconds.
  public static BigDecimal seconds(long millis) {
    return BigDecimal.valueOf(millis, 3);
  }

  private CommonJson() {}
}
