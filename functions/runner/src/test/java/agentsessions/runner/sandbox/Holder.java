package agentsessions.runner.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;

/// A process that keeps the files open that its script has opened, and a child that does the same.
public record Holder(Process process) implements AutoCloseable {

  /// Returns when the script has ended.
  public static Holder of(Path folder, String script) throws IOException {
    Process process =
        new ProcessBuilder("bash", "-c", script + "\nsleep 600 & echo ready; exec sleep 600")
            .directory(folder.toFile())
            .start();
    Holder holder = new Holder(process);
    if (!"ready".equals(process.inputReader().readLine())) {
      holder.close();
      throw new IOException("the script failed: " + script);
    }
    return holder;
  }

  public Stream<ProcessHandle> processes() {
    return Stream.concat(Stream.of(process.toHandle()), process.descendants());
  }

  @Override
  public void close() {
    processes().toList().forEach(ProcessHandle::destroyForcibly);
  }
}
