package agentsessions.api.workspace;

import agentsessions.api.request.Query;
import agentsessions.session.DailyUsage;
import agentsessions.session.Refusal;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The query of a request for usage: a range of days in UTC, and the columns to group by.
///
/// @param last included
/// @param groups in the order of columns; none: all together
record UsageQuery(LocalDate first, LocalDate last, List<Group> groups) {
  private static final int MOST_DAYS = 366;
  private static final int USUAL_DAYS = 30;
  private static final String FROM = "from";
  private static final String TO = "to";
  private static final String GROUP_BY = "group_by";
  private static final String DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}";

  /// The columns that usage can be grouped by, in their order.
  enum Group {
    DAY("day", "day"),
    AGENT("agent", "agent_name"),
    MODEL("model", "model"),
    KEY("key", "key_id");

    private final String word;
    private final String column;

    Group(String word, String column) {
      this.word = word;
      this.column = column;
    }

    String column() {
      return column;
    }

    /// The group's value; empty where there is none.
    String value(DailyUsage.Of of) {
      String value =
          switch (this) {
            case DAY -> of.day().toString();
            case AGENT -> of.agentName();
            case MODEL -> of.model();
            case KEY -> of.keyId();
          };
      return value == null ? "" : value;
    }

    private static Group of(String word) {
      return Arrays.stream(values())
          .filter(each -> each.word.equals(word))
          .findFirst()
          .orElseThrow();
    }
  }

  /// @param today in UTC
  static UsageQuery read(Query query, LocalDate today) {
    query.refuseOthers(FROM, TO, GROUP_BY);
    Optional<LocalDate> from = date(query, FROM);
    LocalDate last = date(query, TO).orElse(today);
    LocalDate first = from.orElse(last.minusDays(USUAL_DAYS - 1));
    if (first.isAfter(last)) {
      throw Refusal.invalid(FROM, "must not be after " + last);
    }
    if (ChronoUnit.DAYS.between(first, last) >= MOST_DAYS) {
      throw Refusal.invalid(FROM, "is more than 366 days: narrow it");
    }
    String[] words = Arrays.stream(Group.values()).map(group -> group.word).toArray(String[]::new);
    List<Group> groups =
        query.some(GROUP_BY, words).stream().map(Group::of).distinct().sorted().toList();
    return new UsageQuery(first, last, groups);
  }

  boolean isByModel() {
    return groups.contains(Group.MODEL);
  }

  private static Optional<LocalDate> date(Query query, String name) {
    return query.one(name).map(text -> date(name, text));
  }

  private static LocalDate date(String name, String text) {
    try {
      if (text.matches(DATE)) {
        return LocalDate.parse(text);
      }
    } catch (DateTimeParseException noSuchDay) {
      // Refused below, like a text that is no date.
    }
    throw Refusal.invalid(name, "must be a day in UTC, such as 2026-11-21");
  }
}
