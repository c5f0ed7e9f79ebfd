package agentsessions.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The LocalStack of scripts without options: only one of ours that runs at the endpoint of the
/// environment counts.
final class EndpointTest {
  private static final String LOOK =
      "tools=$HOME; . $scripts/lib/endpoint.sh; own_localstack || echo elsewhere";

  @TempDir Path folder;

  @Test
  void itIsTheOneThatTheEnvironmentLeadsTo() throws Exception {
    ScriptMachine shell = ScriptMachine.with(folder);
    Path own = Files.createDirectories(folder.resolve("localstack/at-4566"));
    Files.writeString(own.resolve("pid"), "1");
    assertEquals("elsewhere\n", shell.run(LOOK).output());
    assertEquals(own + "\n", shell.run(at("http://127.0.0.1:4566")).output());
    assertEquals("elsewhere\n", shell.run(at("http://127.0.0.1:4567")).output());
    assertEquals("elsewhere\n", shell.run(at("https://aws.example:4566")).output());
  }

  private static String at(String endpoint) {
    return "AWS_ENDPOINT_URL=" + endpoint + "\n" + LOOK;
  }
}
