package agentsessions.api.sessions;

import agentsessions.api.request.Call;
import agentsessions.api.request.CommonJson;
import agentsessions.api.request.NeedsScope;
import agentsessions.api.request.PageBytes;
import agentsessions.api.request.PageRange;
import agentsessions.api.request.Query;
import agentsessions.authorizer.Scope;
import agentsessions.session.Agent;
import agentsessions.session.Refusal;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.Workspace;
import agentsessions.store.session.SessionList;
import agentsessions.store.session.Sessions;
import agentsessions.store.session.Turns;
import agentsessions.table.Layout;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The endpoints that read sessions and their threads.
@Controller("/rest/v1/sessions")
class SessionReadController {
  /// A page reads at most this many pointers, then ends with a `next` even if it is short (api.md:
  /// a bounded number of reads).
  private static final int MOST_POINTERS = 500;

  private final Sessions sessions;
  private final SessionList list;
  private final Turns turns;

  SessionReadController(Sessions sessions, SessionList list, Turns turns) {
    this.sessions = sessions;
    this.list = list;
    this.turns = turns;
  }

  @Get("/{session_id}")
  @NeedsScope(Scope.READ)
  SessionBody load(Call call, String session_id) {
    return sessions
        .loadWithPlans(call.sessionKey(session_id))
        .map(loaded -> SessionBody.of(loaded, call.links()))
        .orElseThrow(() -> Refusal.notFound("Session"));
  }

  @Get
  @NeedsScope(Scope.READ)
  SessionPage list(Call call) {
    Query query = call.parameters();
    SessionFilter filter = SessionFilter.read(query);
    PageRange page =
        PageRange.read(
            query, call.links().sessions(), query.ascending(false), SessionFilter.PARAMETERS);
    Shown shown = new Shown(filter, page.limit());
    if (filter.agentName().filter(name -> !Agent.isName(name)).isPresent()) {
      return page(call, shown.rows, page.links(null)); // no agent's name: no part of a key
    }
    return page(call, shown.rows, page.links(read(call.workspace(), filter, page, shown)));
  }

  /// Reads the rows of a page.
  ///
  /// @return the position of the last row that was read; null at the end of the list
  private @Nullable String read(
      Workspace workspace, SessionFilter filter, PageRange page, Shown shown) {
    String first = page.first().compareTo(filter.first()) > 0 ? page.first() : filter.first();
    String last = page.last().compareTo(filter.last()) < 0 ? page.last() : filter.last();
    int asked = page.limit();
    int seen = 0;
    while (true) {
      List<SessionList.Row> rows =
          list.rows(
              workspace, filter.which(), filter.archived(), first, last, page.ascending(), asked);
      Optional<String> full = shown.add(rows);
      seen += rows.size();
      if (full.isPresent() || rows.size() < asked) {
        return full.orElse(null);
      }
      String reached = rows.getLast().position();
      if (seen >= MOST_POINTERS) {
        return reached;
      }
      asked = SessionList.BATCH; // the filter hides some: larger reads, so that fewer follow
      first = page.ascending() ? Layout.after(reached) : first;
      last = page.ascending() ? last : Layout.before(reached);
    }
  }

  @Get("/{session_id}/threads")
  @NeedsScope(Scope.READ)
  ThreadPage threads(Call call, String session_id) {
    SessionKey key = call.sessionKey(session_id);
    Query query = call.parameters();
    PageRange page =
        PageRange.read(
            query, call.links().threads(key.id()), query.ascending(true), "direction", "limit");
    Session session = found(key);
    List<Turn> found =
        turns.list(key, page.first(), page.last(), page.ascending(), page.limit() + 1);
    List<Turn> shown = found.subList(0, Math.min(page.limit(), PageBytes.fitting(found)));
    return new ThreadPage(
        shown.stream().map(turn -> ThreadBody.of(turn.seenFrom(session), call.links())).toList(),
        page.links(shown, found.size() > shown.size(), turn -> turn.id().toString()));
  }

