package agentsessions.api.messages;

import agentsessions.api.request.Call;
import agentsessions.api.request.CommonJson;
import agentsessions.api.request.Cursor;
import agentsessions.api.request.Links;
import agentsessions.api.request.Query;
import agentsessions.api.sessions.MessageBody;
import agentsessions.api.sessions.ThreadBody;
import agentsessions.rule.Encoded;
import agentsessions.session.Message;
import agentsessions.session.MessageKind;
import agentsessions.session.Refusal;
import agentsessions.session.Turn;
import agentsessions.session.id.Stamp;
import agentsessions.store.message.History;
import agentsessions.store.message.NumberedPages;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The filter of a page of messages: kinds, bounds, direction and limit, and the links to the pages
/// around it (api.md).
///
/// `after` is where an ascending page begins (excluded), `before` where a descending one does
/// (excluded); they come from the cursor or from `gts`.
public record MessageFilter(
    Set<MessageKind> kinds,
    Stamp after,
    Optional<Stamp> before,
    boolean ascending,
    int limit,
    Optional<Integer> page,
    String url,
    Map<String, List<String>> kept) {

  public static MessageFilter read(Query query, String url) {
    Set<MessageKind> kinds =
        kinds(
            query.some("type", "message", "final_message", "tool_call"),
            query.some("role", "user", "assistant"));
    boolean ascending = query.ascending(true);
    int limit = query.limit();
    Optional<Integer> page = query.page();
    if (page.isPresent() && (query.one("gts").isPresent() || query.one("cursor").isPresent())) {
      throw Refusal.invalid("page", "cannot be combined with gts or cursor; follow _links.next");
    }
    Stamp gts = query.epochSeconds("gts").map(Stamp::ofEpochSeconds).orElse(Stamp.ZERO);
    Map<String, List<String>> kept =
        query.only("type", "role", "thread_id", "gts", "direction", "limit", "page");
    MessageFilter first =
        new MessageFilter(kinds, gts, Optional.empty(), ascending, limit, page, url, kept);
    return query
        .one("cursor")
        .map(cursor -> Cursor.read(cursor, first.binding()))
        .map(cursor -> first.from(cursor.stamp()))
        .orElse(first);
  }

  boolean covers(Stamp stamp) {
    return stamp.compareTo(after) > 0 && before.map(end -> stamp.compareTo(end) < 0).orElse(true);
  }

  /// The range to read: one message more than the page shows, to know whether there is a next page.
  History.Range range(Stamp start, Stamp last) {
    Stamp from = after.compareTo(start) > 0 ? after : start;
    Stamp end = before.map(stamp -> stamp.plusMicros(-1)).orElse(last);
    return new History.Range(
        kinds, from, end.compareTo(last) < 0 ? end : last, ascending, limit + 1);
  }

  /// The messages of a page with a number, by their positions, which are a `long` so that no number
  /// overflows.
  NumberedPages.Wanted wanted() {
    long until = (long) page.orElseThrow() * limit;
    return new NumberedPages.Wanted(kinds, ascending, until - limit, until);
  }

  /// The page that shows what was `found`, of one thread or of a session made at `created`.
  MessagePage page(
      List<Message> found,
      History history,
      Stamp created,
      Optional<Turn> thread,
      Call call,
      Clock clock) {
    List<MessageBody> items = new ArrayList<>();
    long bytes = 0;
    for (Message message : found) {
      String text = items.size() < limit ? history.text(message) : "";
      bytes += Encoded.bytes(text) + paths(message);
      if (items.size() == limit || (bytes > History.MOST_BYTES && !items.isEmpty())) {
        break;
      }
      items.add(MessageBody.of(message, text));
    }
    List<Message> shown = found.subList(0, items.size());
    return new MessagePage(
        items,
        null,
        thread.map(turn -> ThreadBody.of(turn, call.links())).orElse(null),
        thread.filter(Turn::live).map(turn -> pollAfter(turn, clock)).orElse(null),
        new MessagePage.MessagePageLinks(
            new CommonJson.Href(Links.with(url, kept)),
            next(found, shown),
            new CommonJson.Href(newer(shown, created))));
  }

  private static long paths(Message message) {
    return message.files().stream().mapToLong(file -> Encoded.bytes(file.path())).sum();
  }

  /// The page with this filter's number. It cannot end early, as other pages may: the numbers of
  /// the pages behind it would not hold.
  MessagePage page(
      NumberedPages.Page found,
      History history,
      Stamp created,
      Optional<Turn> thread,
      Call call,
      Clock clock) {
    MessagePage shown = page(found.messages(), history, created, thread, call, clock);
    if (shown.items().size() < found.messages().size()) {
      throw Refusal.invalid("page", "has more than 4 MB; follow _links.next");
    }
    MessagePage.PageMeta meta = MessagePage.PageMeta.of(found.total(), page.orElseThrow(), limit);
    return new MessagePage(
        shown.items(),
        meta,
        shown.thread(),
        shown.pollAfterSeconds(),
        new MessagePage.MessagePageLinks(
            shown.links().self(), nextOf(meta), shown.links().newMessages()));
  }

  private MessageFilter from(Stamp place) {
    return ascending
        ? new MessageFilter(kinds, place, before, true, limit, page, url, kept)
        : new MessageFilter(kinds, after, Optional.of(place), false, limit, page, url, kept);
  }

  private CommonJson.@Nullable Href next(List<Message> found, List<Message> shown) {
    if (shown.size() == found.size()) {
      return null;
    }
    String place = Long.toString(shown.getLast().stamp().micros());
    Map<String, List<String>> query = new LinkedHashMap<>(kept);
    query.put("cursor", List.of(new Cursor(place).text(binding())));
    return new CommonJson.Href(Links.with(url, query));
  }

  private CommonJson.@Nullable Href nextOf(MessagePage.PageMeta meta) {
    if (meta.page() >= meta.totalPages()) {
      return null;
    }
    Map<String, List<String>> query = new LinkedHashMap<>(kept);
    query.put("page", List.of(Integer.toString(meta.page() + 1)));
    return new CommonJson.Href(Links.with(url, query));
  }

  /// The link to newer messages: the same filters, from the latest message of this page on. That of
  /// an empty page begins where the page did, so that a client that keeps only `gts` has one from
  /// the start.
  private String newer(List<Message> shown, Stamp created) {
    Stamp latest = after;
    for (Message message : shown) {
      latest = message.stamp().compareTo(latest) > 0 ? message.stamp() : latest;
    }
    Map<String, List<String>> query = new LinkedHashMap<>(kept);
    query.remove("direction");
    query.remove("page");
    if (latest.compareTo(Stamp.ZERO) > 0) {
      query.put("gts", List.of(latest.epochSeconds().toPlainString()));
    } else {
      query.putIfAbsent("gts", List.of(created.epochSeconds().toPlainString()));
    }
    return Links.with(url, query);
  }

  private String binding() {
    Map<String, List<String>> filters = new LinkedHashMap<>(kept);
    filters.remove("limit");
    return Links.with(url.substring(url.indexOf("/rest/")), filters);
  }

  private static Set<MessageKind> kinds(List<String> types, List<String> roles) {
    List<String> wanted = types.isEmpty() ? List.of("message", "final_message") : types;
    Set<MessageKind> kinds = EnumSet.noneOf(MessageKind.class);
    for (MessageKind kind : MessageKind.values()) {
      if (wanted.contains(kind.type()) && (roles.isEmpty() || roles.contains(kind.role()))) {
        kinds.add(kind);
      }
    }
    return kinds;
  }

  /// The seconds until the next poll: a turn is polled often at first and less often later, since a
  /// key has 100 requests a minute. People take their time to decide.
  private static int pollAfter(Turn turn, Clock clock) {
    if (turn.held().isPresent()) {
      return 5;
    }
    Duration age = Duration.between(turn.firstStamp().instant(), clock.instant());
    if (age.compareTo(Duration.ofSeconds(10)) < 0) {
      return 1;
    }
    return age.compareTo(Duration.ofMinutes(1)) < 0 ? 2 : 5;
  }
}
