package agentsessions.runner.capture;

import agentsessions.runner.capture.CaptureIndex.Stamp;
import agentsessions.runner.sandbox.SessionFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The captured files of a session's folder that was restored from an archive, recognized by size
/// and time. Without this each file would count as replaced, since its inode is new, and the files
/// that were written to make the sandbox ready would count as the agent's work.
public final class RestoredFiles {
  private static final Logger LOG = LoggerFactory.getLogger(RestoredFiles.class);

  private RestoredFiles() {}

  /// Updates the inode of each captured file whose size and time are unchanged. To be called before
  /// anything else is done with the folder.
  public static void of(SessionFolder folder) throws IOException {
    CaptureIndex captured = CaptureIndex.load(folder.captured());
    if (!captured.files().isEmpty()) {
      recognize(folder.work(), new Recognition(captured, FileSearch.WORKSPACE));
      recognize(folder.home(), new Recognition(captured, FileSearch.HOME));
      captured.save(folder.captured());
    }
  }

  private static void recognize(Path folder, Recognition recognition) {
    try {
      new UntrustedFolder(folder).walk(recognition);
    } catch (IOException closed) {
      // An agent may have closed its folder, which is opened again only later: its files are
      // captured once more.
      LOG.debug("{}: {}", folder.getFileName(), closed.toString());
    }
  }

  private record Recognition(CaptureIndex captured, String prefix)
      implements UntrustedFolder.Visitor {
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
