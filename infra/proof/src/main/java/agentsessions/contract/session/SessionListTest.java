package agentsessions.contract.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The list of a workspace's sessions, newest first. All tests read the same four: three idle ones,
/// one of them archived, and one at work. The workspace may have others, so each list is limited to
/// the time of these four, and other sessions of that time are skipped.
@Section(number = "api", title = "List sessions")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SessionListTest {
  private final Client client = Target.client();
  private final List<SessionHandle> sessions = new ArrayList<>();
  private String begin;
  private String end;

  @BeforeAll
  void haveFourSessions() {
    begin = client.create("echo before").created().path("created_at").asText();
    for (String script : List.of("echo 0", "echo 1", "echo 2", "sleep 3000")) {
      sessions.add(client.create(script));
    }
    sessions.subList(0, 3).forEach(session -> session.first().reply());
    client.send("PATCH", sessions.get(1).path(), "{\"is_archived\":true}").ok();
    end = client.create("echo after").created().path("created_at").asText();
  }

  @AfterAll
  void haveNoneAtWork() {
    client.send("POST", sessions.getLast().path() + "/interrupt", null).ok();
  }

  @ParameterizedTest
  @CsvSource({
    "'', 3 2 0",
    "&direction=asc, 0 2 3",
    "&archived=true, 1",
    "&archived=false, 3 2 0",
    "&status=idle, 2 0",
    "&status=working, 3",
    "&agent_name=shell, 3 2 0",
    "&agent_name=shell&archived=true, 1",
    "&agent_name=nobody, ''",
    "&status=working&archived=true, ''"
  })
  void filtersChooseAmongTheSessions(String query, String which) {
    assertEquals(expected(which), read(between(begin, end) + query));
  }

  @Test
  void theTimeOfCreationIsABound() {
    String second = sessions.get(2).created().path("created_at").asText();
    assertEquals(expected("3"), read(between(second, end)));
    assertEquals(expected("0"), read(between(begin, second)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2286-11-21T00:00:00Z", "2287-01-01T00:00:00Z", "9999-12-31T23:59:59Z"})
  void noTimeIsTooFarAhead(String future) {
    assertEquals(expected("3 2 0"), read(between(begin, future)));
    assertEquals(List.of(), read(between(future, end)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1970-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "0001-01-01T00:00:00Z"})
  void noTimeIsTooLongAgo(String past) {
    assertEquals(List.of(), read(between(begin, past)));
    assertEquals(List.of(), read(between("0001-01-01T00:00:00Z", past)));
  }

  @Tag("stack")
  @ParameterizedTest
  @ValueSource(strings = {"", "&direction=asc", "&status=idle", "&agent_name=shell"})
  void theNextLinksLeadThroughAllAndKeepTheFilters(String filters) {
    String path = between(begin, end);
    assertEquals(read(path + "&limit=100" + filters), read(path + "&limit=1" + filters));
  }

  @Test
  void aRowIsTheSessionWithoutItsPlans() {
    JsonNode session = sessions.getFirst().load();
    JsonNode row = row(session.path("id"));
    List<String> own = List.of("outcome", "preview");
    row.properties().stream()
        .filter(field -> !own.contains(field.getKey()))
        .forEach(field -> assertEquals(session.get(field.getKey()), field.getValue()));
    List<String> left =
        List.of("plan_artifact_ids", "environment", "usage", "limits", "permissions", "job");
    left.forEach(field -> assertFalse(row.has(field), field));
    assertEquals(session.size() - left.size() + own.size(), row.size());
  }

  @Test
  void aRowSaysHowTheThreadThatEndedLastCameOut() {
    JsonNode idle = row(sessions.getFirst().load().path("id"));
    assertEquals("completed", idle.path("outcome").asText());
    assertEquals("0", idle.path("preview").asText().strip());
    JsonNode working = row(sessions.get(3).load().path("id"));
    assertTrue(working.path("outcome").isNull() && working.path("preview").isNull());
  }

  @Test
  void aTitleIsFoundByWhatIsInIt() {
    Map<String, String> titled =
        Map.of("agent_name", "shell", "message", "echo hi", "title", "A Title with " + end);
    String id = client.post("/sessions", titled).expect(201).json().path("id").asText();
    String found =
        client.get("/sessions?q=a%20tITLE%20with%20" + end).ok().path("items").toString();
    assertTrue(found.contains(id), found);
    assertEquals("[]", client.get("/sessions?q=no-" + end).ok().path("items").toString());
    client.send("DELETE", "/sessions/" + id, null).expect(204);
  }

  @Test
  void aSessionWithoutATitleIsFoundByItsFirstLine() {
    SessionHandle untitled = client.create("echo untitled at " + end + "\necho more");
    String found = client.get("/sessions?q=untitled%20at%20" + end).ok().at("/items/0/id").asText();
    assertEquals(untitled.id(), found);
    client.delete(untitled.path()).expect(204);
  }

  @Test
  void aCursorIsBoundToTheFiltersItCameFrom() {
    String next =
        client.get(between(begin, end) + "&limit=1").ok().at("/_links/next/href").asText();
    String cursor = next.replaceAll(".*[?&]cursor=([^&]*).*", "$1");
    client.get(between(begin, end) + "&limit=1&status=idle&cursor=" + cursor).invalid("cursor");
    client.get(between(begin, end) + "&limit=1&direction=asc&cursor=" + cursor).invalid("cursor");
  }

  @Test
  void anotherWorkspaceSeesNoneOfThem() {
    String list = Target.otherClient().get(between(begin, end)).ok().toString();
    assertTrue(sessions.stream().noneMatch(session -> list.contains(session.id())), list);
  }

  @ParameterizedTest
  @CsvSource({
    "status=done, status",
    "archived=perhaps, archived",
    "created_after=yesterday, created_after",
    "created_before=2026-13-01T00:00:00Z, created_before",
    "created_after=-999999999-01-01T00:00:00Z, created_after",
    "created_before=%2B999999999-12-31T23:59:59.999999999Z, created_before",
    "direction=up, direction",
    "q=, q",
    "limit=0, limit",
    "limit=101, limit",
    "cursor=nonsense, cursor"
  })
  void aFilterThatSaysNothingIsRefusedByName(String query, String field) {
    client.get("/sessions?" + query).invalid(field);
  }

  private static String between(String begin, String end) {
    return "/sessions?created_after=" + begin + "&created_before=" + end;
  }

  private JsonNode row(JsonNode id) {
    for (JsonNode row : client.get(between(begin, end)).ok().path("items")) {
      if (row.path("id").equals(id)) {
        return row;
      }
    }
    return fail("No row " + id);
  }

  /// Those of the four that are on a page and on the pages behind its `next` links.
  private List<String> read(String path) {
    List<String> ids = new ArrayList<>();
    JsonNode page = client.get(path).ok();
    while (true) {
      page.path("items").forEach(session -> ids.add(session.path("id").asText()));
      if (!page.path("_links").has("next")) {
        ids.retainAll(sessions.stream().map(SessionHandle::id).toList());
        return ids;
      }
      page = client.get(page.at("/_links/next/href").asText()).ok();
    }
  }

  private List<String> expected(String which) {
    List<String> ids = new ArrayList<>();
    for (String index : which.isEmpty() ? new String[0] : which.split(" ", -1)) {
      ids.add(sessions.get(Integer.parseInt(index)).id());
    }
    return ids;
  }
}
