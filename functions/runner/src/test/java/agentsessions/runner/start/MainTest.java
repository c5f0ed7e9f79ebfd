package agentsessions.runner.start;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.Bench;
import agentsessions.runner.agent.Json;
import agentsessions.runner.sandbox.InstalledTools;
import agentsessions.runner.turn.Invocation;
import agentsessions.testing.Loopback;
import agentsessions.testing.ProcessMark;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The runner as a process of its own, fed by a stand-in of the Lambda Runtime API.
class MainTest {
  private static final String SECRET = "s3cret-of-the-first";

  private static final int LARGE = 1_000_000;

  @TempDir Path folder;
  private final BlockingQueue<Invocation> invocations = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final AtomicInteger ids = new AtomicInteger();
  private final ProcessMark mark = ProcessMark.fresh();
  private Bench first;
  private Bench second;
  private Loopback api;
  private Process runner;
  private Path log;

  @BeforeEach
  void open() throws IOException {
    first = Bench.sandboxed(folder);
    second = Bench.sandboxed(folder);
    api = new Loopback(this::answer);
    log = folder.resolve("log");
    runner = runner();
  }

  @AfterEach
  void close() {
    if (runner != null) {
      runner.destroyForcibly();
      api.close();
      first.close();
      second.close();
    }
  }

  @Test
  void turnsRunOneAfterTheOtherAndTheLastEndsWithTheParent() throws Exception {
    invocations.add(second.offer("echo quick"));
    invocations.add(first.offer("touch ready; " + mark.sleep()));
    assertEquals("response {\"spent\": false}", answers.poll(60, TimeUnit.SECONDS));
    assertEquals("quick", second.service.result().get("reply").textValue());
    Bench.await("the long turn", () -> Files.exists(first.work("ready")));
    runner.getOutputStream().close();
    assertTrue(runner.waitFor(60, TimeUnit.SECONDS), "ends with its parent");
    assertFalse(mark.isRunning());
  }

  @Test
  void killedRunnerTakesItsAgentsAlong() throws Exception {
    invocations.add(
        first.offer("trap '' TERM HUP; touch ready; setsid %1$s & %1$s".formatted(mark.sleep())));
    Bench.await("the turn", () -> Files.exists(first.work("ready")));
    runner.destroyForcibly().waitFor();
    Bench.await("the agent's end", () -> !mark.isRunning());
  }

  /// They are told apart by their sandboxes, and what the log masks is every turn's.
  @Test
  void twoTurnsAtOnceDoNotSeeEachOther() throws Exception {
    first.work = Bench.nothing();
    first.work.putObject("secrets").put("TOKEN", SECRET);
    first.mask(SECRET);
    invocations.add(
        first.offer("echo $TOKEN > secret; cp secret ~/; touch ready; " + mark.sleep()));
    Bench.await("the first turn", () -> Files.exists(first.work("ready")));
    invocations.add(
        second.offer(
            "env; cat /proc/*/environ /proc/*/cmdline; cat /workspace/* ~/*;"
                + " ls -R /tmp /io /workspace ~ %s; echo end".formatted(first.sandboxes)));
    assertEquals("response {\"spent\": false}", answers.poll(60, TimeUnit.SECONDS));
    String seen = second.service.result().get("reply").textValue();
    assertTrue(seen.endsWith("end"), seen);
    for (String others : List.of(SECRET, first.sessionId, mark.toString())) {
      assertFalse(seen.contains(others), others);
    }
    assertTrue(mark.isRunning());
    assertFalse(Files.readString(log).contains(SECRET));
  }

  @Test
  void eightLargeAnswersAtOnceFit() throws Exception {
    List<Bench> benches = new ArrayList<>();
    for (int count = 0; count < 8; count++) {
      benches.add(Bench.sandboxed(folder));
      invocations.add(benches.getLast().offer("head -c 60000000 /dev/zero | tr '\\0' x; echo"));
    }
    for (Bench bench : benches) {
      assertEquals(
          "response {\"spent\": false}", answers.poll(60, TimeUnit.SECONDS), bench.sessionId);
    }
    for (Bench bench : benches) {
      assertTrue(bench.service.result().get("reply").textValue().length() > LARGE);
      bench.close();
    }
  }

  /// The address may be another server's, so an operator has to see it.
  @Test
  void turnThatCannotBeClaimedFailsItsInvocationAndIsLogged() throws Exception {
    URI url = first.offer("true").url();
    invocations.add(new Invocation("wrong", url, 0, first.sessionId));
    assertTrue(answers.poll(60, TimeUnit.SECONDS).startsWith("error "));
    String logged = Files.readString(log);
    assertTrue(logged.contains("turn refused at " + url + ": claim: 401"), logged);
  }

  private Process runner() throws IOException {
    ProcessBuilder command =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-Xmx360m", // what eight turns have on one machine
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1", // it soon ends
            "-XX:+ExitOnOutOfMemoryError",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName());
    command.environment().clear();
    command
        .environment()
        .putAll(
            Map.of(
                "PATH",
                InstalledTools.SYSTEM_PATH,
                "LC_ALL",
                "C.UTF-8",
                "AWS_LAMBDA_RUNTIME_API",
                "127.0.0.1:" + api.port(),
                "SANDBOXES",
                first.sandboxes.toString(),
                "ISOLATION",
                "bubblewrap"));
    return command.redirectErrorStream(true).redirectOutput(log.toFile()).start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      if (path.endsWith("/next")) {
        next(exchange);
      } else {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        answers.add(path.substring(path.lastIndexOf('/') + 1) + " " + body);
        exchange.sendResponseHeaders(202, -1);
      }
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private void next(HttpExchange exchange) throws IOException, InterruptedException {
    byte[] event = Json.MAPPER.writeValueAsBytes(invocations.take());
    exchange
        .getResponseHeaders()
        .add("Lambda-Runtime-Aws-Request-Id", "id" + ids.incrementAndGet());
    exchange
        .getResponseHeaders()
        .add("Lambda-Runtime-Deadline-Ms", String.valueOf(System.currentTimeMillis() + 300_000));
    exchange
        .getResponseHeaders()
        .add("Lambda-Runtime-Invoked-Function-Arn", "arn:aws:lambda:local:0:function:runner");
    exchange.sendResponseHeaders(200, event.length);
    exchange.getResponseBody().write(event);
  }
}
