package agentsessions.session.repository;

import java.util.List;
import java.util.stream.Stream;

/// The commits that a session has pushed to its repositories, or was about to, the newest first: a
/// forced push may replace only these. The oldest are dropped.
///
/// @param entries each a repository's number, from 1, and a commit
public record PushedCommits(List<Entry> entries) {
  /// Far more than a session pushes, and no more than an item holds.
  static final int MOST = 1_000;

  public static final PushedCommits NONE = new PushedCommits(List.of());

  public record Entry(int repository, String commit) {
    private static Entry parse(String line) {
      String[] parts = line.split(" ", 2);
      return new Entry(Integer.parseInt(parts[0]), parts[1]);
    }

    private String line() {
      return repository + " " + commit;
    }
  }

  public static PushedCommits read(String lines) {
    return new PushedCommits(lines.lines().map(Entry::parse).toList());
  }

  public String lines() {
    return String.join("\n", entries.stream().map(Entry::line).toList());
  }

  public boolean has(int repository, String commit) {
    return entries.contains(new Entry(repository, commit));
  }

  public PushedCommits with(int repository, String commit) {
    return new PushedCommits(
        Stream.concat(Stream.of(new Entry(repository, commit)), entries.stream())
            .limit(MOST)
            .toList());
  }

  /// The commits of one repository.
  public List<String> of(int repository) {
    return entries.stream()
        .filter(entry -> entry.repository() == repository)
        .map(Entry::commit)
        .toList();
  }
}
