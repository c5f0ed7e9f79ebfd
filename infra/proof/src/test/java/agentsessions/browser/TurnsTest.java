package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// The turns in the transcript: what each message brought, when it was said, and how the turn
/// ended.
@InBrowser
record TurnsTest(Client client, Visitor visitor) {
  private static final Pattern TIME = Pattern.compile("^\\d\\d:\\d\\d$");

  @Test
  void aTurnEndsInALineThatOpensToItsDetails() {
    SessionHandle talk =
        client.create(
            "shell",
            "cat notes.txt",
            Map.of("files", List.of(Map.of("path", "notes.txt", "content", "Hello"))));
    talk.first().completed();
    talk.send("echo Nothing; exit 3").failure();
    visitor.page.route(url -> url.contains("/threads?"), TurnsTest::addUsage);
    visitor.goToSession(talk.id());
    Locator user = visitor.page.locator(".said.user").first();
    assertThat(user.locator(".chip")).hasText("notes.txt 5 B");
    assertThat(visitor.page.locator(".when")).hasText(new Pattern[] {TIME, TIME, TIME, TIME, TIME});
    Locator turn = visitor.page.locator(".transcript .turn-end").first();
    Locator line = turn.locator("summary");
    assertThat(line)
        .hasText(
            Pattern.compile(
                "Done in [\\d.]+ s · \\d\\d:\\d\\d · 1,234 tokens · \\$0\\.0120 · opus"));
    line.focus();
    visitor.page.keyboard().press("Enter");
    assertThat(turn.locator(".facts")).containsText("kept for the next turn");
    assertThat(turn.locator(".facts")).containsText("1,134 tokens, 1,000 of them cached");
    visitor.go("/sessions/" + talk.id() + "/details");
    assertThat(visitor.page.locator(".panel .turn-end")).hasCount(2);
    assertThat(visitor.page.locator(".panel .turn-end").last()).containsText("opus");
    visitor.looksWell("turns");
  }

  @Test
  void theTextOfAFailedTurnIsEditedAndSentAgain() {
    SessionHandle talk = client.create("shell", "echo tried; exit 3");
    talk.first().failure();
    visitor.goToSession(talk.id());
    visitor.button("Try again").focus();
    visitor.page.keyboard().press("Enter");
    Locator text = visitor.page.locator("message-composer textarea");
    assertThat(text).isFocused();
    assertThat(text).hasValue("echo tried; exit 3");
    assertThat(visitor.page.locator(".said.user")).hasCount(1);
    visitor.say("echo tried again");
    visitor.sees("Done in");
    assertThat(visitor.button("Try again")).hasCount(1);
    visitor.looksWell("tried-again");
  }

  /// The same turns as an agent with a model would have made them.
  private static void addUsage(Route route) {
    APIResponse answer = route.fetch();
    try {
      JsonNode page = Client.JSON.readTree(answer.body());
      for (JsonNode turn : page.path("items")) {
        ((ObjectNode) turn).put("model", "opus");
        ((ObjectNode) turn.path("usage"))
            .put("model_requests", 2)
            .put("input_tokens", 134)
            .put("cache_read_tokens", 1000)
            .put("output_tokens", 100)
            .put("cost_usd", 0.012);
      }
      route.fulfill(new Route.FulfillOptions().setResponse(answer).setBody(Client.text(page)));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
