package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertNull;

import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import com.microsoft.playwright.Locator;
import org.junit.jupiter.api.Test;

/// Syntax colours of code in every language, whatever the code contains.
@InBrowser
record CodeTest(Client client, Visitor visitor) {
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
    SessionHandle talk =
        client.create(
            "shell", "# Code\nmkdir outputs; echo 'def one(): return 1' > outputs/one.py");
    talk.first().completed();
    visitor.goToSession(talk.id());
    visitor.go("/sessions/" + talk.id() + "/files");
    visitor.link("outputs/one.py").click();
    assertThat(visitor.page.locator(".panel .token.keyword").first()).hasText("def");
    assertThat(visitor.page.locator(".panel code")).hasText("def one(): return 1");
  }

  /// The agent's message with that code, as the page shows it.
  private Locator said(String language, String code) {
    String text = "Look:\n\n```%s\n%s\n```".formatted(language, code);
    String line = Client.JSON.createObjectNode().put("type", "result").put("text", text).toString();
    SessionHandle talk =
        client.create("scripted", "cat <<'END_OF_TEXT'\n" + line + "\nEND_OF_TEXT\n");
    talk.first().completed();
    visitor.goToSession(talk.id());
    visitor.sees("Look:");
    return visitor.page.locator(".transcript pre code");
  }
}
