package agentsessions.api.request;

import agentsessions.table.Layout;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The range of one page of a list: its bounds, direction, limit and links. Lists are read in the
/// order of a text key (an id or a position), which their cursors hold.
///
/// @param kept the query parameters that the page's links repeat
/// @param from the position in the request's cursor, where the page begins (excluded)
public record PageRange(
    String url,
    Map<String, List<String>> kept,
    Optional<String> from,
    boolean ascending,
    int limit) {
  public static PageRange read(Query query, String url, boolean ascending, String... filters) {
    Map<String, List<String>> kept = query.only(filters);
    PageRange page = new PageRange(url, kept, Optional.empty(), ascending, query.limit());
    return query
        .one("cursor")
        .map(cursor -> Cursor.read(cursor, page.binding()).place())
        .map(place -> new PageRange(url, kept, Optional.of(place), ascending, page.limit))
        .orElse(page);
  }

  public String first() {
    return ascending ? from.map(Layout::after).orElse(Layout.LEAST) : Layout.LEAST;
  }

  public String last() {
    return ascending ? Layout.GREATEST : from.map(Layout::before).orElse(Layout.GREATEST);
  }

  /// The links of a page that shows `shown`, with a next page where there is `more`; `place` gives
  /// an item's key.
  public <T> CommonJson.PageLinks links(List<T> shown, boolean more, Function<T, String> place) {
    return links(more && !shown.isEmpty() ? place.apply(shown.getLast()) : null);
  }

  public CommonJson.PageLinks links(@Nullable String next) {
    return new CommonJson.PageLinks(
        new CommonJson.Href(Links.with(url, kept)),
        next == null ? null : new CommonJson.Href(next(next)));
  }

  private String next(String place) {
    Map<String, List<String>> query = new LinkedHashMap<>(kept);
    query.put("cursor", List.of(new Cursor(place).text(binding())));
    return Links.with(url, query);
  }

  private String binding() {
    Map<String, List<String>> filters = new LinkedHashMap<>(kept);
    filters.remove("limit");
    return Links.with(url.substring(url.indexOf("/rest/")), filters);
  }
}
