package agentsessions.session.input;

import java.util.List;

/// The path and the size of a file that a message brought: what its history shows of it.
///
/// @param size in bytes
public record BroughtFile(String path, long size) {
  public static List<BroughtFile> of(List<InputFile> files) {
    return files.stream().map(file -> new BroughtFile(file.path(), file.size())).toList();
  }
}
