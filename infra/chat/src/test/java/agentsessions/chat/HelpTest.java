package agentsessions.chat;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

/// Tests that the help page of scripts/chat in scripts/help, which is printed before anything is
/// built, is that of the command. When an option changes, the page is written anew from here.
class HelpTest {
  @Test
  void chatHasThePageOfItsCommand() throws IOException {
    assertEquals(
        Chat.command().setCommandName("scripts/chat").getUsageMessage(Ansi.OFF),
        Files.readString(Path.of("../../scripts/help/chat")));
  }
}
