package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;

/// A person at a browser window: the visible page, and a record of hosts that were called and of
/// errors in the browser's console.
final class Visitor {
  /// The width of a phone.
  private static final int NARROW = 380;

  private static final Set<String> SERIOUS = Set.of("serious", "critical");

  final Page page;
  private final BrowserContext context;
  private final String console;
  private final Set<String> hosts = new ConcurrentSkipListSet<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();

  Visitor(BrowserContext context, String console) {
    this.context = context;
    this.console = console;
    context.setDefaultTimeout(Stage.TIMEOUT_MILLIS);
    page = context.newPage();
    page.onRequest(request -> note(request.url()));
    page.onPageError(complaints::add);
    page.onDialog(dialog -> {
      complaints.add("a dialogue: " + dialog.message());
      dialog.dismiss();
    });
    page.onConsoleMessage(message -> {
      if (message.text().contains("Content Security Policy")) {
        complaints.add(message.text());
      }
    });
  }

  private void note(String url) {
    if (url.startsWith("http")) {
      hosts.add(URI.create(url.split("\\?", 2)[0]).getHost());
    }
  }

  void signIn(String key) {
    go("");
    enter(key);
  }

  /// Signs in where the page asks for it.
  void enter(String key) {
    page.getByLabel("API key", new Page.GetByLabelOptions().setExact(true)).fill(key);
    button("Sign in").click();
    assertThat(page.locator(".roster")).isVisible();
  }

  /// Goes to a view, by the part of its address behind `#`.
  void go(String view) {
    page.navigate(console + (view.isEmpty() ? "" : "#" + view));
  }

  void goToSession(String id) {
    go("/sessions/" + id);
    assertThat(page.locator("message-composer textarea")).isVisible();
  }

  Locator button(String name) {
    return page.getByRole(
        AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name).setExact(true));
  }

  Locator link(String name) {
    return page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name));
  }

  void say(String message) {
    page.locator("message-composer textarea").fill(message);
    page.keyboard().press("Control+Enter");
  }

  void sees(String text) {
    assertThat(page.locator(".transcript")).containsText(text);
  }

  /// Waits until an expression is true in the page. It is polled from here, since the page's policy
  /// forbids `eval`.
  void awaits(String expression) {
    long end = System.nanoTime() + (long) (Stage.TIMEOUT_MILLIS * 1e6);
    while (!Boolean.TRUE.equals(page.evaluate(expression))) {
      assertTrue(System.nanoTime() - end < 0, expression);
      page.waitForTimeout(20);
    }
  }

  /// The height of the page, which scrolling parts in it do not add to.
  int height() {
    return (Integer) page.evaluate("document.documentElement.scrollHeight");
  }

  /// Looks at the page in dark, light and narrow: no serious accessibility fault, and nothing
  /// sticks out.
  void looksWell(String name) {
    for (ColorScheme scheme : List.of(ColorScheme.DARK, ColorScheme.LIGHT)) {
      page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
      looksWell(name, scheme.name().toLowerCase(Locale.ROOT));
    }
    page.setViewportSize(NARROW, 800);
    looksWell(name, "narrow");
    assertEquals(NARROW, page.evaluate("document.scrollingElement.scrollWidth"), name);
  }

  private void looksWell(String name, String how) {
    Path picture = Path.of("target/pictures", name + "-" + how + ".png");
    page.screenshot(new Page.ScreenshotOptions().setPath(picture));
    List<Rule> faults =
        new AxeBuilder(page)
            .analyze().getViolations().stream()
                .filter(rule -> SERIOUS.contains(rule.getImpact()))
                .toList();
    assertEquals(List.of(), faults, () -> name + " " + how + ": " + faults);
  }

  /// Grants the clipboard, as a person does when asked.
  void mayUseTheClipboard() {
    context.grantPermissions(List.of("clipboard-read", "clipboard-write"));
  }

  void offline(boolean isOffline) {
    context.setOffline(isOffline);
  }

  /// Fails if another host was called, or an error was logged.
  void assertQuiet() {
    assertEquals(Set.of("127.0.0.1"), hosts);
    assertEquals(List.of(), complaints);
  }

  void close() {
    context.close();
  }
}
