package agentsessions.contract.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.Section;
import agentsessions.contract.SuiteTiming;
import agentsessions.contract.Target;
import agentsessions.talk.Client;
import agentsessions.talk.PresignedLink;
import agentsessions.talk.SessionHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLDecoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Sections 2.4 and 4.6: the presigned link of an artifact, and the download through it.
@Section(number = "2.4, 4.6", title = "Download files")
final class DownloadsTest {
  private static final Pattern FILE_NAME = Pattern.compile("filename\\*=UTF-8''([^;]*)");

  private final Client client = Target.client();

  @Tag("stack")
  @Test
  void aLinkIsPresignedForSixDays() {
    JsonNode plan = SuiteTiming.ahead(Duration.ofDays(6), "url_expires_at", this::plan);
    assertTrue(plan.path("url").asText().contains("X-Amz-Expires=518400"), plan::toString);
    assertFalse(plan.path("url").asText().contains("X-Amz-Security-Token"));
  }

  @Tag("stack")
  @Test
  void aLinkIsForItsOwnObjectAndNoOther() {
    String url = plan().path("url").asText();
    assertEquals(200, PresignedLink.download(url).statusCode());
    for (String part : List.of("X-Amz-Signature=", "X-Amz-Date=", "X-Amz-Credential=")) {
      assertEquals(403, PresignedLink.download(changedAfter(part, url)).statusCode(), part);
    }
    String longer = url.replace("X-Amz-Expires=518400", "X-Amz-Expires=518401");
    assertEquals(403, PresignedLink.download(longer).statusCode());
    assertNotEquals(200, PresignedLink.download(url.substring(0, url.indexOf('?'))).statusCode());
  }

  @Test
  void theLinkTellsNothingOfWhoseFileItIs() {
    SessionHandle session = client.create("printf A > secret-name.txt; echo ok");
    session.first().reply();
    String url = session.artifactNamed("secret-name.txt").path("url").asText();
    assertFalse(url.substring(0, url.indexOf('?')).contains("secret-name"), url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a b.txt",
        "quote\"s.txt",
        "apostrophe's.txt",
        "ünï€😀.txt",
        "semi;colon,comma.txt",
        "100%25.txt",
        "plus+and&.txt",
        "back\\slash.txt",
        "#hash?question.txt",
        "-dash",
        "new\nline.txt"
      })
  void aFileIsDownloadedUnderItsNameHoweverOdd(String name) {
    String quoted = name.replace("'", "'\\''");
    SessionHandle session = client.create("printf content > './" + quoted + "'; echo ok");
    session.first().reply();
    JsonNode file = session.artifactNamed(name);
    assertEquals("/workspace/" + name, file.path("file_path").asText());
    HttpResponse<byte[]> download = PresignedLink.download(file.path("url").asText());
    assertEquals("content", new String(download.body(), StandardCharsets.UTF_8));
    String disposition = download.headers().firstValue("Content-Disposition").orElseThrow();
    assertTrue(disposition.startsWith("attachment"), disposition);
    assertEquals(name, fileName(disposition));
  }

  @ParameterizedTest
  @CsvSource({
    "a.json, application/json",
    "a.html, text/html; charset=utf-8",
    "a.txt, text/plain; charset=utf-8",
    "a.csv, text/csv; charset=utf-8",
    "a.svg, image/svg+xml",
    "a.unheardof, text/plain; charset=utf-8",
    "a.md, text/markdown; charset=utf-8"
  })
  void aFileIsServedAsTheTypeThatItsRecordNames(String name, String type) {
    SessionHandle session = client.create("printf '1 2' > " + name + "; echo ok");
    session.first().reply();
    JsonNode file = session.artifactNamed(name);
    assertEquals(type, file.path("mime_type").asText());
    HttpResponse<byte[]> download = PresignedLink.download(file.path("url").asText());
    String served = download.headers().firstValue("Content-Type").orElseThrow();
    assertEquals(type.replace(" ", ""), served.replace(" ", "").toLowerCase(Locale.ROOT));
  }

  @Test
  void aTextThatIsNotUtf8IsServedWithoutACharset() {
    SessionHandle session = client.create("printf 'caf\\351\\n' > latin.txt; echo ok");
    session.first().reply();
    JsonNode file = session.artifactNamed("latin.txt");
    assertEquals("text/plain", file.path("mime_type").asText());
    assertArrayEquals(
        new byte[] {'c', 'a', 'f', (byte) 0xe9, '\n'},
        PresignedLink.download(file.path("url").asText()).body());
  }

  @Tag("stack")
  @Test
  void bytesComeBackAsTheyWere() {
    SessionHandle session =
        client.create("printf '\\000\\377\\r\\n\\200' > raw.bin; sha256sum raw.bin");
    String sum = session.first().text();
    JsonNode file = session.artifactNamed("raw.bin");
    byte[] body = PresignedLink.download(file.path("url").asText()).body();
    assertArrayEquals(new byte[] {0, -1, '\r', '\n', -128}, body);
    assertEquals(sum.substring(0, 64), file.path("sha256").asText());
  }

  private JsonNode plan() {
    SessionHandle session = client.create("echo plan > PLAN.md; echo ok");
    session.first().reply();
    return session.artifact(session.planArtifactIds().getFirst());
  }

  private static String fileName(String disposition) {
    Matcher name = FILE_NAME.matcher(disposition);
    assertTrue(name.find(), disposition);
    return URLDecoder.decode(name.group(1).replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  /// The same link with one character changed behind a part.
  private static String changedAfter(String part, String url) {
    int at = url.indexOf(part) + part.length();
    char other = url.charAt(at) == '1' ? '2' : '1';
    return url.substring(0, at) + other + url.substring(at + 1);
  }
}
