package agentsessions.contract.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A history read by page numbers, as clients that count do. All read one session of three turns,
/// the second of them cancelled and without a reply.
@Section(number = "api", title = "Pages by number")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class NumberedPagesTest {
  private final Client client = Target.client();

  private SessionHandle session;

  private TurnHandle second;

  @BeforeAll
  void haveThreeTurns() {
    session = client.create("echo one");
    session.first().reply();
    second = session.send("sleep 300").running();
    client.send("POST", session.path() + "/interrupt", null).expect(200);
    session.send("echo three").reply();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "&direction=desc",
        "&role=user",
        "&role=assistant&direction=desc",
        "&type=final_message",
        "&type=tool_call",
        "&type=message&type=tool_call&type=final_message"
      })
  void allPagesTogetherAreTheHistory(String filters) {
    JsonNode whole = session.messages("?limit=100" + filters).path("items");
    for (int limit : new int[] {1, 2, 3, 100}) {
      List<JsonNode> found = new ArrayList<>();
      int pages = Math.ceilDiv(whole.size(), limit);
      for (int page = 1; page <= pages; page++) {
        JsonNode read = page(page, limit, filters);
        assertEquals(meta(whole.size(), page, limit, pages), read.path("meta").toString());
        assertEquals(page < pages, read.path("_links").has("next"));
        read.path("items").forEach(found::add);
      }
      assertEquals(whole, Client.JSON.valueToTree(found));
    }
  }

  @Test
  void aPageBeyondTheEndIsEmpty() {
    JsonNode page = page(999_999_999, 50, "");
    assertEquals("[]", page.path("items").toString());
    assertEquals(session.messages("").path("items").size(), page.at("/meta/total").asInt());
    assertFalse(page.path("_links").has("next"));
  }

  @Test
  void theNextLinkIsTheNextPageAndNewMessagesHasNone() {
    JsonNode first = page(1, 3, "&role=user&role=assistant");
    JsonNode next = client.get(link(first, "next")).ok();
    assertEquals(page(2, 3, "&role=user&role=assistant"), next);
    assertFalse(link(next, "new_messages").contains("page="));
    assertEquals("[]", client.get(link(next, "new_messages")).ok().path("items").toString());
  }

  @Test
  void aThreadsPagesAreCountedAlone() {
    for (String path :
        List.of(
            "/threads/" + second.id() + "/messages?", "/messages?thread_id=" + second.id() + "&")) {
      JsonNode page = client.get(session.path() + path + "page=1").ok();
      assertEquals(meta(1, 1, 50, 1), page.path("meta").toString());
      assertEquals("cancelled", page.at("/thread/status").asText());
    }
  }

  @Test
  void aPageIsRefusedTogetherWithACursorOrATime() {
    JsonNode details = client.get(session.path() + "/messages?page=1&gts=1").invalid("page");
    assertTrue(details.toString().contains("follow _links.next"), details::toString);
  }

  /// The second id is of the form of a job's.
  @ParameterizedTest
  @ValueSource(
      strings = {"01a207af-0cce-7128-8c5c-7fd0a6a3a450", "01a207af-0cce-8128-8c5c-7fd0a6a3a450"})
  void anUnknownThreadLeavesNothing(String thread) {
    String path = session.path() + "/messages?thread_id=" + thread;
    JsonNode page = client.get(path).ok();
    assertEquals("[]", page.path("items").toString());
    assertFalse(page.has("thread"));
    assertEquals(meta(0, 1, 50, 0), client.get(path + "&page=1").ok().path("meta").toString());
    client
        .get("/sessions/" + Client.unknownId() + "/messages?thread_id=" + second.id())
        .refused(404, "NOT_FOUND");
  }

  @Test
  void aDeletedSessionHasNoPages() {
    SessionHandle other = client.create("echo gone");
    other.first().reply();
    client.send("DELETE", other.path(), null).expect(204);
    client.get(other.path() + "/messages?page=1").refused(404, "NOT_FOUND");
    client.get("/sessions/" + Client.unknownId() + "/messages?page=1").refused(404, "NOT_FOUND");
  }

  private JsonNode page(int page, int limit, String filters) {
    return session.messages("?page=" + page + "&limit=" + limit + filters);
  }

  private static String meta(int total, int page, int limit, int pages) {
    return "{\"total\":%d,\"page\":%d,\"limit\":%d,\"total_pages\":%d}"
        .formatted(total, page, limit, pages);
  }

  private static String link(JsonNode page, String name) {
    return page.at("/_links/" + name + "/href").asText();
  }
}
