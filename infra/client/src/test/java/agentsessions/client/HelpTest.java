package agentsessions.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

/// What scripts/chat prints for --help before anything is built is what its command says of itself:
/// a page in scripts/help, to be written anew from here when an option changes.
class HelpTest {
  @Test
  void chatHasThePageOfItsCommand() throws IOException {
    assertEquals(
        Chat.command().getUsageMessage(Ansi.OFF),
        Files.readString(Path.of("../../scripts/help/chat")));
  }
}
