package agentsessions.chaos.rig;

import agentsessions.local.machine.Installation;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The command line of the service as scripts/start runs it, with the classes under test.
///
/// @param properties system properties of the process
/// @param arguments of scripts/start, without folder and ports
record ServiceCommand(Map<String, String> properties, List<String> arguments) {
  /// The whole command line.
  ///
  /// @param base address of the API
  /// @param downloads address of the bucket
  List<String> line(URI base, URI downloads, Path data) {
    List<String> line =
        new ArrayList<>(
            List.of(
                // A test that runs in the background passes on an ignored INT, which a JVM cannot
                // handle then.
                "env",
                "--default-signal=INT",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                Installation.find().jvmOptions(),
                "-Xms48m",
                "-Xmn32m",
                "-Xmx192m"));
    properties.forEach((name, value) -> line.add("-D" + name + "=" + value));
    line.addAll(
        List.of(
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            "agentsessions.local.Main",
            "--port",
            Integer.toString(base.getPort()),
            "--s3-port",
            Integer.toString(downloads.getPort()),
            "--data",
            data.toString()));
    line.addAll(arguments);
    return line;
  }
}
