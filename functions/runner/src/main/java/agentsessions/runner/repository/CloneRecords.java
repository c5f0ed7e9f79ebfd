package agentsessions.runner.repository;

import agentsessions.runner.agent.Json;
import agentsessions.runner.sandbox.SessionFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The records of a session's clones, in a file beside its folders that no agent can reach.
///
/// @param clones by the number of the repository
record CloneRecords(Map<Integer, Clone> clones) {

  /// A repository that was cloned.
  ///
  /// @param base the commit that was checked out; empty if the repository had none
  /// @param plans git's object ids of the plans in `base`, by path
  /// @param pushed the last push
  /// @param adopted the adopted head from which the branch is fast-forwarded; null for none
  record Clone(
      String base, Map<String, String> plans, @Nullable Pushed pushed, @Nullable String adopted) {
    Clone with(Pushed last) {
      return new Clone(base, plans, last, adopted);
    }
  }

  /// A pushed commit, and the head and tree that it was made from.
  ///
  /// @param branch null in records of before it was kept
  /// @param head empty where the commit was made from a patch, whatever is checked out
  record Pushed(@Nullable String branch, String head, String tree, String commit) {}

  static CloneRecords load(SessionFolder folder) throws IOException {
    try {
      return Json.MAPPER.readValue(Files.readAllBytes(file(folder)), CloneRecords.class);
    } catch (NoSuchFileException none) {
      return new CloneRecords(new TreeMap<>());
    }
  }

  Optional<Clone> of(int number) {
    return Optional.ofNullable(clones.get(number));
  }

  void save(SessionFolder folder, int number, Clone clone) throws IOException {
    clones.put(number, clone);
    Path fresh = folder.path().resolve("repositories.new");
    Files.write(fresh, Json.MAPPER.writeValueAsBytes(this));
    Files.move(fresh, file(folder), StandardCopyOption.ATOMIC_MOVE);
  }

  private static Path file(SessionFolder folder) {
    return folder.path().resolve("repositories.json");
  }
}
