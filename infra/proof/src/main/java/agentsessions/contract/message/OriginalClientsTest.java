package agentsessions.contract.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.Section;
import agentsessions.contract.SuiteTiming;
import agentsessions.contract.Target;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The requests of public clients of the API that the specification describes: a build step that
/// starts a session and waits, and scripts that catch up on one.
@Section(number = "api", title = "Clients of the original")
final class OriginalClientsTest {
  private final Client client = Target.client();

  @Test
  void aBuildStepFindsItsOutputs() {
    SessionHandle session = client.create("echo done");
    JsonNode created = session.created();
    assertTrue(created.path("thread_id").isTextual(), created::toString);
    assertTrue(
        created.path("session_html_url").asText().endsWith("/console/#/sessions/" + session.id()),
        created::toString);
    assertEquals("done", session.first().text().strip());
    assertTrue(session.load().path("pull_requests").isArray());
  }

  @Test
  void aBuildStepThatFollowsUpFindsItsThread() {
    SessionHandle session = client.create("echo one");
    JsonNode sent =
        client.post(session.path() + "/messages", Map.of("message", "echo two")).expect(201).json();
    String thread = sent.path("chat_thread_id").asText();
    assertEquals(sent.path("thread_id").asText(), thread);
    assertEquals(session.id(), sent.path("chat_id").asText());
    TurnHandle turn = new TurnHandle(client, sent.at("/_links/final_message/href").asText());
    assertEquals(thread, turn.reply().path("chat_thread_id").asText());
    JsonNode itself = client.get(sent.at("/_links/self/href").asText()).ok().path("items");
    assertEquals(1, itself.size());
    assertEquals(sent.path("id"), itself.get(0).path("id"));
  }

  @Test
  void aSessionHasTheFieldsThatAreRead() {
    SessionHandle session = client.create("echo one");
    for (JsonNode seen : List.of(session.created(), session.load())) {
      assertTrue(seen.path("source_url").isNull(), seen::toString);
      assertTrue(seen.path("session_group_id").isNull(), seen::toString);
      assertFalse(seen.path("is_private").asBoolean(true), seen::toString);
      assertEquals("[]", seen.path("pull_requests").toString());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"is_private", "session_group_id"})
  void whatIsNotOfferedIsRefusedAndNotIgnored(String field) {
    Map<String, Object> body =
        new LinkedHashMap<>(Map.of("agent_name", "shell", "message", "echo"));
    body.put(field, field.equals("is_private") ? true : Client.unknownId());
    client.post("/sessions", body).invalid(field);
    body.put(field, field.equals("is_private") ? false : null);
    client.post("/sessions", body).expect(201);
  }

  @Test
  void aScriptReadsEveryPageUntilTheLast() {
    SessionHandle session = client.create("echo one");
    session.first().reply();
    session.send("echo two").reply();
    List<JsonNode> all = new ArrayList<>();
    for (int page = 1, pages = 1; page <= pages; page++) {
      JsonNode body =
          session.messages("?page=" + page + "&limit=1&type=message&role=user&role=assistant");
      body.path("items").forEach(all::add);
      pages = body.at("/meta/total_pages").asInt();
    }
    assertEquals(session.texts("?type=message"), each(all, "message"));
    assertTrue(each(all, "message").containsAll(List.of("echo one", "echo two")));
    assertFalse(each(all, "chat_thread_id").contains(""));
  }

  @Test
  void aScriptThatPollsHasItsCursorFromTheFirstEmptyPage() {
    SessionHandle session = client.create("sleep 1; echo done");
    List<String> replies = new ArrayList<>();
    Map<String, String> query = new LinkedHashMap<>(Map.of("type", "final_message"));
    SuiteTiming.until(
        "a reply by gts",
        () -> {
          JsonNode body = session.messages("?" + text(query));
          body.path("items").forEach(item -> replies.add(item.path("message").asText().strip()));
          query.put("gts", gts(body.at("/_links/new_messages/href").asText()));
          return Optional.of(replies).filter(found -> !found.isEmpty());
        });
    session.messages("?" + text(query)).path("items").forEach(item -> replies.add("again"));
    assertEquals(List.of("done"), replies);
  }

  private static List<String> each(List<JsonNode> items, String field) {
    return items.stream().map(item -> item.path(field).asText()).toList();
  }

  private static String text(Map<String, String> query) {
    return query.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue())
        .collect(Collectors.joining("&"));
  }

  private static String gts(String link) {
    return Stream.of(link.split("[?&]", -1))
        .filter(pair -> pair.startsWith("gts="))
        .map(pair -> pair.substring("gts=".length()))
        .collect(Collectors.collectingAndThen(Collectors.toList(), List::getFirst));
  }
}
