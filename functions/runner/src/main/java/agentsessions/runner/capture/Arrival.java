package agentsessions.runner.capture;

import agentsessions.runner.capture.Snapshot.Stamp;
import agentsessions.runner.sandbox.SessionFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A session's folder that has come from elsewhere: its files are those that were captured, at
/// other places of a disk. Without this, each would count as replaced, and what was written to make
/// the sandbox ready as the agent's work.
public final class Arrival {
  private static final Logger LOG = LoggerFactory.getLogger(Arrival.class);

  private Arrival() {}

  /// Knows the files again that are as large and as old as when they were captured. To be called
  /// before anything else is done with the folder.
  public static void of(SessionFolder folder) throws IOException {
    Snapshot captured = Snapshot.load(folder.captured());
    if (!captured.files().isEmpty()) {
      recognize(folder.work(), new Recognition(captured, Search.WORKSPACE));
      recognize(folder.home(), new Recognition(captured, Search.HOME));
      captured.save(folder.captured());
    }
  }

  private static void recognize(Path folder, Recognition recognition) {
    try {
      new Tree(folder).walk(recognition);
    } catch (IOException closed) {
      // By its agent, before the folder is opened again: what is in it will be captured once more.
      LOG.debug("{}: {}", folder.getFileName(), closed.toString());
    }
  }

  private record Recognition(Snapshot captured, String prefix) implements Tree.Visitor {
    @Override
    public boolean file(Path file, BasicFileAttributes attributes) {
      Stamp here = Stamp.of(attributes);
      captured.files().computeIfPresent(prefix + file, (_, stamp) -> stamp.at(here));
      return true;
    }

    @Override
    public void folder(Path folder) {}

    @Override
    public void unreadable(Path path) {}
  }
}
