package agentsessions.local;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.authorizer.WorkspaceKeys;
import agentsessions.local.machine.Installation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/// Tests that the help pages in scripts/help, which the scripts print before anything is built, are
/// those of the commands. When an option changes, the page is written anew from here.
class HelpTest {
  @Test
  void startHasThePageOfItsCommand() throws IOException {
    assertEquals(usage(Main.command()), page("start"));
  }

  @Test
  void keysHasThePagesOfItsCommands() throws IOException {
    PrintWriter unused = new PrintWriter(Writer.nullWriter());
    CommandLine keys = new KeysCommand(HelpTest::none, null, unused, unused).command();
    String all =
        Stream.concat(Stream.of(keys), keys.getSubcommands().values().stream())
            .map(HelpTest::usage)
            .collect(Collectors.joining("\n"));
    assertEquals(all, page("keys"));
  }

  private static WorkspaceKeys none() {
    throw new AssertionError("a page needs no table");
  }

  private static String usage(CommandLine command) {
    return command.getUsageMessage(Ansi.OFF);
  }

  private static String page(String script) throws IOException {
    return Files.readString(Installation.find().root().resolve("scripts/help").resolve(script));
  }
}
