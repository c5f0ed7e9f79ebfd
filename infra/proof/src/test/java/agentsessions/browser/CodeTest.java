package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertNull;

import agentsessions.talk.Client;
import agentsessions.talk.Session;
import com.microsoft.playwright.Locator;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/// Code in the colours of its language, whatever is in it.
@Tag("browser")
final class CodeTest {
  @TempDir static Path data;
  private static Stage stage;
  private Client client;
  private Visitor visitor;

  @BeforeAll
  static void start() {
    stage = Stage.open(data);
  }

  @AfterAll
  static void stop() {
    if (stage != null) {
      stage.close();
    }
  }

  @BeforeEach
  void visit(TestInfo test) {
    String key = stage.newKey("code-" + test.getDisplayName().hashCode());
    client = stage.client(key);
    visitor = stage.signedIn(key);
  }

  @AfterEach
  void leave() {
    visitor.assertQuiet();
    visitor.close();
  }

  @Test
  void codeOfAKnownLanguageHasItsColours() {
    Locator code = said("java", "final int one = 1;");
    assertThat(code.locator(".token.keyword").first()).hasText("final");
    assertThat(code).hasText("final int one = 1;");
  }

  @Test
  void aLanguageIsKnownByItsOtherNamesAndWithWhatItBuildsUpon() {
    Locator code = said("tsx", "const one: number = <b>1</b>;");
    assertThat(code.locator(".token.keyword").first()).hasText("const");
    assertThat(code.locator(".token.tag").first()).containsText("b");
  }

  @Test
  void codeOfAnUnknownLanguageStaysAsItIs() {
    Locator code = said("constructor", "final int one = 1;");
    assertThat(code).hasText("final int one = 1;");
    assertThat(code.locator(".token")).hasCount(0);
  }

  @Test
  void codeThatIsMarkupRunsNot() {
    Locator code =
        said("html", "<img src=\"x\" onerror=\"window.run=1\"><script>window.run=1</script>");
    assertThat(code.locator(".token.tag").first()).containsText("<img");
    assertThat(visitor.page.locator(".transcript :is(img, script)")).hasCount(0);
    assertNull(visitor.page.evaluate("window.run ?? null"));
  }

  @Test
  void aFileOfCodeHasItsColours() {
    Session talk =
        client.create("shell", "mkdir outputs; echo 'def one(): return 1' > outputs/one.py");
    talk.first().completed();
    visitor.goToSession(talk.id());
    visitor.go("/sessions/" + talk.id() + "/files");
    visitor.link("outputs/one.py").click();
    assertThat(visitor.page.locator(".panel .token.keyword").first()).hasText("def");
    assertThat(visitor.page.locator(".panel code")).hasText("def one(): return 1");
  }

  /// An agent's words with that code, as the page shows it.
  private Locator said(String language, String code) {
    String text = "Look:\n\n```%s\n%s\n```".formatted(language, code);
    String line = Client.JSON.createObjectNode().put("type", "result").put("text", text).toString();
    Session talk = client.create("scripted", "cat <<'END_OF_TEXT'\n" + line + "\nEND_OF_TEXT\n");
    talk.first().completed();
    visitor.goToSession(talk.id());
    visitor.sees("Look:");
    return visitor.page.locator(".transcript pre code");
  }
}
