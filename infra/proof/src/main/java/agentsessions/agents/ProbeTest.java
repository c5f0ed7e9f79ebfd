package agentsessions.agents;

import static agentsessions.talk.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.LocalService;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import agentsessions.talk.TurnHandle;
import agentsessions.testing.GitHost;
import agentsessions.testing.ProcessMark;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// An untrusted agent in the real sandbox, through the API: it looks for data it must not see, and
/// takes more than its limits.
@Tag("agents")
@ExtendWith(SharedScriptedService.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class ProbeTest {
  /// Prints for each address that a connection was made to it.
  private static final String TRY =
      """
      try() { timeout 20 bash -c "exec 3<>/dev/tcp/$1/$2" 2>/dev/null && echo "reaches $1:$2"; }
      """;

  /// Seconds, longer than all that could end the turn by mistake: a lease lasts 20 seconds here,
  /// and after 30 idle seconds the JDK ends a carrier thread of virtual threads, and with it the
  /// child processes that it started.
  private static final int LONG = 42;

  private static final ProcessMark LONG_MARK = ProcessMark.fresh();
  private static Optional<TurnHandle> longTurn = Optional.empty();

  @TempDir Path folder;
  private final LocalService service;
  private final Client client;

  ProbeTest(ScriptedService scripted, TestInfo test) {
    service = scripted.service();
    client = client(service, test.getDisplayName());
  }

  /// Begins the long turn first, so that it goes on while the other tests run.
  @BeforeAll
  static void begin(ScriptedService scripted) {
    if (isConfined(scripted.service())) {
      String script = "bash -c 'sleep %d; echo awake' %s".formatted(LONG, LONG_MARK);
      longTurn = Optional.of(client(scripted.service(), "long").create("probe", script).first());
      awaitRunning(LONG_MARK);
    }
  }

  @BeforeEach
  void requireSandboxes() {
    Assumptions.assumeTrue(isConfined(service), "needs bubblewrap");
  }

  @Test
  void nothingOfTheServiceOrOfAnotherSessionCanBeRead() {
    SessionHandle victim = client.create("probe", "echo word-of-the-victim > mine; echo done");
    assertEquals("done", victim.first().completed());
    // The pattern is written in two halves and with brackets, or the script would find itself: it
    // also sees its own grep.
    String script =
        """
        for path in %s; do [ -e "$path" ] && echo "sees $path"; done
        cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -E '%s' && echo "reads variables"
        cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -E '[j]ava|[d]ynamodb' && echo "sees processes"
        word=word-of-the; key=%s
        grep -rslE "$word-victim|${key}_" /workspace /home /io /tmp /etc /opt /run /var /dev/shm --exclude-dir=node_modules && echo "reads files"
        ls /proc | grep -c '^[0-9]' | awk '$1 > 12 { print "sees processes" }'
        echo done
        """
            .formatted(
                String.join(" ", hidden(victim)),
                "AWS_|SANDBOXES|LC_ALL|JAVA|TABLE|TICKET|^AGENT_SESSIONS",
                service.localKey().substring(0, service.localKey().indexOf('_', 4)));
    assertEquals("done", client.create("probe", script).first().completed());
  }

  @Test
  void noPortAndNoMetadataCanBeReached() throws IOException {
    try (ServerSocket open = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Set<Integer> ports = ListeningPorts.own();
      List<Integer> known = List.of(service.baseUrl().getPort(), open.getLocalPort());
      assertTrue(ports.containsAll(known), ports::toString);
      String script =
          """
          for port in %s; do try 127.0.0.1 $port; done
          try 169.254.169.254 80; try 169.254.170.2 80; try 10.0.0.1 53; try localhost %d
          [ -z "$(grep -v lo: /proc/net/dev | grep :)" ] || echo "has a network"
          echo done
          """
              .formatted(
                  ports.stream().map(String::valueOf).collect(Collectors.joining(" ")),
                  service.baseUrl().getPort());
      assertEquals("done", client.create("probe", TRY + script).first().completed());
      String reached = "try 127.0.0.1 " + open.getLocalPort();
      assertTrue(
          GitHost.script(folder, TRY + reached).startsWith("reaches "), "outside it is there");
    }
  }

  /// Once the bomb has gone off the script starts no process: at the process limit bash retries for
  /// a long time.
  @Test
  void aForkBombIsContained() {
    ProcessMark mark = ProcessMark.fresh();
    String script =
        """
        mkfifo pause; exec 3<>pause
        bash -c 'bomb() { bomb | bomb & }; bomb' %s 2>refused &
        until [ -s refused ]; do read -rt 0.1 -u 3; done
        read -r why <refused; echo "${why##*: }"
        """
            .formatted(mark);
    SessionHandle bomb = client.create("probe", script);
    assertEquals("Resource temporarily unavailable", bomb.first().completed());
    awaitGone(mark);
    assertEquals("still here", bomb.send("echo still here").completed());
  }

  /// A sparse file: the limit is about its length, not about the disk it takes.
  @Test
  void aFileCannotGrowBeyondItsLimit() {
    String script =
        """
        truncate -s 10G sparse 2>/dev/null; echo "$? $(stat -c %s sparse)"
        truncate -s 2147483640 real
        head -c 10G /dev/zero >> real; echo "$? $(stat -c %s real)"
        rm real
        """;
    assertEquals("153 0\n153 2147483648", client.create("probe", script).first().completed());
  }

  @Test
  void endlessOutputIsStoppedAndReported() {
    ProcessMark mark = ProcessMark.fresh();
    String failure = client.create("probe", "yes " + mark).first().failure();
    assertTrue(failure.contains("LIMIT_EXCEEDED"), failure);
    awaitGone(mark);
  }

  @Test
  void aDaemonEndsWithItsTurn() {
    ProcessMark mark = ProcessMark.fresh();
    String script =
        """
        mkfifo up
        (setsid setsid bash -c 'echo up >up; exec %s' >/dev/null 2>&1 </dev/null &)
        cat up
        """
            .formatted(mark.sleep());
    assertEquals("up", client.create("probe", script).first().completed());
    awaitGone(mark);
  }

  @Test
  void aTurnThatTakesTooLongIsStopped() {
    ProcessMark mark = ProcessMark.fresh();
    SessionHandle late = client.create("brief", mark.sleep());
    assertEquals("timed_out", late.first().ended().at("/thread/status").asText());
    awaitGone(mark);
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void aTurnMayTakeLong() {
    assertEquals("awake", longTurn.orElseThrow().completed());
    awaitGone(LONG_MARK);
  }

  @Test
  void messagesArriveAsTheyWereSent() {
    String odd =
        "a\u0001\u0007\u0008\t\n"
            + "\u000b\u000c\u001b[31m\u007f\u0085\u00a0\u00ad\u200b\u200d\u2028\u202e\ue000\ufeff\ufffd\uffff"
            + " e\u0301 \ud83d\udc69\u200d\ud83d\udcbb \udbff\udfff ${HOME} $(id) `id` %s \\ ' \""
            + " \0 z";
    SessionHandle session = client.create("echo", odd);
    assertEquals(odd, session.first().completed());
    assertEquals("/clear", session.send("/clear").completed());
    String longest = "ü".repeat(128 * 1024);
    assertEquals(longest, session.send(longest).completed());
  }

  private List<String> hidden(SessionHandle victim) {
    Path home = Path.of(System.getProperty("user.home"));
    Path data = service.dataFolder();
    return Stream.of(
            data,
            data.resolve("dynamodb"),
            data.resolve("objects"),
            data.resolve("local-key"),
            data.resolve("aws.env"),
            data.resolve("sandboxes").resolve(victim.id()),
            home.resolve(".m2"),
            home.resolve(".aws"),
            Path.of("").toAbsolutePath())
        .map(Path::toString)
        .toList();
  }

  private static boolean isConfined(LocalService service) {
    return service.isolation().equals("bubblewrap");
  }

  /// A client with a workspace of its own.
  private static Client client(LocalService service, String name) {
    String key = service.createKey("probe-" + name.hashCode());
    return Client.of(service.baseUrl(), List.of(key)).patient();
  }

  private static void awaitRunning(ProcessMark mark) {
    await("its process", Duration.ofMinutes(1), Duration.ofMillis(200)).until(mark::isRunning);
  }

  private static void awaitGone(ProcessMark mark) {
    await("the end of all processes", Duration.ofMinutes(1), Duration.ofMillis(200))
        .until(() -> !mark.isRunning());
  }
}
