package agentsessions.api.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.session.id.Sha256;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The console as it is served: complete, of this service only, and nothing besides.
class ConsoleTest {
  private static final Pattern REFERENCE = Pattern.compile("(/[^\" ]*/[0-9a-f]{16}/[^\" ]+)");
  private static final Pattern IMPORTS =
      Pattern.compile("<script type=\"importmap\">(.*?)</script>");
  private static final Pattern IMPORTED = Pattern.compile("\"(/[^\"]+\\.m?js)\"");

  private final Console console =
      new Console(JsonMapper.createDefault(), "", () -> "https://bucket.example");

  @Test
  void everythingThePageNamesIsHereAndKeptForEver() {
    Set<String> named = matches(REFERENCE, page());
    assertTrue(named.size() > 20, named::toString);
    named.forEach(each -> assertKept(each));
  }

  @Test
  void everyFileOfTheFolderIsNamedByThePage() throws IOException {
    Path console = Path.of("../../infra/console");
    try (Stream<Path> files = Files.walk(console).filter(Files::isRegularFile)) {
      Set<String> there =
          files
              .map(file -> console.relativize(file).toString())
              .filter(name -> !Set.of("index.html", "README.md").contains(name))
              .collect(Collectors.toCollection(TreeSet::new));
      Set<String> named =
          matches(REFERENCE, page()).stream()
              .map(path -> path.replaceFirst(".*/[0-9a-f]{16}/", ""))
              .collect(Collectors.toCollection(TreeSet::new));
      assertEquals(there, named);
    }
  }

  @Test
  void theLibrariesAreHereUnderTheirVersions() {
    Set<String> libraries = matches(IMPORTED, imports());
    assertTrue(libraries.stream().anyMatch(each -> each.contains("/lit/")), libraries::toString);
    libraries.forEach(each -> assertKept(each));
  }

  @Test
  void theColoursOfCodeAreHereByTheirLanguages() {
    Matcher folder = Pattern.compile("\"prismjs/\":\"([^\"]+/)\"").matcher(imports());
    assertTrue(folder.find(), imports());
    assertKept(folder.group(1) + "prism-core.min.js");
    assertKept(folder.group(1) + "prism-java.min.js");
  }

  @Test
  void onlyWhatIsServedHereRuns() {
    String policy = header(answer("/console/"), "Content-Security-Policy");
    String digest = Base64.getEncoder().encodeToString(Sha256.of(imports()));
    assertTrue(policy.contains("script-src 'self' 'sha256-" + digest + "'"), policy);
    assertTrue(policy.startsWith("default-src 'none'"), policy);
    assertTrue(policy.contains("frame-ancestors 'none'"), policy);
    assertTrue(policy.contains("connect-src 'self' https://bucket.example;"), policy);
    assertFalse(policy.contains("unsafe"), policy);
    assertFalse(page().contains("http"), page());
    assertEquals("no-referrer", header(answer("/console/"), "Referrer-Policy"));
    assertEquals("nosniff", header(answer("/console/"), "X-Content-Type-Options"));
    assertEquals("no-cache", header(answer("/console/"), "Cache-Control"));
  }

  @Test
  void behindAStageAllStandsBelowIt() {
    assertTrue(
        matches(REFERENCE, page()).stream().allMatch(each -> each.startsWith("/api/console/")));
    Console own = new Console(JsonMapper.createDefault(), "https://agents.example.org", () -> "");
    String page = own.answer(event("GET", "/console/")).orElseThrow().getBody();
    assertTrue(matches(REFERENCE, page).stream().allMatch(each -> each.startsWith("/console/")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/console/index.html",
        "/console/0000000000000000/app.js",
        "/console/_static/../importmap.json",
        "/console/_static/lit/3.3.1/LICENSE",
        "/console/_static/lit/%2e%2e/x.js",
        "/console/_static//x.js",
        "/console/webjars/prismjs/1.30.0/package.json",
        "/console/webjars/prismjs/1.30.0/../../x.js",
        "/console/webjars/swagger-ui/swagger-ui.js",
        "/console/..",
        "/consolex"
      })
  void nothingBesides(String path) {
    assertEquals(Optional.empty(), console.answer(event("GET", path)));
  }

  @Test
  void itIsReadOnly() {
    assertEquals(Optional.empty(), console.answer(event("POST", "/console/")));
  }

  /// Modules are written as they are served: no name that the page's policy would forbid.
  @Test
  void noFileAsksForAnotherHostOrAStyleOfItsOwn() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("../../infra/console"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".js")).toList()) {
        String text = Files.readString(file);
        assertFalse(text.matches("(?s).*(from|import) ?['\"]https?:.*"), file::toString);
        assertFalse(text.contains("style="), file::toString);
        assertFalse(text.contains("innerHTML"), file::toString);
        assertFalse(text.contains("unsafeHTML"), file::toString);
      }
    }
  }

  private void assertKept(String path) {
    APIGatewayProxyResponseEvent answer = answer(path.substring("/api".length()));
    assertTrue(header(answer, "Cache-Control").contains("immutable"), path);
    assertEquals("nosniff", header(answer, "X-Content-Type-Options"), path);
    assertFalse(header(answer, "Content-Type").isEmpty(), path);
    assertFalse(answer.getBody().isEmpty(), path);
  }

  private String page() {
    return answer("/console/").getBody();
  }

  private String imports() {
    Matcher found = IMPORTS.matcher(page());
    assertTrue(found.find());
    return found.group(1);
  }

  private APIGatewayProxyResponseEvent answer(String path) {
    return console
        .answer(event("GET", path))
        .orElseThrow(() -> new AssertionError("nothing at " + path));
  }

  private static String header(APIGatewayProxyResponseEvent answer, String name) {
    return String.join(", ", answer.getMultiValueHeaders().get(name));
  }

  private static Set<String> matches(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(found -> found.group(1)).collect(Collectors.toSet());
  }

  private static APIGatewayProxyRequestEvent event(String method, String path) {
    APIGatewayProxyRequestEvent event = new APIGatewayProxyRequestEvent();
    event.setHttpMethod(method);
    event.setPath(path);
    event.setRequestContext(new APIGatewayProxyRequestEvent.ProxyRequestContext());
    event.getRequestContext().setStage("api");
    return event;
  }
}
