import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/// What scripts/serve-git runs: hands each request to git's own http-backend, which is a CGI program. A JDK is there for sure, while
/// `git daemon` speaks no http, and python with its CGI server may be missing, and runs it as nobody where it is root's.
///
/// @param folder whose repositories it serves
record ServeGit(Path folder) {
  public static void main(String[] arguments) throws IOException {
    ServeGit git = new ServeGit(Path.of(arguments[0]));
    int port = Integer.parseInt(arguments[1]);
    try {
      HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      server.createContext("/", git::answer);
      server.start();
      git.greet(port);
    } catch (BindException | IllegalArgumentException taken) {
      System.err.println("Error: port " + port + " is not to be had: name another one");
      System.exit(1);
    }
  }

  private void greet(int port) throws IOException {
    try (Stream<Path> all = Files.list(folder).sorted()) {
      all.filter(ServeGit::isRepository)
          .forEach(each -> System.out.printf("http://127.0.0.1:%d/%s%n", port, each.getFileName()));
    }
    System.out.println("Served until Ctrl-C: the repositories in " + folder);
  }

  private static boolean isRepository(Path folder) {
    return Files.exists(folder.resolve(".git")) || Files.exists(folder.resolve("HEAD"));
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      Process backend = backend(exchange);
      Thread.startVirtualThread(() -> pass(exchange.getRequestBody(), backend.getOutputStream()));
      try (InputStream answer = backend.getInputStream()) {
        exchange.sendResponseHeaders(status(answer, exchange.getResponseHeaders()), 0);
        answer.transferTo(exchange.getResponseBody());
      }
    }
  }

  private Process backend(HttpExchange exchange) throws IOException {
    Headers headers = exchange.getRequestHeaders();
    ProcessBuilder command = new ProcessBuilder("git", "http-backend");
    command.redirectError(ProcessBuilder.Redirect.INHERIT);
    Map<String, String> environment = command.environment();
    environment.put("GIT_PROJECT_ROOT", folder.toString());
    environment.put("GIT_HTTP_EXPORT_ALL", "1");
    environment.put("REMOTE_ADDR", "127.0.0.1");
    environment.put("REQUEST_METHOD", exchange.getRequestMethod());
    environment.put("PATH_INFO", exchange.getRequestURI().getPath());
    environment.put("QUERY_STRING", text(exchange.getRequestURI().getRawQuery()));
    environment.put("CONTENT_TYPE", text(headers.getFirst("Content-Type")));
    environment.put("HTTP_CONTENT_ENCODING", text(headers.getFirst("Content-Encoding")));
    environment.put("GIT_PROTOCOL", text(headers.getFirst("Git-Protocol")));
    return command.start();
  }

  /// Reads the head of what a CGI program answers.
  private static int status(InputStream answer, Headers headers) throws IOException {
    for (String line = line(answer); !line.isEmpty(); line = line(answer)) {
      String[] field = line.split(": ", 2);
      headers.set(field[0], field[1]);
    }
    return Integer.parseInt(Objects.requireNonNullElse(headers.getFirst("Status"), "200 OK").substring(0, 3));
  }

  private static String line(InputStream answer) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = answer.read(); next >= 0 && next != '\n'; next = answer.read()) {
      line.write(next);
    }
    return line.toString(StandardCharsets.UTF_8).strip();
  }

  private static void pass(InputStream from, OutputStream to) {
    try (to) {
      from.transferTo(to);
    } catch (IOException answeredAlready) {
      // It does not read on.
    }
  }

  private static String text(String value) {
    return Objects.requireNonNullElse(value, "");
  }
}
