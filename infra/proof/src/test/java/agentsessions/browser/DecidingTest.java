package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The decisions of a person at the page on what the shell agent asks, and what becomes of it.
@InBrowser
record DecidingTest(Client client, Visitor visitor) {
  private static final String QUESTION =
      """
      printf '{"tool_use_id":"1","tool_name":"ask_user","tool_input":%s}' \
        '{"questions":[{"question":"Which colour?","options":[{"label":"Blue","description":"as the sky"},{"label":"Red"}]}]}' |
        $AGENT_GATE 2>&1 || true
      """;

  private static final Map<String, ?> PLANS = Map.of("permissions", Map.of("plan", "approve"));

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
        client.create("planner", "# *One*", Map.of("permissions", Map.of("plan", "approve")));
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
  @ParameterizedTest
  @ValueSource(
      strings = {
        "# One\n\n[x]: $(reboot)",
        "echo checking # nothing is changed here\nrm -rf important\n# Heading",
        "# One\n\n```sh reboot\ntrue\n```",
        "# One\n\n```rm-rf-home\ntrue\n```",
        "# One\n\n```\n```sh\n```\n[x]: $(reboot)\n```\n```\n",
        "Only 1 and 3.\n\n1. One\n3. Two\n2. Three",
        "Then rm *.* in build"
      })
  void aPlanThatHidesSomethingIsShownAsItIsWritten(String hides) {
    SessionHandle session = client.create("planner", hides, PLANS);
    session.first().reply();
    visitor.goToSession(session.id());
    assertThat(visitor.page.locator("request-plan pre")).hasText(hides);
    assertThat(visitor.page.locator("request-plan .prose")).hasCount(0);
    visitor.button("Rendered, which may say less").click();
    assertThat(visitor.page.locator("request-plan .prose")).not().isEmpty();
    assertThat(visitor.page.locator("request-plan pre.printed")).hasCount(0);
  }

  @Test
  void aPlanThatHidesNothingIsRendered() {
    SessionHandle session =
        client.create("planner", "# One\n\n1. *Two*\n\n```js\nlet three;\n```", PLANS);
    session.first().reply();
    visitor.goToSession(session.id());
    assertThat(visitor.page.locator("request-plan em")).hasText("Two");
    assertThat(visitor.page.locator("request-plan pre.printed")).hasCount(0);
    visitor.button("As it is written").click();
    assertThat(visitor.page.locator("request-plan pre.printed")).containsText("```js");
  }

  @Test
  void aScriptIsShownAsCodeWhateverItLooksLike() {
    SessionHandle session = client.create("shell", "# One\r\n\u00ad\n1. *Two*", PLANS);
    session.first().reply();
    visitor.goToSession(session.id());
    assertThat(visitor.page.locator("request-plan pre")).hasText("# One\\u000d\n\\u00ad\n1. *Two*");
    assertThat(visitor.page.locator("request-plan button")).hasCount(0);
    visitor.looksWell("plan-of-a-script");
  }

  @Test
  void anotherPlanThanTheOneThatIsAskedAboutIsNotApproved() {
    SessionHandle session = client.create("planner", "# One", PLANS);
    session.first().reply();
    visitor.page.route(
        url -> url.contains("/files/") || url.contains("X-Amz-Signature"),
        route -> route.fulfill(new Route.FulfillOptions().setBody("# Two")));
    visitor.goToSession(session.id());
    assertThat(visitor.page.locator("request-plan [role=alert]"))
        .containsText("not the plan that is asked about");
    assertThat(visitor.button("Deny")).isVisible();
    assertThat(visitor.button("Approve")).hasCount(0);
  }

  private SessionHandle asks(String script, int holdSeconds) {
    return client.create(
        "shell",
        script,
        Map.of("permissions", Map.of("default", "ask", "hold_seconds", holdSeconds)));
  }
}
