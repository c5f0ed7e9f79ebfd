package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What a person chooses for one browser: the colours of the page, and of which sessions it tells.
@InBrowser
record BrowserChoicesTest(Client client, Visitor visitor) {
  /// A browser whose user allows messages once asked, and which keeps them.
  private static final String MESSAGES =
      """
      window.asked = 0;
      window.messages = [];
      window.Notification = class {
        static permission = 'default';
        static async requestPermission() {
          window.asked++;
          return (this.permission = 'granted');
        }
        constructor(title, { body }) {
          window.messages.push(`${title}: ${body}`);
        }
      };\
      """;

  private static final String BACKGROUND = "getComputedStyle(document.body).backgroundColor";

  @Test
  void theColoursStayAsTheyWereChosen() {
    assertEquals("rgb(250, 249, 247)", visitor.page.evaluate(BACKGROUND));
    visitor.go("/settings");
    visitor.page.getByLabel("Dark").check();
    assertEquals("rgb(21, 21, 19)", visitor.page.evaluate(BACKGROUND));
    visitor.page.reload();
    assertThat(visitor.page.locator("[name=theme]").last()).isChecked();
    assertEquals("rgb(21, 21, 19)", visitor.page.evaluate(BACKGROUND));
    visitor.page.locator("[name=theme]").first().check();
    assertEquals("rgb(250, 249, 247)", visitor.page.evaluate(BACKGROUND));
  }

  @Test
  void theEndOfATurnIsToldOfTheWatchedSessionsOnly() {
    visitor.page.addInitScript(MESSAGES);
    SessionHandle watched = client.create("shell", "sleep 600");
    SessionHandle other = client.create("shell", "sleep 600");
    visitor.goToSession(watched.id());
    visitor.page.reload();
    assertEquals(0, visitor.page.evaluate("asked"));
    visitor.button("Notify me").click();
    assertThat(visitor.button("Notify me")).hasAttribute("aria-pressed", "true");
    assertEquals(1, visitor.page.evaluate("asked"));
    visitor.go("/usage");
    assertThat(visitor.page.locator(".roster .dot.busy")).hasCount(2);
    List.of(other, watched)
        .forEach(each -> client.post(each.path() + "/interrupt", Map.of()).expect(200));
    visitor.page.evaluate("document.querySelector('session-roster').load()");
    visitor.awaits("messages.length === 1");
    assertThat(visitor.page.locator(".roster .dot.busy")).hasCount(0);
    assertEquals("sleep 600: The turn was stopped.", visitor.page.evaluate("messages.join()"));
  }
}
