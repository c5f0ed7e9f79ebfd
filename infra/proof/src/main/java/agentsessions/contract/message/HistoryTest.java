package agentsessions.contract.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Section 4.5: the history of a session, its filters and its pages. All read one session of three
/// turns.
@Section(number = "4.5", title = "List messages")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class HistoryTest {
  private static final List<String> ALL =
      List.of("echo one", "one", "echo two", "two", "echo three", "three");

  private final Client client = Target.busyClient();

  private SessionHandle session;

  private TurnHandle second;

  @BeforeAll
  void haveThreeTurns() {
    session = client.create("echo one");
    session.first().reply();
    second = session.send("echo two");
    second.reply();
    session.send("echo three").reply();
  }

  @Tag("stack")
  @Test
  void theHistoryIsTheWholeConversationInOrder() {
    assertEquals(ALL, texts(""));
  }

  @Test
  void aMessageHasAllItsFields() {
    JsonNode items = session.messages("").path("items");
    Set<String> fields =
        Set.of(
            "id",
            "session_id",
            "thread_id",
            "role",
            "type",
            "message",
            "ts",
            "created_at",
            "chat_id",
            "chat_thread_id",
            "updated_at");
    Set<String> ofUser = ApiResponse.fields(items.get(0));
    assertTrue(ofUser.remove("files"), items::toString);
    assertEquals(fields, ofUser);
    Set<String> ofFinal = ApiResponse.fields(items.get(1));
    assertTrue(ofFinal.remove("outcome"), items::toString);
    assertEquals(fields, ofFinal);
  }

  @Test
  void timeGoesStrictlyForward() {
    List<BigDecimal> times = times();
    for (int i = 1; i < times.size(); i++) {
      assertTrue(times.get(i - 1).compareTo(times.get(i)) < 0, times::toString);
    }
  }

  @Test
  void aDescendingHistoryIsTheSameBackwards() {
    assertEquals(ALL.reversed(), texts("?direction=desc"));
    assertEquals(ALL, texts("?direction=asc"));
  }

  @ParameterizedTest
  @CsvSource({
    "?role=user, 0 2 4",
    "?role=assistant, 1 3 5",
    "?role=user&role=assistant, 0 1 2 3 4 5",
    "?type=message, 0 2 4",
    "?type=final_message, 1 3 5",
    "?type=message&type=final_message, 0 1 2 3 4 5",
    "?type=final_message&role=user, ''",
    "?type=tool_call, ''"
  })
  void typeAndRoleChooseAmongTheMessages(String query, String which) {
    assertEquals(expected(which), texts(query));
  }

  @Test
  void aThreadsMessagesAreTheSessionsFilteredByThread() {
    JsonNode own = client.get(session.path() + "/threads/" + second.id() + "/messages").ok();
    JsonNode filtered = session.messages("?thread_id=" + second.id());
    assertEquals(expected("2 3"), texts(filtered));
    assertEquals(own.path("items"), filtered.path("items"));
  }

  @Test
  void gtsIsStrictlyAfter() {
    List<BigDecimal> times = times();
    for (int i = 0; i < times.size(); i++) {
      String query = "?gts=" + times.get(i).toPlainString();
      assertEquals(ALL.subList(i + 1, ALL.size()), texts(query));
    }
    assertEquals(ALL, texts("?gts=0"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "&direction=desc",
        "&role=user",
        "&type=final_message&direction=desc",
        "&gts=1.5"
      })
  void theNextLinksLeadThroughAllAndKeepTheFilters(String filters) {
    for (int limit : new int[] {1, 2, 5}) {
      assertEquals(
          texts(session.messages("?limit=100" + filters)),
          textsByPages("?limit=" + limit + filters));
    }
  }

  @Tag("stack")
  @Test
  void theLastPageHasNoNext() {
    assertTrue(session.messages("?limit=5").path("_links").has("next"));
    assertFalse(session.messages("?limit=6").path("_links").has("next"));
  }

  @Test
  void selfIsThePageItself() {
    JsonNode page = session.messages("?role=user&limit=2");
    assertEquals(page, client.get(link(page, "self")).ok());
  }

  @Test
  void aCursorIsBoundToTheFiltersItCameFrom() {
    String next = link(session.messages("?limit=2&role=user"), "next");
    String cursor = next.replaceAll(".*[?&]cursor=([^&]*).*", "$1");
    client.get(session.path() + "/messages?limit=2&role=user&cursor=" + cursor).ok();
    for (String other : List.of("", "&role=assistant", "&role=user&direction=desc")) {
      client
          .get(session.path() + "/messages?limit=2" + other + "&cursor=" + cursor)
          .invalid("cursor");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "limit=0, limit",
    "limit=101, limit",
    "limit=x, limit",
    "limit=-1, limit",
    "limit=99999999999, limit",
    "'type=message,final_message', type",
    "type=nothing, type",
    "'role=user,assistant', role",
    "role=agent, role",
    "direction=up, direction",
    "gts=-1, gts",
    "gts=yesterday, gts",
    "gts=NaN, gts",
    "gts=1e999999999, gts",
    "thread_id=1-1-1-1-1, thread_id",
    "page=0, page",
    "page=x, page",
    "page=-1, page",
    "page=1.5, page",
    "page=1000000000, page",
    "page=1&gts=5, page",
    "page=1&cursor=x, page",
    "cursor=nonsense, cursor"
  })
  void aFilterThatSaysNothingIsRefusedByName(String query, String field) {
    client.get(session.path() + "/messages?" + query).invalid(field);
  }

  private List<String> textsByPages(String query) {
    List<String> texts = new ArrayList<>();
    JsonNode page = session.messages(query);
    texts.addAll(texts(page));
    while (page.path("_links").has("next")) {
      page = client.get(link(page, "next")).ok();
      texts.addAll(texts(page));
    }
    return texts;
  }

  private List<String> texts(String query) {
    return texts(session.messages(query));
  }

  private static List<String> texts(JsonNode page) {
    return page.path("items").findValuesAsText("message").stream().map(String::strip).toList();
  }

  private List<BigDecimal> times() {
    List<BigDecimal> times = new ArrayList<>();
    session.messages("").path("items").forEach(item -> times.add(item.path("ts").decimalValue()));
    return times;
  }

  private static List<String> expected(String which) {
    return which
        .lines()
        .flatMap(line -> Stream.of(line.split(" ", -1)))
        .map(index -> ALL.get(Integer.parseInt(index)))
        .toList();
  }

  private static String link(JsonNode page, String name) {
    return page.at("/_links/" + name + "/href").asText();
  }
}
