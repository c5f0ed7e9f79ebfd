package agentsessions.testing;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/// A git host on loopback, for tests: `git http-backend` behind an HTTP server with basic
/// authentication. It serves the bare repositories in a folder. It is also the program of
/// `scripts/serve-git`, which runs its source as it stands, so it needs nothing but the JDK.
public final class GitHost implements AutoCloseable {
  public static final String USER = "robot";
  public static final String PASSWORD = "p4ss-of-the-host";

  private final Loopback server;
  private final Path folder;
  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
  private final Map<String, String> redirects = new ConcurrentHashMap<>();
  private volatile boolean open;
  private volatile boolean losesAnswers;
  private volatile boolean negotiates = true;

  public GitHost(Path folder) throws IOException {
    this(folder, 0);
  }

  /// @param port 0 for any free port
  public GitHost(Path folder, int port) throws IOException {
    this.folder = Files.createDirectories(folder);
    this.server = new Loopback(port, this::answer);
  }

  /// Serves the repositories in a folder without authentication, to all users of this machine.
  ///
  /// @param arguments the folder and a port
  public static void main(String[] arguments) throws IOException {
    try {
      GitHost host = new GitHost(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
      host.open();
      host.greet();
    } catch (UncheckedIOException | IllegalArgumentException taken) {
      System.err.println("Error: port " + arguments[1] + " is not to be had: name another one");
      System.exit(1);
    }
  }

  private void greet() throws IOException {
    try (Stream<Path> all = Files.list(folder).sorted()) {
      all.filter(each -> Files.exists(each.resolve(".git")) || Files.exists(each.resolve("HEAD")))
          .forEach(each -> System.out.println(url(each.getFileName().toString())));
    }
    System.out.println("Served until Ctrl-C: the repositories in " + folder);
  }

  /// Creates a bare repository with the default branch `main` at a path, such as `team/app.git`.
  public Path create(String path) {
    Path repository = folder.resolve(path);
    run(folder, "git", "init", "-q", "--bare", "-b", "main", repository.toString());
    run(repository, "git", "config", "http.receivepack", "true");
    run(repository, "git", "config", "uploadpack.allowAnySHA1InWant", "true");
    run(repository, "git", "config", "uploadpack.allowFilter", "true");
    return repository;
  }

  /// Runs a bash script in a folder, with an author for commits, and returns its output.
  public static String script(Path folder, String script) {
    return run(folder, "bash", "-euc", script);
  }

  public String url(String path) {
    return base() + "/" + path;
  }

  public String base() {
    return server.url();
  }

  public int port() {
    return server.port();
  }

  /// Turns authentication off.
  public void open() {
    open = true;
  }

  /// Makes the next push succeed without a response to its sender.
  public void loseNextAnswer() {
    losesAnswers = true;
  }

  /// Whether it negotiates before a push, as hosts with the second version of the protocol do.
  public void negotiates(boolean whether) {
    negotiates = whether;
  }

  /// Redirects all paths below a path.
  public void redirect(String from, String to) {
    redirects.put(from, to);
  }

  /// Installs a handler for requests at a path and below, instead of git's.
  public void serve(String path, HttpHandler handler) {
    server.serve(path, handler);
  }

  /// The requests so far, each as `METHOD path authorization`.
  public List<String> requests() {
    return List.copyOf(requests);
  }

  @Override
  public void close() {
    server.close();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String authorization = exchange.getRequestHeaders().getFirst("Authorization");
      requests.add("%s %s %s".formatted(exchange.getRequestMethod(), path, authorization));
      for (Map.Entry<String, String> redirect : redirects.entrySet()) {
        if (path.startsWith(redirect.getKey() + "/")) {
          String target =
              redirect.getValue()
                  + path.substring(redirect.getKey().length())
                  + "?"
                  + exchange.getRequestURI().getQuery();
          exchange.getResponseHeaders().set("Location", target);
          exchange.sendResponseHeaders(301, -1);
          return;
        }
      }
      if (!open && !expected().equals(authorization)) {
        exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"git\"");
        exchange.sendResponseHeaders(401, -1);
        return;
      }
      backend(exchange, path);
    }
  }

  private static String expected() {
    byte[] pair = (USER + ":" + PASSWORD).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(pair);
  }

  private void backend(HttpExchange exchange, String path) throws IOException {
    ProcessBuilder command = new ProcessBuilder("git", "http-backend");
    // Without authentication, as in the program, git's errors are shown on the terminal.
    command.redirectError(open ? ProcessBuilder.Redirect.INHERIT : ProcessBuilder.Redirect.DISCARD);
    Map<String, String> environment = command.environment();
    environment.put("GIT_PROJECT_ROOT", folder.toString());
    environment.put("GIT_HTTP_EXPORT_ALL", "1");
    environment.put("PATH_INFO", path);
    environment.put("REMOTE_ADDR", "127.0.0.1");
    environment.put("REQUEST_METHOD", exchange.getRequestMethod());
    environment.put("QUERY_STRING", text(exchange.getRequestURI().getRawQuery()));
    environment.put("CONTENT_TYPE", text(exchange.getRequestHeaders().getFirst("Content-Type")));
    environment.put(
        "HTTP_CONTENT_ENCODING", text(exchange.getRequestHeaders().getFirst("Content-Encoding")));
    environment.put(
        "GIT_PROTOCOL",
        negotiates ? text(exchange.getRequestHeaders().getFirst("Git-Protocol")) : "");
    Process process = command.start();
    Thread.startVirtualThread(() -> pass(exchange.getRequestBody(), process.getOutputStream()));
    try (InputStream answer = process.getInputStream()) {
      Map<String, String> headers = headers(answer);
      if (losesAnswers && path.endsWith("/git-receive-pack")) {
        losesAnswers = false;
        answer.transferTo(OutputStream.nullOutputStream());
        return;
      }
      headers.forEach(exchange.getResponseHeaders()::set);
      String status = headers.getOrDefault("Status", "200 OK");
      exchange.sendResponseHeaders(Integer.parseInt(status.substring(0, 3)), 0);
      answer.transferTo(exchange.getResponseBody());
    }
  }

  private static String text(String value) {
    return Objects.requireNonNullElse(value, "");
  }

  private static void pass(InputStream from, OutputStream to) {
    try (to) {
      from.transferTo(to);
    } catch (IOException ended) {
      // The backend has answered without reading the whole body.
    }
  }

  private static Map<String, String> headers(InputStream answer) throws IOException {
    Map<String, String> headers = new ConcurrentHashMap<>();
    for (String line = line(answer); !line.isEmpty(); line = line(answer)) {
      headers.put(line.substring(0, line.indexOf(':')), line.substring(line.indexOf(':') + 2));
    }
    return headers;
  }

  private static String line(InputStream answer) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = answer.read(); next >= 0 && next != '\n'; next = answer.read()) {
      line.write(next);
    }
    return line.toString(StandardCharsets.UTF_8).strip();
  }

  /// Runs a command and returns its standard output; its standard error is shown only if it fails.
  private static String run(Path folder, String... words) {
    try {
      Path warnings = Files.createTempFile("git", ".warnings");
      ProcessBuilder command = new ProcessBuilder(words).directory(folder.toFile());
      command.redirectError(warnings.toFile());
      Map<String, String> environment = command.environment();
      environment.put("GIT_CONFIG_NOSYSTEM", "1");
      environment.put("GIT_CONFIG_GLOBAL", "/dev/null");
      environment.put("GIT_TERMINAL_PROMPT", "0");
      for (String role : List.of("AUTHOR", "COMMITTER")) {
        environment.put("GIT_" + role + "_NAME", "Tester");
        environment.put("GIT_" + role + "_EMAIL", "tester@localhost");
      }
      Process process = command.start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      int status = process.waitFor();
      String warned = Files.readString(warnings, StandardCharsets.ISO_8859_1);
      Files.delete(warnings);
      if (status != 0) {
        throw new AssertionError(said + warned);
      }
      return said;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }
}
