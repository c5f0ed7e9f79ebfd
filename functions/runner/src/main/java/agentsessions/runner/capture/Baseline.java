package agentsessions.runner.capture;

import agentsessions.runner.agent.AgentEntry;
import agentsessions.runner.agent.Limits;
import agentsessions.runner.capture.CaptureIndex.Stamp;
import agentsessions.runner.sandbox.SessionFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;

/// The files that are written to make a sandbox ready for its agent: they are not the agent's work,
/// and no artifacts until the agent changes them. Files that the agent left before are still
/// captured.
///
/// The state at the beginning is kept in a file beside the session's folders until the end, so that
/// a preparation that was cut short counts for the next one.
public final class Baseline {
  private final SessionFolder folder;
  private final AgentEntry entry;
  private final Limits limits;
  private final List<RepositoryFolder> repositories;
  private final CaptureIndex before;

  private Baseline(
      SessionFolder folder, AgentEntry entry, Limits limits, List<RepositoryFolder> repositories)
      throws IOException {
    this.folder = folder;
    this.entry = entry;
    this.limits = limits;
    this.repositories = repositories;
    this.before = Files.exists(folder.unready()) ? CaptureIndex.load(folder.unready()) : scan();
  }

  /// To be called before anything is written.
  ///
  /// @param repositories folders whose files are not captured one by one
  public static Baseline begin(
      SessionFolder folder, AgentEntry entry, Limits limits, List<RepositoryFolder> repositories)
      throws IOException {
    Baseline baseline = new Baseline(folder, entry, limits, repositories);
    baseline.before.save(folder.unready());
    return baseline;
  }

  /// Records everything written since `begin` as captured.
  public void end() throws IOException {
    CaptureIndex known = CaptureIndex.load(folder.captured());
    for (Map.Entry<String, Stamp> file : scan().files().entrySet()) {
      boolean was =
          before.stamp(file.getKey()).filter(file.getValue()::isUntouchedSince).isPresent();
      if (!was) {
        known.files().put(file.getKey(), file.getValue());
      }
    }
    known.save(folder.captured());
    Files.deleteIfExists(folder.unready());
  }

  private CaptureIndex scan() {
    CaptureIndex now = CaptureIndex.empty();
    FileSearch search =
        new FileSearch(entry, limits, CaptureIndex.empty(), now, new OmissionNotes(), repositories);
    search.workspace(folder.work());
    search.home(folder.home());
    return now;
  }
}
