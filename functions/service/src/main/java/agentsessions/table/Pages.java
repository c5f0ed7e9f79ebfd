package agentsessions.table;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/// A list that may be long, read page by page as it is iterated.
public final class Pages {
  private Pages() {}

  /// All elements from `first` on.
  ///
  /// @param atOnce the size of a full page; a shorter one is the last
  /// @param page reads the page that begins with an id
  /// @param id the id of an element, after which the next page begins
  public static <T> Iterable<T> of(
      String first, int atOnce, Function<String, List<T>> page, Function<T, String> id) {
    return () ->
        Stream.iterate(
                page.apply(first),
                read -> !read.isEmpty(),
                read ->
                    read.size() < atOnce
                        ? List.<T>of()
                        : page.apply(Layout.after(id.apply(read.getLast()))))
            .flatMap(List::stream)
            .iterator();
  }
}
