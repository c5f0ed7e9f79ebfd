package agentsessions.contract.session;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// A language that has an SDK, and how its examples are run.
enum SdkLanguage {
  PYTHON,
  TYPESCRIPT;

  private static final Path SDKS = Path.of("../clients").toAbsolutePath();

  /// The exit status of a build for which there is nothing here.
  private static final int ABSENT = 77;

  private static final String BUILD =
      """
      node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b > 2) ? 0 : 1)' || exit 77
      cp -r %s/. .
      timeout 120 npm ci --silent --no-audit --no-fund --ignore-scripts || exit 77
      npm run --silent build
      rm -r node_modules
      """
          .formatted(SDKS.resolve("typescript"));

  /// A process that runs an example, such as `follow_up`.
  ///
  /// @throws org.opentest4j.TestAbortedException if there is nothing here that runs it
  ProcessBuilder builder(String example, List<String> arguments)
      throws IOException, InterruptedException {
    Stream<String> command =
        switch (this) {
          case PYTHON -> Stream.of("python3", "%s/python/examples/%s.py".formatted(SDKS, example));
          case TYPESCRIPT ->
              Stream.of(
                  "node", "%s/examples/%s.js".formatted(typescript(), example.replace('_', '-')));
        };
    ProcessBuilder builder =
        new ProcessBuilder(Stream.concat(command, arguments.stream()).toList());
    String library = SDKS.resolve("python").toString();
    builder.environment().putAll(Map.of("PYTHONDONTWRITEBYTECODE", "1", "PYTHONPATH", library));
    return builder.redirectErrorStream(true);
  }

  /// The SDK for TypeScript, compiled in a copy once a run: there its examples find it by its name.
  private static synchronized Path typescript() throws IOException, InterruptedException {
    Path folder = Path.of("target/typescript-" + ProcessHandle.current().pid()).toAbsolutePath();
    if (!Files.isDirectory(folder.resolve("dist"))) {
      Files.createDirectories(folder);
      Process build =
          new ProcessBuilder("bash", "-euc", BUILD)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .start();
      String said = new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = build.waitFor();
      assumeTrue(status != ABSENT, "needs a Node.js 20.3 or newer, and npm with its registry");
      if (status != 0) {
        throw new AssertionError(said);
      }
    }
    return folder;
  }
}