  @Get("/{session_id}/threads/{thread_id}")
  @NeedsScope(Scope.READ)
  ThreadBody thread(Call call, String session_id, String thread_id) {
    SessionKey key = call.sessionKey(session_id);
    return turns
        .find(key.turn(Call.threadId(thread_id)))
        .map(row -> ThreadBody.of(row.turn(), call.links()))
        .orElseThrow(() -> {
          Session _ = found(key);
          return Refusal.notFound("Thread");
        });
  }

  private Session found(SessionKey key) {
    return sessions.load(key).orElseThrow(() -> Refusal.notFound("Session"));
  }

  private static SessionPage page(
      Call call, List<SessionList.Row> shown, CommonJson.PageLinks links) {
    return new SessionPage(
        shown.stream()
            .flatMap(row -> row.session().stream())
            .map(session -> SessionRow.of(session, call.links()))
            .toList(),
        links);
  }

  /// The collector of a page's rows, up to the page's limit of rows or of bytes.
  private static final class Shown {
    private final List<SessionList.Row> rows = new ArrayList<>();
    private final SessionFilter filter;
    private final int limit;
    private long bytes;

    Shown(SessionFilter filter, int limit) {
      this.filter = filter;
      this.limit = limit;
    }

    /// @return the position of the row that filled the page; empty while there is room
    Optional<String> add(List<SessionList.Row> read) {
      for (SessionList.Row row : read) {
        Optional<Session> session = row.session().filter(filter::shows);
        if (session.isPresent()) {
          rows.add(row);
          bytes += PageBytes.of(session.get());
        }
        if (rows.size() == limit || bytes > PageBytes.MOST) {
          return Optional.of(row.position());
        }
      }
      return Optional.empty();
    }
  }

  /// The filter of a list of sessions; without `archived` it shows sessions that are not archived.
  private record SessionFilter(
      Optional<String> agentName,
      Optional<String> words,
      Optional<String> status,
      boolean archived,
      Optional<Instant> createdAfter,
      Optional<Instant> createdBefore) {
    private static final int MOST_WORDS = 200;

    static final String[] PARAMETERS = {
      "agent_name",
      "q",
      "status",
      "archived",
      "created_after",
      "created_before",
      "direction",
      "limit"
    };

    static SessionFilter read(Query query) {
      return new SessionFilter(
          query.one("agent_name"),
          query.text("q", MOST_WORDS),
          query.oneOf("status", SessionBody.WORKING, ThreadBody.REQUIRES_ACTION, SessionBody.IDLE),
          query.oneOf("archived", "true", "false").map("true"::equals).orElse(false),
          query.instant("created_after"),
          query.instant("created_before"));
    }

    SessionList.Which which() {
      if (status.filter(wanted -> !wanted.equals(SessionBody.IDLE)).isPresent()) {
        return new SessionList.Which.Working();
      }
      return agentName
          .<SessionList.Which>map(SessionList.Which.OfAgent::new)
          .orElseGet(SessionList.Which.All::new);
    }

    // Bounds compare with `created_at` as clients see it: in whole milliseconds.
    String first() {
      return createdAfter
          .map(after -> after.truncatedTo(ChronoUnit.MILLIS).plusMillis(1))
          .map(first -> Layout.since(Stamp.of(first)))
          .orElse(Layout.LEAST);
    }

    String last() {
      return createdBefore
          .map(before -> before.plusNanos(999_999).truncatedTo(ChronoUnit.MILLIS))
          .map(end -> Layout.until(Stamp.of(end).plusMicros(-1)))
          .orElse(Layout.GREATEST);
    }

    private static boolean isIn(@Nullable String title, String words) {
      return title != null
          && title.toLowerCase(Locale.ROOT).contains(words.toLowerCase(Locale.ROOT));
    }

    boolean shows(Session session) {
      return session.archived() == archived
          && agentName.map(session.agentName()::equals).orElse(true)
          && words.map(wanted -> isIn(session.title(), wanted)).orElse(true)
          && status.map(wanted -> isIn(session, wanted)).orElse(true);
    }

    /// One that requires action is working as well.
    private static boolean isIn(Session session, String status) {
      String shown = SessionBody.status(session);
      return status.equals(SessionBody.WORKING)
          ? !shown.equals(SessionBody.IDLE)
          : status.equals(shown);
    }
  }
}
