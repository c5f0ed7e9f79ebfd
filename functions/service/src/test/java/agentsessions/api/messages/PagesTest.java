package agentsessions.api.messages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.api.artifacts.ArtifactsController;
import agentsessions.api.request.CommonJson;
import agentsessions.api.request.Cursor;
import agentsessions.api.request.PageRange;
import agentsessions.api.request.Query;
import agentsessions.session.MessageKind;
import agentsessions.session.id.Stamp;
import agentsessions.store.message.History;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/// The bounds of pages, and the links between them.
class PagesTest {
  private static final String URL = "https://host/stage/rest/v1/sessions/1/messages";
  private static final Stamp LAST = new Stamp(2_000_000_000_000_000L);

  @Test
  void aHistoryShowsWhatWasSaidUnlessAskedForMore() {
    assertEquals(
        EnumSet.of(MessageKind.USER, MessageKind.FINAL, MessageKind.PROGRESS), filter("").kinds());
    assertEquals(EnumSet.of(MessageKind.TOOL_CALL), filter("type=tool_call").kinds());
    assertEquals(EnumSet.of(MessageKind.USER), filter("role=user").kinds());
    assertEquals(
        EnumSet.of(MessageKind.FINAL), filter("type=final_message&role=assistant").kinds());
    assertEquals(EnumSet.noneOf(MessageKind.class), filter("type=tool_call&role=user").kinds());
  }

  @Property(seed = "1")
  void gtsIsStrict(@ForAll @LongRange(min = 1, max = 1_999_999_999_999_999L) long micros) {
    Stamp stamp = new Stamp(micros);
    MessageFilter filter = filter("gts=" + stamp.epochSeconds().toPlainString());
    assertFalse(filter.covers(stamp));
    assertTrue(filter.covers(stamp.plusMicros(1)));
    assertEquals(stamp, filter.range(Stamp.ZERO, LAST).after());
  }

  @Test
  void aPageReadsOneMoreThanItShows() {
    History.Range range = filter("limit=3&direction=desc").range(Stamp.ZERO, LAST);
    assertEquals(4, range.limit());
    assertFalse(range.ascending());
    assertEquals(LAST, range.until());
  }

  @Test
  void aThreadsPageStaysWithinItsThread() {
    Stamp start = new Stamp(500);
    assertEquals(start, filter("").range(start, LAST).after());
    assertEquals(new Stamp(600), filter("gts=0.0006").range(start, LAST).after());
  }

  @Test
  void aCursorGoesOnWhereThePageEnded() {
    String ascending = new Cursor("700").text("/rest/v1/sessions/1/messages");
    assertEquals(new Stamp(700), filter("cursor=" + ascending).range(Stamp.ZERO, LAST).after());
    String descending = new Cursor("700").text("/rest/v1/sessions/1/messages?direction=desc");
    MessageFilter filter = filter("direction=desc&cursor=" + descending);
    assertEquals(new Stamp(699), filter.range(Stamp.ZERO, LAST).until());
    assertFalse(filter.covers(new Stamp(700)));
  }

  @Test
  void aCursorMayGoOnWithAnotherLimit() {
    String cursor = new Cursor("700").text("/rest/v1/sessions/1/messages");
    assertEquals(3, filter("limit=2&cursor=" + cursor).range(Stamp.ZERO, LAST).limit());
  }

  @Test
  void aNextLinkLeadsToTheRestOfTheList() {
    List<String> ids = List.of("a0", "a1", "b0", "b1", "c0");
    for (boolean ascending : new boolean[] {true, false}) {
      assertEquals(ascending ? ids : ids.reversed(), walked(ids, ascending));
    }
  }

  @Test
  void linksKeepTheFiltersOfTheCaller() {
    PageRange page = PageRange.read(query("kind=plan&limit=1&other=x"), URL, true, "kind", "limit");
    CommonJson.PageLinks links = page.links("a0");
    assertEquals(URL + "?kind=plan&limit=1", links.self().href());
    assertTrue(
        Objects.requireNonNull(links.next()).href().startsWith(URL + "?kind=plan&limit=1&cursor="));
  }

  @Test
  void namesOfFilesCannotLeaveTheirHeader() {
    assertEquals(
        "attachment; filename=\"a b.txt\"; filename*=UTF-8''a%20b.txt",
        ArtifactsController.disposition("a b.txt"));
    assertEquals(
        "attachment; filename=\"_____\"; filename*=UTF-8''%22%5C%25%0D%0A",
        ArtifactsController.disposition("\"\\%\r\n"));
    assertEquals(
        "attachment; filename=\"r_sum_.md\"; filename*=UTF-8''r%C3%A9sum%C3%A9.md",
        ArtifactsController.disposition("r\u00e9sum\u00e9.md"));
  }

  @Property(seed = "1")
  void anyNameMakesAHeaderThatTellsIt(@ForAll String name) {
    String header = ArtifactsController.disposition(name);
    assertTrue(
        header.matches("attachment; filename=\"[ !#-$&-\\[\\]-~]*\"; filename\\*=UTF-8''[!-~]*"));
    String exact = header.substring(header.indexOf("''") + 2);
    if (StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
      assertEquals(name, URLDecoder.decode(exact, StandardCharsets.UTF_8));
    }
  }

  /// Follows `next` from page to page of one.
  private static List<String> walked(List<String> ids, boolean ascending) {
    List<String> walked = new ArrayList<>();
    String query = "limit=1";
    while (query != null) {
      PageRange page = PageRange.read(query(query), URL, ascending, "limit");
      List<String> found =
          (ascending ? ids : ids.reversed())
              .stream()
                  .filter(id -> id.compareTo(page.first()) >= 0 && id.compareTo(page.last()) <= 0)
                  .limit(2)
                  .toList();
      List<String> shown = found.subList(0, Math.min(1, found.size()));
      walked.addAll(shown);
      CommonJson.Href next = page.links(shown, found.size() > 1, id -> id).next();
      query = next == null ? null : URI.create(next.href()).getRawQuery();
    }
    return walked;
  }

  private static MessageFilter filter(String text) {
    return MessageFilter.read(query(text), URL);
  }

  private static Query query(String text) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    Arrays.stream(text.split("&"))
        .filter(pair -> !pair.isEmpty())
        .map(pair -> pair.split("=", 2))
        .forEach(pair ->
            values
                .computeIfAbsent(pair[0], _ -> new ArrayList<>())
                .add(URLDecoder.decode(pair[1], StandardCharsets.UTF_8)));
    return new Query(values);
  }
}
