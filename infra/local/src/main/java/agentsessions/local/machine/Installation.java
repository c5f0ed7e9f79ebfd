package agentsessions.local.machine;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The project's own files on this machine: the template, the state machine, and the jars of the
/// child processes.
///
/// @param root the repository's root
public record Installation(Path root) {
  private static final String MACHINE = "infra/turn.asl.yaml";
  private static final String EXPORT_MACHINE = "infra/export.asl.yaml";
  private static final String DYNAMODB = "infra/local/dynamodb/target/";
  private static final String RUNNER = "functions/runner/target/";

  /// By `-Dagentsessions.home`, else the nearest folder above that looks like it.
  ///
  /// @throws CannotStart if there is none
  public static Installation find() {
    Path start = Path.of(System.getProperty("agentsessions.home", "")).toAbsolutePath();
    for (Path folder = start; folder != null; folder = folder.getParent()) {
      if (Files.exists(folder.resolve(MACHINE))) {
        return new Installation(folder);
      }
    }
    throw new CannotStart(
        "Cannot find the project's files from " + start + ": start with scripts/start");
  }

  public String stateMachine() {
    return read(root.resolve(MACHINE));
  }

  public String exportMachine() {
    return read(root.resolve(EXPORT_MACHINE));
  }

  String template() {
    return read(root.resolve("template.yaml"));
  }

  public String catalogueSchema() {
    return read(root.resolve("infra/agents.schema.json"));
  }

  public String dynamoDbClassPath() {
    return classPath(DYNAMODB, "local-dynamodb.jar");
  }

  /// What its process loads by itself.
  public String dynamoDbJars() {
    return String.join(File.pathSeparator, jars(root.resolve(DYNAMODB + "database")));
  }

  public String runnerClassPath() {
    return classPath(RUNNER, "runner.jar");
  }

  /// What the JVM of a child is told beside, one a line: by scripts/lib/ready.sh, about the cache
  /// of its classes.
  ///
  /// @param child `runner` or `database`
  public static List<String> options(String child) {
    return System.getProperty("agentsessions." + child + ".options", "").lines().toList();
  }

  /// The JDK that runs this process runs the children too.
  public static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  private String classPath(String folder, String jar) {
    Path own = root.resolve(folder + jar);
    Path libraries = root.resolve(folder + "lib");
    for (Path path : List.of(own, libraries)) {
      if (!Files.exists(path)) {
        throw new CannotStart(
            "Not built: " + path + " is missing. Build with: mvn -B -q -Dquick package");
      }
    }
    return own + File.pathSeparator + String.join(File.pathSeparator, jars(libraries));
  }

  /// Always in the same order, which a cache of their classes depends on.
  private static List<String> jars(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(Path::toString).filter(name -> name.endsWith(".jar")).sorted().toList();
    } catch (IOException e) {
      throw new CannotStart("Cannot read " + folder + ": " + Failures.text(e), e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new CannotStart("Cannot read " + file + ": " + Failures.text(e), e);
    }
  }
}
