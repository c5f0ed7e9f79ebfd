package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The decisions of a person at the page on what the shell agent asks, and what becomes of it.
@InBrowser
record DecidingTest(Client client, Visitor visitor) {
  private static final String QUESTION =
      """
      printf '{"tool_use_id":"1","tool_name":"ask_user","tool_input":%s}' \
        '{"questions":[{"question":"Which colour?","options":[{"label":"Blue","description":"as the sky"},{"label":"Red"}]}]}' |
        $AGENT_GATE 2>&1 || true
      """;

  @Test
  void aScriptRunsOnceItIsAllowedByKeys() {
    SessionHandle session = asks("echo done", 600);
    visitor.goToSession(session.id());
    Locator card = visitor.page.locator("request-card article");
    assertThat(card.locator("code")).hasText("echo done");
    assertThat(visitor.page.locator(".to-inbox")).containsText("Inbox 1");
    assertThat(visitor.page.locator(".roster .dot.asks")).hasCount(1);
    assertThat(visitor.page).hasTitle("Waits for you · echo done");
    visitor.page.keyboard().press("a");
    visitor.page.keyboard().press("a");
    assertThat(visitor.button("Allow it")).isFocused();
    visitor.page.keyboard().press("Enter");
    assertThat(card).containsText(Pattern.compile("Allowed once by you · \\d\\d:\\d\\d"));
    assertThat(visitor.page.locator("message-text.said"))
        .containsText(Pattern.compile("done\\s*$"));
    assertThat(visitor.page.locator(".roster .dot.ok")).hasCount(1);
    assertThat(visitor.page.locator(".to-inbox")).hasText("Inbox");
    assertThat(visitor.page).hasTitle("echo done");
    visitor.page.reload();
    assertThat(card).containsText("Allowed once by you");
    visitor.looksWell("decided");
  }

  @Test
  void whatIsDecidedElsewhereOrByNobodyShowsAtOnce() {
    SessionHandle session = asks("echo done", 600);
    visitor.goToSession(session.id());
    Locator cards = visitor.page.locator("request-card article");
    assertThat(cards).containsText("Waits for you");
    JsonNode request = client.get("/requests").ok().at("/items/0");
    client
        .post(
            request.at("/_links/decision/href").asText(),
            Map.of("decision", "deny", "note", "Not now"))
        .ok();
    assertThat(cards).containsText("Denied by the key");
    assertThat(cards.locator(".note")).hasText("Not now");
    client
        .patch(
            session.path(),
            Map.of(
                "permissions", Map.of("default", "allow", "questions", "ask", "hold_seconds", 3)))
        .ok();
    session.send(QUESTION);
    assertThat(cards.last()).containsText("Nobody answered.");
    assertThat(visitor.page.locator(".transcript .turn-end").last()).containsText("Failed");
    assertThat(visitor.page.locator(".said").last()).containsText("answered");
  }

  @Test
  void whatIsAllowedForTheSessionIsAskedOnceUntilItIsTakenBack() {
    SessionHandle session = asks("echo done", 600);
    visitor.go("/inbox");
    visitor.button("Allow for this session").click();
    assertThat(visitor.page.locator(".inbox article")).containsText("Allowed for this session");
    assertEquals("done", session.first().completed().strip());
    assertEquals("done", session.send("echo done").completed().strip());
    visitor.page.locator(".inbox h2 a").click();
    visitor.page.getByText("Take back").click();
    assertThat(visitor.page.locator(".panel .grants")).hasCount(0);
    session.send("echo done");
    assertThat(visitor.page.locator("request-card article.open")).hasCount(1);
    visitor.looksWell("asked-again");
  }

  @Test
  void aQuestionIsAnsweredWhole() {
    Map<String, Object> how = Map.of("questions", "ask", "hold_seconds", 600);
    SessionHandle session = client.create("shell", QUESTION, Map.of("permissions", how));
    visitor.goToSession(session.id());
    Locator card = visitor.page.locator("request-card article");
    assertThat(card.locator("legend")).hasText("Which colour?");
    visitor.looksWell("question");
    visitor.button("Answer").click();
    assertThat(card.locator(".problem")).hasText("Answer each question first.");
    card.locator("input[type=radio]").last().check();
    visitor.button("Answer").click();
    assertThat(card).containsText("Answered by you");
    assertThat(card.locator(".note")).hasText("Red");
    assertThat(visitor.page.locator("message-text.said")).containsText("Red");
  }

  @Test
  void aPlanIsReadAndSentBackAndApproved() {
    SessionHandle session =
        client.create("shell", "# *One*", Map.of("permissions", Map.of("plan", "approve")));
    session.first().reply();
    visitor.goToSession(session.id());
    Locator cards = visitor.page.locator("request-card article");
    assertThat(cards.locator("request-plan h1 em")).hasText("One");
    assertThat(visitor.page).hasTitle("Waits for you · # *One*");
    assertThat(visitor.button("Allow for this session")).hasCount(0);
    assertThat(visitor.page.locator("section[aria-label='Waits for you']")).containsText("*One*");
    visitor.looksWell("plan");
    cards.locator("[name=note]").fill("echo two");
    visitor.button("Deny").click();
    assertThat(cards.first()).containsText("Denied by you");
    assertThat(cards).hasCount(2);
    visitor.button("Approve").click();
    assertThat(cards.last()).containsText("Approved by you");
    assertThat(visitor.page.locator("message-text.said").last())
        .containsText(Pattern.compile("two\\s*$"));
  }

  /// What a shell would run, and no reader of the rendered plan sees.
  @Test
  void aPlanThatHidesSomethingIsShownAsItIsWritten() {
    Map<String, Object> how = Map.of("permissions", Map.of("plan", "approve"));
    SessionHandle open = client.create("shell", "# One\n\n1. *Two*", how);
    open.first().reply();
    visitor.goToSession(open.id());
    Locator source = visitor.page.locator("request-plan details");
    assertThat(source.locator("summary")).hasText("Source");
    assertThat(source).not().hasAttribute("open", "");
    SessionHandle hides = client.create("shell", "# One\n\n[x]: $(reboot)", how);
    hides.first().reply();
    visitor.goToSession(hides.id());
    assertThat(source).hasAttribute("open", "");
    assertThat(source.locator("pre")).containsText("[x]: $(reboot)");
    visitor.looksWell("plan-with-source");
  }

  private SessionHandle asks(String script, int holdSeconds) {
    return client.create(
        "shell",
        script,
        Map.of("permissions", Map.of("default", "ask", "hold_seconds", holdSeconds)));
  }
}
