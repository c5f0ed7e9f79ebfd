package agentsessions.local.machine;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The project's files on this machine: the template, the state machines, and the jars of the child
/// processes.
///
/// @param root the repository's root
public record Installation(Path root) {
  private static final String MACHINE = "infra/turn.asl.yaml";
  private static final String EXPORT_MACHINE = "infra/export.asl.yaml";
  private static final String DYNAMODB = "infra/local/dynamodb/target/";
  private static final String RUNNER = "functions/runner/target/";

  /// Finds the root: `-Dagentsessions.home` or the working folder, else the nearest folder above it
  /// that has the project's files.
  ///
  /// @throws CannotStart if there is no such folder
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

  /// The jars of DynamoDB Local, which its process loads by itself.
  public String dynamoDbJars() {
    return String.join(File.pathSeparator, jars(root.resolve(DYNAMODB + "database")));
  }

  public String runnerClassPath() {
    return classPath(RUNNER, "runner.jar");
  }

  /// The argument by which a JVM reads what all JVMs of one machine are told.
  public String jvmOptions() {
    return "@" + root.resolve("infra/local/jvm.options");
  }

  /// More JVM options of a child process, which scripts/lib/ready.sh sets, about its class cache.
  ///
  /// @param child `runner` or `database`
  public static List<String> options(String child) {
    return System.getProperty("agentsessions." + child + ".options", "").lines().toList();
  }

  /// The `java` of this process's JDK, which runs the child processes too.
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

  /// The jars of a folder, sorted, since a class cache depends on their order.
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
