package agentsessions.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Hostile content in a transcript: none of it runs, and none makes the page send a request to
/// another host.
@InBrowser
record HostileTest(Client client, Visitor visitor) {
  private static final List<String> TEXTS =
      List.of(
          "<script>window.run=1</script><img src=x onerror=window.run=1>",
          "![a picture](https://evil.example/pixel.png) <img src=\"https://evil.example/2.png\">",
          "[click](javascript:window.run=1) [data](data:text/html,<script>window.run=1</script>)",
          "<a href=\"jav&#x09;ascript:window.run=1\">tab</a> <svg onload=window.run=1><style>*{display:none}</style>",
          "<iframe src=https://evil.example></iframe><form action=https://evil.example><input name=key>",
          "```html\n<script>window.run=1</script>\n``` and `<img src=x onerror=window.run=1>`",
          "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=window.run=1&gt;\">",
          "safe \u202Etxt.exe\u202C \u2066isolated\u2069 \u05D0\u05D1",
          "\u001b[31mred\u001b[0m \u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007 \u001b[2J\u001b[1;1H \u001b]0;title\u0007");

  @Test
  void nothingRunsAndNothingIsLoaded() {
    SessionHandle talk = client.create("scripted", script());
    talk.first().completed();
    visitor.goToSession(talk.id());
    visitor.sees("The end.");
    assertNull(visitor.page.evaluate("window.run ?? null"));
    assertThat(
            visitor.page.locator(".transcript :is(script, img, iframe, form, input, svg, style)"))
        .hasCount(0);
    assertThat(visitor.page.locator(".transcript a[href^='javascript']")).hasCount(0);
    assertThat(visitor.page.locator(".transcript a[href^='data']")).hasCount(0);
    assertThat(visitor.page.locator(".transcript .colour-1")).hasText("red");
    visitor.sees("\\u202etxt.exe");
    visitor
        .page
        .getByText("click", new com.microsoft.playwright.Page.GetByTextOptions().setExact(true))
        .click();
    assertNull(visitor.page.evaluate("window.run ?? null"));
  }

  @Test
  void aLineOfAMegabyteIsShownByItsBeginningAndInWholeWhenAsked() {
    SessionHandle talk = client.create("shell", "head -c 1000000 /dev/zero | tr '\\0' x; echo end");
    talk.first().completed();
    visitor.goToSession(talk.id());
    visitor.page.getByText("Show all").click();
    visitor.sees("xend");
    assertEquals(
        1440, visitor.page.evaluate("document.scrollingElement.scrollWidth"), "nothing sticks out");
  }

  @Test
  void whatACallWasGivenIsTextToo() {
    SessionHandle talk =
        client.create(
            "scripted",
            """
            echo '{"type":"call","id":"1","name":"<img src=x onerror=window.run=1>","input":{"command":"<script>window.run=1</script>"}}'
            echo '{"type":"result","text":"The end."}'
            """);
    talk.first().completed();
    visitor.goToSession(talk.id());
    assertThat(visitor.page.locator(".tool b")).hasText("<img src=x onerror=window.run=1>");
    visitor.page.locator(".tool").click();
    assertThat(visitor.page.locator("pre.input")).containsText("<script>");
    assertNull(visitor.page.evaluate("window.run ?? null"));
  }

  /// A script that prints all texts, each as a message of its own.
  private static String script() {
    StringBuilder script = new StringBuilder("cat <<'END_OF_TEXT'\n");
    for (String text : TEXTS) {
      script.append(Client.JSON.createObjectNode().put("type", "message").put("text", text));
      script.append('\n');
    }
    return script + "{\"type\":\"result\",\"text\":\"The end.\"}\nEND_OF_TEXT\n";
  }
}
