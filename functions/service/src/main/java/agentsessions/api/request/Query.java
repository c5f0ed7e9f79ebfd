package agentsessions.api.request;

import agentsessions.session.Refusal;
import agentsessions.session.id.Stamp;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The query parameters of one request, read strictly: a malformed value is a `VALIDATION` error
/// that names the parameter. Unknown parameters are ignored, except where a route refuses them.
public record Query(Map<String, List<String>> values) {
  private static final BigDecimal MOST_SECONDS = new BigDecimal("9999999999");
  private static final int MOST_DIGITS = 40;

  public Optional<String> one(String name) {
    List<String> given = values.getOrDefault(name, List.of());
    if (given.size() > 1) {
      throw Refusal.invalid(name, "must be given once");
    }
    return given.stream().findFirst();
  }

  /// A text of 1 to `most` characters.
  public Optional<String> text(String name, int most) {
    Optional<String> given = one(name);
    if (given
        .filter(text -> text.isEmpty() || text.codePointCount(0, text.length()) > most)
        .isPresent()) {
      throw Refusal.invalid(name, "must be 1 to %d characters".formatted(most));
    }
    return given;
  }

  /// Refuses all other parameters, where an ignored one could be taken for a filter.
  public void refuseOthers(String... known) {
    values.keySet().stream()
        .filter(name -> !Arrays.asList(known).contains(name))
        .findFirst()
        .ifPresent(name -> {
          throw Refusal.invalid(
              BodyFields.shown(name), "is not known here: there are " + String.join(", ", known));
        });
  }

  /// A parameter that may be repeated, each value one of `allowed`.
  public List<String> some(String name, String... allowed) {
    List<String> given = values.getOrDefault(name, List.of());
    given.forEach(value -> require(name, value, allowed));
    return given.stream().distinct().toList();
  }

  public Optional<String> oneOf(String name, String... allowed) {
    Optional<String> given = one(name);
    given.ifPresent(value -> require(name, value, allowed));
    return given;
  }

  public boolean ascending(boolean otherwise) {
    return oneOf("direction", "asc", "desc").map("asc"::equals).orElse(otherwise);
  }

  public int limit() {
    return one("limit").map(Query::limit).orElse(50);
  }

  /// The number of the page that is requested, if it is requested by number.
  public Optional<Integer> page() {
    return one("page").map(Query::page);
  }

  public Optional<BigDecimal> epochSeconds(String name) {
    return one(name).map(text -> seconds(name, text));
  }

  public Optional<Instant> instant(String name) {
    return one(name).map(text -> instant(name, text));
  }

  /// The named parameters as they were given, for links that keep them.
  public Map<String, List<String>> only(String... names) {
    Map<String, List<String>> kept = new LinkedHashMap<>();
    for (String name : names) {
      if (values.containsKey(name)) {
        kept.put(name, values.get(name));
      }
    }
    return kept;
  }

  private static void require(String name, String value, String... allowed) {
    if (!Arrays.asList(allowed).contains(value)) {
      throw Refusal.invalid(name, "must be one of " + String.join(", ", allowed));
    }
  }

  private static int limit(String text) {
    if (!text.matches("[1-9][0-9]?|100")) {
      throw Refusal.invalid("limit", "must be a whole number from 1 to 100");
    }
    return Integer.parseInt(text);
  }

  private static int page(String text) {
    if (!text.matches("[1-9][0-9]{0,8}")) {
      throw Refusal.invalid("page", "must be a whole number from 1 to 999999999");
    }
    return Integer.parseInt(text);
  }

  private static BigDecimal seconds(String name, String text) {
    if (text.length() > MOST_DIGITS || !text.matches("[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]{1,2})?")) {
      throw Refusal.invalid(name, "must be epoch seconds, such as 1763745000.123456");
    }
    BigDecimal seconds = new BigDecimal(text);
    if (seconds.compareTo(MOST_SECONDS) > 0) {
      throw Refusal.invalid(name, "must be at most " + MOST_SECONDS);
    }
    return seconds;
  }

  private static Instant instant(String name, String text) {
    try {
      OffsetDateTime time = OffsetDateTime.parse(text);
      if (time.getYear() >= 0 && time.getYear() <= 9999) {
        return within(time.toInstant());
      }
    } catch (DateTimeParseException malformed) {
      // Refused below, like a year that has not four digits.
    }
    throw Refusal.invalid(name, "must be an ISO 8601 time, such as 2026-11-21T12:00:00.000Z");
  }

  /// Clamps a time to the range of stamps, which is smaller than that of years. No session is older
  /// or newer, so the result is the same.
  private static Instant within(Instant time) {
    Instant last = Stamp.MAX.instant().truncatedTo(ChronoUnit.SECONDS);
    return time.isBefore(Instant.EPOCH) ? Instant.EPOCH : time.isAfter(last) ? last : time;
  }
}
