package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The reference of the API at `/docs`: operations are tried with a key, and shown as calls of curl
/// and of both SDKs.
@InBrowser
record ReferenceTest(Stage stage) {
  private static final int MOST_BYTES = 560 * 1024;
  private static final String WHAT_IS_STORED =
      "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])";
  private static final int NARROW = 380;

  @Test
  void whatIsTriedIsSentWithAKeyThatIsKeptNowhere() {
    Visitor visitor = open(stage.visitor(), "sessions/createSession");
    List<Request> requests = new CopyOnWriteArrayList<>();
    visitor.page.onRequest(requests::add);
    String key = stage.newKey(stage.newWorkspace());
    visitor.page.getByLabel("API key").fill(key);
    visitor.button("Try it out").press("Enter");
    visitor
        .page
        .locator("textarea")
        .fill("{\"agent_name\": \"shell\", \"message\": \"echo it's tried\"}");
    visitor.button("Execute").press("Enter");
    assertThat(visitor.page.locator(".live-responses-table")).containsText("201");
    assertEquals(1, stage.client(key).get("/sessions").ok().path("items").size());
    Request sent =
        requests.stream().filter(each -> each.method().equals("POST")).findFirst().orElseThrow();
    assertEquals("ApiKey " + key, sent.allHeaders().get("authorization"));
    assertFalse(sent.allHeaders().containsKey("idempotency-key"), "an example is no value");
    assertTrue(requests.stream().noneMatch(each -> each.url().contains(key)));
    assertFalse(visitor.page.content().contains(key));
    assertEquals("[{},{},\"\"]", visitor.page.evaluate(WHAT_IS_STORED));
    assertThat(call(visitor)).containsText("-H \"Authorization: ApiKey $AGENT_SESSIONS_KEY\"");
    assertThat(call(visitor)).containsText("\"echo it'\\''s tried\"");
    tab(visitor, "curl").press("ArrowRight");
    assertThat(tab(visitor, "Python")).isFocused();
    assertThat(call(visitor)).containsText("client.run(\"shell\", \"echo it's tried\")");
    tab(visitor, "TypeScript").click();
    assertThat(call(visitor)).containsText("await client.run(\"shell\", \"echo it's tried\");");
    visitor.page.reload();
    assertThat(visitor.page.getByLabel("API key")).hasValue("");
  }

  @Test
  void whatAnSdkHasNoMethodForIsARequest() {
    Visitor visitor = open(stage.visitor(), "messages/listMessages");
    tab(visitor, "Python").click();
    assertThat(call(visitor)).containsText("in client.session(\"SESSION_ID\").messages():");
    open(visitor, "sessions/createPullRequest");
    tab(visitor, "Python").click();
    assertThat(call(visitor)).containsText("pull_request(\"app\", title=\"Limit requests by key\"");
    tab(visitor, "TypeScript").click();
    assertThat(call(visitor)).containsText(".pullRequest({ path: \"app\", title: \"Limit ");
    open(visitor, "requests/decideRequest");
    tab(visitor, "Python").click();
    assertThat(call(visitor)).containsText("client.requests.decide(request, \"allow\")");
    open(visitor, "settings/putSecret");
    tab(visitor, "TypeScript").click();
    assertThat(call(visitor)).containsText("client.request(\"PUT\", \"/secrets/NAME\", { body: {");
  }

  @ParameterizedTest
  @EnumSource(
      value = ColorScheme.class,
      names = {"LIGHT", "DARK"})
  void itFitsAnyWindowAndNothingIsHardToSee(ColorScheme scheme) {
    Visitor visitor = stage.visitor(new Browser.NewContextOptions().setColorScheme(scheme));
    List<Integer> weights = new CopyOnWriteArrayList<>();
    visitor.page.onResponse(response -> weights.add(LooksTest.packed(response.body())));
    open(visitor, "messages/sendMessage");
    int weight = weights.stream().mapToInt(Integer::intValue).sum();
    System.out.printf("The reference is %.1f kB, packed.%n", weight / 1024.0);
    assertTrue(weight <= MOST_BYTES, weight + " bytes");
    visitor.button("Try it out").press("Enter");
    picture(visitor, "reference-" + scheme);
    assertEquals(
        List.of(),
        new AxeBuilder(visitor.page)
            .include(List.of(".key"))
            .include(List.of(".calls"))
            .analyze()
            .getViolations());
    visitor.page.setViewportSize(NARROW, 800);
    visitor.awaits("document.documentElement.scrollWidth <= innerWidth");
    picture(visitor, "reference-narrow-" + scheme);
  }

  private Visitor open(Visitor visitor, String operation) {
    visitor.page.navigate("about:blank"); // or only what is behind # would be another
    visitor.page.navigate(stage.docs() + "#/" + operation);
    assertThat(call(visitor)).isVisible();
    return visitor;
  }

  private static void picture(Visitor visitor, String name) {
    // Playwright's own scrolling waits for two frames, and a hidden window may draw none.
    call(visitor).evaluate("shown => shown.scrollIntoView({ block: 'nearest' })");
    Path file = Path.of("target/pictures", name.toLowerCase(Locale.ROOT) + ".png");
    visitor.page.screenshot(new Page.ScreenshotOptions().setPath(file));
  }

  private static Locator call(Visitor visitor) {
    return visitor.page.locator(".calls pre");
  }

  private static Locator tab(Visitor visitor, String name) {
    Locator.GetByRoleOptions called = new Locator.GetByRoleOptions().setName(name);
    return visitor.page.locator(".calls").getByRole(AriaRole.TAB, called);
  }
}
