package agentsessions.chat.conversation;

import agentsessions.chat.api.Access;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// The last agent used, kept in a file of the user.
///
/// It is a convenience: a file that cannot be read or written counts as absent.
public record LastAgent(Path file) {
  public static LastAgent of(Map<String, String> environment) {
    return new LastAgent(
        Access.stateFolder(environment).resolve("agent-sessions-chat").resolve("last-agent"));
  }

  Optional<String> read() {
    try {
      return Optional.of(Files.readString(file).strip());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  void keep(String name) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.writeString(file, name + "\n");
    } catch (IOException e) {
      // asked again the next time
    }
  }
}
