package agentsessions.browser;

import static org.junit.jupiter.api.Assertions.assertAll;

import agentsessions.local.LocalService;
import agentsessions.local.Settings;
import agentsessions.talk.Client;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.function.Executable;

/// The service and the browser of the console's tests: the system's Chromium. There is one of each
/// in a process, for all tests.
final class Stage implements AutoCloseable {
  private static final List<Path> BROWSERS =
      List.of(Path.of("/usr/bin/chromium"), Path.of("/usr/bin/chromium-browser"));

  /// Long enough for a busy machine.
  static final double TIMEOUT_MILLIS = 60_000;

  /// The longest wait of a client with a key of its own.
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

  /// The time for which a revoked key may still be accepted.
  private static final int KEY_CACHE_SECONDS = 2;

  /// An agent whose message is a script that prints events, a JSON object a line. Nothing judges
  /// its tools.
  private static final String CATALOGUE =
      """
      scripted:
        description: Runs the message as a script that prints events.
        command: [bash, "${AGENT_MESSAGE_FILE}"]
        stdin: none
        reply: {from: jsonl, where: {/type: result}, pointer: /text}
        events:
          - type: message
            where: {/type: message}
            text: /text
          - type: tool_call
            where: {/type: call}
            id: /id
            name: /name
            input: /input
          - type: tool_result
            where: {/type: done}
            id: /id
            result: {failed: {/failed: true}}
        plans: ["plans/**/*.md"]
        network: none
      """;

  private final LocalService service;
  private final Playwright playwright;
  private final Browser browser;
  private final List<Visitor> visitors = new ArrayList<>();
  private int workspaces;

  private Stage(LocalService service, Playwright playwright, Browser browser) {
    this.service = service;
    this.playwright = playwright;
    this.browser = browser;
  }

  /// The Chromium of this machine, if it has one.
  static Optional<Path> chromium() {
    return BROWSERS.stream().filter(Files::isExecutable).findFirst();
  }

  static Stage open() {
    PlaywrightAssertions.setDefaultAssertionTimeout(TIMEOUT_MILLIS);
    Playwright playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    Browser browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setExecutablePath(chromium().orElseThrow())
                    .setArgs(List.of("--no-sandbox"))); // root has none
    return new Stage(LocalService.start(settings()), playwright, browser);
  }

  private static Settings settings() {
    try {
      Path target = Files.createDirectories(Path.of("target"));
      Path data = Files.createTempDirectory(target, "browser-");
      Path catalogue =
          Files.writeString(data.resolve("agents.yaml"), CATALOGUE + shell() + planner());
      Map<String, Object> own =
          Map.of(
              Settings.AGENTS_FILE,
              catalogue.toString(),
              Settings.TRUSTED_AGENTS,
              "scripted,shell,planner",
              Settings.ALLOW_PRIVATE,
              true,
              Settings.KEY_CACHE_SECONDS,
              KEY_CACHE_SECONDS);
      return new Settings(0, 0, data, Optional.empty(), own);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /// The same, whose plans are taken for prose.
  private static String planner() throws IOException {
    return shell().replace("shell:", "planner:").replace("PLAN.sh", "PLAN.md");
  }

  /// The shell agent, as everybody has it.
  private static String shell() throws IOException {
    String all = Files.readString(Path.of("../agents.yaml"));
    int start = all.indexOf("\nshell:");
    return all.substring(start, all.indexOf("\n\n", start));
  }

  /// A new browser window, not signed in.
  Visitor visitor(Browser.NewContextOptions look) {
    Visitor visitor = new Visitor(browser.newContext(look), console());
    visitors.add(visitor);
    return visitor;
  }

  Visitor visitor() {
    return visitor(new Browser.NewContextOptions().setViewportSize(1440, 900));
  }

  /// A new window, signed in with this key.
  Visitor signedIn(String key) {
    Visitor visitor = visitor();
    visitor.signIn(key);
    return visitor;
  }

  /// Closes all windows; fails if one has called another host or logged an error.
  void seeOut() {
    List<Visitor> leaving = List.copyOf(visitors);
    visitors.clear();
    leaving.forEach(Visitor::close);
    assertAll(leaving.stream().<Executable>map(visitor -> visitor::assertQuiet));
  }

  /// The name of a new workspace.
  String newWorkspace() {
    return "visited-" + ++workspaces;
  }

  /// A file in the folder of a session's agent.
  Path work(String session, String file) {
    return service.dataFolder().resolve("sandboxes").resolve(session).resolve("work").resolve(file);
  }

  String newKey(String workspace) {
    return service.createKey(workspace);
  }

  Client client(String key) {
    return Client.of(service.baseUrl(), List.of(key)).patient(LIMIT, POLL_INTERVAL);
  }

  String console() {
    return service.baseUrl() + "/console/";
  }

  String docs() {
    return service.baseUrl() + "/docs";
  }

  String signInLink() {
    return console() + "#sign-in=" + service.signInCode();
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
    service.close();
  }
}
