package agentsessions.api.request;

import agentsessions.rule.Encoded;
import agentsessions.session.Session;
import agentsessions.session.Turn;
import agentsessions.session.repository.Repository;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The size of a page in bytes, counted by the texts that clients and agents choose. A page ends at
/// 4 MB, since the response of a function may have 6 MB.
public final class PageBytes {
  public static final int MOST = 4 * 1000 * 1000;

  public static long of(Session session) {
    long title = session.title() == null ? 0 : Encoded.bytes(session.title());
    long metadata =
        session.metadata().entrySet().stream()
            .mapToLong(pair -> Encoded.bytes(pair.getKey()) + Encoded.bytes(pair.getValue()))
            .sum();
    return title + metadata + of(session.configuration().repositories());
  }

  /// The number of these turns that fit into a page: at least one, so that every page goes on.
  public static int fitting(List<Turn> turns) {
    long bytes = 0;
    for (int i = 0; i < turns.size(); i++) {
      bytes += of(turns.get(i).work().repositories());
      if (bytes > MOST) {
        return Math.max(1, i);
      }
    }
    return turns.size();
  }

  private static long of(List<Repository> repositories) {
    return repositories.stream().flatMap(PageBytes::texts).mapToLong(Encoded::bytes).sum();
  }

  private static Stream<String> texts(Repository repository) {
    return Stream.of(
            Optional.of(repository.url()),
            Optional.of(repository.path()),
            Optional.ofNullable(repository.ref()),
            Optional.ofNullable(repository.branch()),
            Optional.ofNullable(repository.pushed()).map(Repository.Pushed::branch),
            Optional.ofNullable(repository.pullRequestUrl()),
            Optional.ofNullable(repository.fault()).map(Repository.Fault::message))
        .flatMap(Optional::stream);
  }

  private PageBytes() {}
}
