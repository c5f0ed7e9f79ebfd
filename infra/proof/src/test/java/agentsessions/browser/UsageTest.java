package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.talk.Await;
import agentsessions.talk.Client;
import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The usage view: used amounts as a picture and a table, and limits.
@InBrowser
record UsageTest(Stage stage, Client client, Visitor visitor) {
  @BeforeEach
  void stayInOneDay() {
    Await.leftOfTheDay(Duration.ofMinutes(2));
  }

  /// Sums as agents with real models would have made them.
  @Test
  void aDayIsABarAndARowByAgentAndModel() {
    List<String> asked = new ArrayList<>();
    visitor.page.route(
        url -> url.contains("/rest/v1/usage"),
        route -> {
          asked.add(route.request().url());
          answer(route);
        });
    visitor.link("Usage").click();
    assertThat(bars()).hasCount(30);
    assertThat(rows()).hasCount(2);
    assertThat(visitor.page.locator("figure svg")).hasAttribute("aria-label", sum("\\$3\\.50"));
    assertEquals("100", bars().last().getAttribute("height"));
    visitor.page.screenshot(
        new Page.ScreenshotOptions().setPath(Path.of("target/pictures/usage-drawn.png")));
    assertEquals(List.of(), new AxeBuilder(visitor.page).analyze().getViolations());
    choice("rows").selectOption("agent");
    assertThat(rows()).containsText(new String[] {"claude$3.001,200", "codex$0.501,200"});
    choice("rows").selectOption("day");
    choice("agent").selectOption("codex");
    assertThat(visitor.page.locator("figcaption")).containsText("$0.50 in all");
    choice("model").selectOption("gpt-5");
    assertThat(visitor.page.locator("figcaption"))
        .containsText("at least $0.0007 in all, without what has no price");
    assertThat(rows().first()).containsText("at least $0.0007");
    choice("measure").selectOption("Turns");
    assertThat(visitor.page.locator("figcaption")).containsText("1 turn in all");
    choice("period").selectOption("7 days");
    assertThat(bars()).hasCount(7);
    String last =
        "&to=" + LocalDate.now(ZoneOffset.UTC) + "&group_by=day&group_by=agent&group_by=model";
    assertTrue(asked.stream().anyMatch(url -> url.endsWith(last)), asked::toString);
  }

  @Test
  void whereNothingWasUsedThatIsSaidAndThenWhatWas() throws IOException {
    visitor.go("/usage");
    assertThat(visitor.page.locator("usage-view [role=status]")).containsText("Nothing was used");
    assertThat(bars()).hasCount(0);
    client.create("shell", "echo ok").first().completed();
    String today = "/usage?group_by=day&from=%1$s&to=%1$s".formatted(LocalDate.now(ZoneOffset.UTC));
    Await.await("the turn among what was used", Duration.ofSeconds(60), Duration.ofMillis(700))
        .until(() -> !client.get(today).ok().path("items").isEmpty());
    visitor.page.reload();
    choice("measure").selectOption("Turns");
    assertThat(visitor.page.locator("figcaption")).containsText("1 turn in all");
    Download table = visitor.page.waitForDownload(() -> visitor.button("Download CSV").click());
    assertThat(visitor.page.locator("usage-view [role=alert]")).hasCount(0);
    String lines = Files.readString(table.path());
    assertTrue(lines.startsWith("day,agent_name,model,turns,"), lines);
    assertTrue(lines.contains(LocalDate.now(ZoneOffset.UTC) + ",shell,"), lines);
  }

  @Test
  void theCeilingsOfTheWorkspaceAreSavedAndTakenBack() {
    visitor.go("/settings");
    Locator form = visitor.page.locator("limits-form");
    form.getByLabel("Dollars a day").fill("2.5");
    form.getByText("Save ceilings").click();
    assertThat(form.locator("[role=status]")).hasText("Saved");
    assertEquals(2.5, client.get("/limits").ok().path("max_cost_usd_per_day").asDouble());
    visitor.page.reload();
    assertThat(form.getByLabel("Dollars a day")).hasValue("2.5");
    assertThat(form.getByLabel("Dollars a month")).hasValue("");
    form.getByLabel("Dollars a day").fill("");
    form.getByText("Save ceilings").click();
    assertThat(form.locator("[role=status]")).hasText("Saved");
    assertFalse(client.get("/limits").ok().hasNonNull("max_cost_usd_per_day"));
  }

  @Test
  void ceilingsAreForAdministrators() {
    Map<String, Object> readOnly = Map.of("name", "reader", "scopes", List.of("read"));
    String key = client.post("/keys", readOnly).expect(201).text("/key");
    Visitor reader = stage.signedIn(key);
    reader.go("/settings");
    assertThat(reader.page.locator("settings-view")).containsText("ceilings are for keys");
    assertThat(reader.page.locator("limits-form")).hasCount(0);
  }

  private static void send(Route route, Object body) {
    route.fulfill(
        new Route.FulfillOptions().setContentType("application/json").setBody(Client.text(body)));
  }

  private Locator choice(String name) {
    return visitor.page.locator("#usage-" + name);
  }

  private Locator bars() {
    return visitor.page.locator("figure rect");
  }

  private Locator rows() {
    return visitor.page.locator("usage-view tbody tr");
  }

  private static Pattern sum(String words) {
    return Pattern.compile("^Cost by day: " + words + " in all; .*");
  }

  private static void answer(Route route) {
    String url = route.request().url();
    List<Map<String, Object>> items = new ArrayList<>();
    boolean byModel = url.contains("group_by=model");
    if (!url.contains("group_by=day")) {
      items.add(row(null, "claude", "sonnet", 3.0));
      items.add(row(null, "codex", "gpt-5", 0.5));
    } else if (url.contains("group_by=agent")) {
      items.add(row(0, "claude", byModel ? "sonnet" : null, 3.0));
      items.add(row(1, "codex", byModel ? "gpt-5" : null, byModel ? null : 0.5));
    } else {
      items.add(row(0, null, null, 3.0));
      items.add(row(1, null, null, 0.5));
    }
    send(route, Map.of("items", items));
  }

  private static Map<String, Object> row(
      @Nullable Integer daysAgo,
      @Nullable String agent,
      @Nullable String model,
      @Nullable Double cost) {
    Map<String, Object> row = new HashMap<>();
    if (daysAgo != null) {
      Instant day = Instant.now().minus(Duration.ofDays(daysAgo));
      row.put("day", LocalDate.ofInstant(day, ZoneOffset.UTC).toString());
    }
    row.put("agent_name", agent);
    row.put("model", model);
    row.put("turns", 1);
    row.put("model_requests", 4);
    row.put("input_tokens", 1000);
    row.put("output_tokens", 200);
    row.put("cache_read_tokens", 0);
    row.put("cache_write_tokens", 0);
    row.put("active_seconds", 60.0);
    row.put("cost_usd", cost);
    row.put("known_cost_usd", cost == null ? 0.0007 : cost);
    row.put("complete", true);
    return row;
  }
}
