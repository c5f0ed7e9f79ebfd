package agentsessions.runner.control;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// The files of an object store on the runner's own machine. An object is copied from there within
/// the kernel, so that a file system that can share blocks keeps it once.
///
/// @param store the address of the object store
/// @param folder the folder with its objects by their paths in links
public record StoredFiles(URI store, Path folder) {

  /// Reads the variables `OBJECTS_AT` and `OBJECTS`, which only a runner on one machine has.
  public static Optional<StoredFiles> of(Map<String, String> environment) {
    String store = environment.get("OBJECTS_AT");
    String folder = environment.get("OBJECTS");
    return store == null || folder == null
        ? Optional.empty()
        : Optional.of(new StoredFiles(URI.create(store), Path.of(folder)));
  }

  /// The file of the object that a link leads to. Whether the link is valid is still to be asked.
  public Optional<Path> find(URI link) {
    Path file = folder.resolve(link.getPath().substring(1)).normalize();
    boolean ours = store.getRawAuthority().equals(link.getRawAuthority());
    return ours && file.startsWith(folder) && Files.isReadable(file)
        ? Optional.of(file)
        : Optional.empty();
  }
}
