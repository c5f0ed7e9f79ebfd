package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.talk.Client;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/// Sign-in, and the storage of the key by the console. It is the first of all, since the link of
/// the start is good for five minutes.
@InBrowser
@Order(1)
record SignInTest(Stage stage, Client client, Visitor visitor) {
  @Test
  void theLinkOfTheStartSignsInOnceAndIsTakenOutOfTheAddress() {
    Visitor first = stage.visitor(new Browser.NewContextOptions());
    first.page.navigate(stage.signInLink());
    assertThat(first.page.locator(".workspace")).hasText("local");
    assertFalse(first.page.url().contains("sign-in"), first.page.url());
    first.page.reload();
    assertThat(first.page.locator(".workspace")).hasText("local");
    Visitor second = stage.visitor(new Browser.NewContextOptions());
    second.page.navigate(stage.signInLink());
    assertThat(second.page.getByRole(AriaRole.ALERT)).containsText("This link was used");
    assertTrue(second.page.getByLabel("API key").first().isVisible());
  }

  @Test
  void whoHasAKeyIsAskedBeforeALinkReplacesIt() {
    String workspace = client.get("/me").ok().path("workspace").asText();
    visitor.page.navigate(stage.signInLink());
    assertThat(visitor.button("Replace the key")).isVisible();
    visitor.button("Keep mine").click();
    assertThat(visitor.page.locator(".workspace")).hasText(workspace);
  }

  @Test
  void aKeyIsKeptInTheTabUnlessAskedFor() {
    assertEquals(1, visitor.page.evaluate("sessionStorage.length"));
    assertEquals(0, visitor.page.evaluate("localStorage.length"));
    visitor.go("/settings");
    visitor.button("Sign out").click();
    assertEquals(0, visitor.page.evaluate("sessionStorage.length"));
    Page.GetByLabelOptions exact = new Page.GetByLabelOptions().setExact(true);
    visitor.page.getByLabel("API key", exact).fill(client.key());
    visitor.page.locator("sign-in input[type=checkbox]").check();
    visitor.button("Sign in").click();
    assertThat(visitor.page.locator("settings-view")).isVisible();
    assertEquals(1, visitor.page.evaluate("localStorage.length"));
    assertTrue(visitor.page.url().endsWith("#/settings"), visitor.page.url());
  }
}
