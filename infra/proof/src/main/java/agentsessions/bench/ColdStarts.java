package agentsessions.bench;

import agentsessions.chaos.rig.ServiceProcess;
import agentsessions.local.machine.Installation;
import agentsessions.local.machine.SamTemplate;
import agentsessions.talk.SessionHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/// Cold start times of the functions: each from its deployed archive, beside a handler that does
/// nothing, in interleaved rounds. Prints medians and their ratio to the bare handler.
///
/// On AWS the time until a function asks for its first request is spent before its snapshot is
/// taken; only the time after that is waited for by a client.
final class ColdStarts {
  private static final String BARE = "bare handler";

  /// A function of the template.
  ///
  /// @param settings of its environment, beside those that all functions have
  private record Function(
      String handler, Path archive, Map<String, String> settings, String request) {}

  private final Path data;
  private final Path root = Installation.find().root();
  private final Map<String, Function> functions = new LinkedHashMap<>();
  private final Map<String, List<FunctionJvm.Figures>> figures = new LinkedHashMap<>();

  private ColdStarts(Path data) {
    this.data = data;
  }

  /// Prints figures only: no result breaks a promise.
  static List<String> run(Path data, int rounds) throws Exception {
    try (ServiceProcess service = new ServiceProcess(data.resolve("service"), Map.of())) {
      service.await();
      ColdStarts starts = new ColdStarts(data);
      starts.prepare(service);
      for (int round = 0; round < rounds; round++) {
        starts.round(common(service));
      }
      starts.print();
    }
    return List.of();
  }

  private void prepare(ServiceProcess service) throws IOException {
    SessionHandle session = service.client().create("shell", "echo hi");
    session.first().completed();
    String thread = session.created().path("thread_id").asText();
    String key = Files.readString(service.data().resolve("local-key")).strip();
    functions.put(BARE, new Function(BareHandler.class.getName(), bare(), Map.of(), "{}"));
    add(
        "Authorizer",
        "authorizer",
        """
        {"type":"TOKEN","authorizationToken":"ApiKey %s",\
        "methodArn":"arn:aws:execute-api:us-east-1:000000000000:api/api/GET/"}\
        """
            .formatted(key));
    add("Messages", "service", event("GET", session.path() + "/threads/" + thread + "/messages"));
    add("Sessions", "service", event("POST", session.path() + "/interrupt"));
    add("Artifacts", "service", event("GET", session.path() + "/artifacts"));
  }

  private void add(String name, String module, String request) throws IOException {
    JsonNode function = SamTemplate.properties(name);
    String prime = function.at("/Environment/Variables/PRIME").asText();
    functions.put(
        name,
        new Function(
            function.path("Handler").asText(),
            unpacked(root.resolve("functions/" + module + "/target/" + module + ".zip")),
            prime.isEmpty() ? Map.of() : Map.of("PRIME", prime),
            request));
  }

  private void round(Map<String, String> common) throws Exception {
    for (Map.Entry<String, Function> each : functions.entrySet()) {
      Function function = each.getValue();
      Map<String, String> settings = new HashMap<>(common);
      settings.putAll(function.settings());
      figures
          .computeIfAbsent(each.getKey(), _ -> new ArrayList<>())
          .add(
              FunctionJvm.start(
                  data,
                  function.handler(),
                  function.archive(),
                  client(),
                  settings,
                  function.request()));
    }
  }

  private void print() {
    System.out.printf(
        "%-14s %18s %18s %18s %18s%n", "", "init ms", "first answer ms", "CPU ms", "classes");
    figures
        .keySet()
        .forEach(name ->
            System.out.printf(
                "%-14s %18s %18s %18s %18s%n",
                name,
                cell(name, FunctionJvm.Figures::initMillis),
                cell(name, FunctionJvm.Figures::firstMillis),
                cell(name, FunctionJvm.Figures::cpuMillis),
                cell(name, FunctionJvm.Figures::classes)));
  }

  private String cell(String name, ToDoubleFunction<FunctionJvm.Figures> figure) {
    double own = median(name, figure);
    return "%.0f (%.1f x)".formatted(own, own / median(BARE, figure));
  }

  private double median(String name, ToDoubleFunction<FunctionJvm.Figures> figure) {
    return Median.of(
        Objects.requireNonNull(figures.get(name)).stream()
            .map(figure::applyAsDouble)
            .collect(Collectors.toCollection(ArrayList::new)));
  }

  private static String event(String method, String path) {
    return """
    {"path":"%s","httpMethod":"%s","headers":{},"multiValueHeaders":{},\
    "requestContext":{"requestId":"cold",\
    "authorizer":{"workspace":"local","key_id":"cold","scopes":"read write"}}}\
    """
        .formatted("/rest/v1" + path, method);
  }

  /// The environment variables that all functions have, with the address of the table.
  private static Map<String, String> common(ServiceProcess service) throws IOException {
    Properties aws = service.aws();
    Map<String, String> settings =
        new HashMap<>(
            Map.of(
                "TABLE", "agent-sessions",
                "BUCKET", "agent-sessions",
                "AGENTS", "shell",
                "STATE_MACHINE", "arn:aws:states:us-east-1:000000000000:stateMachine:turns"));
    aws.stringPropertyNames().forEach(name -> settings.put(name, aws.getProperty(name)));
    return settings;
  }

  /// The jar of the runtime's own client, which AWS brings with the runtime.
  private Path client() {
    return root.resolve("functions/runner/target/lib");
  }

  private Path bare() throws IOException {
    String file = BareHandler.class.getName().replace('.', '/') + ".class";
    Path target = data.resolve("bare").resolve(file);
    Files.createDirectories(Objects.requireNonNull(target.getParent()));
    try (InputStream code =
        Objects.requireNonNull(BareHandler.class.getResourceAsStream("/" + file))) {
      Files.copy(code, target);
    }
    return data.resolve("bare");
  }

  private Path unpacked(Path archive) throws IOException {
    Path folder = Files.createTempDirectory(data, "function");
    try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(archive))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path target = folder.resolve(entry.getName());
        Files.createDirectories(
            entry.isDirectory() ? target : Objects.requireNonNull(target.getParent()));
        if (!entry.isDirectory()) {
          Files.copy(zip, target);
        }
      }
    }
    return folder;
  }
}
