package agentsessions.agents;

import static agentsessions.talk.Await.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.LocalService;
import agentsessions.local.Settings;
import agentsessions.talk.Client;
import agentsessions.talk.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/// An agent that nobody trusts, in the real sandbox, through the API: it looks for what it must not
/// see, and takes more than it may.
@Tag("agents")
final class ProbeTest {
  private static final String CATALOGUE =
      """
      probe:
        description: Runs the message as a script.
        command: [bash, "${AGENT_MESSAGE_FILE}"]
        stdin: none
        reply: {from: stdout}
      brief:
        description: The same, for three seconds at most.
        command: [bash, "${AGENT_MESSAGE_FILE}"]
        stdin: none
        reply: {from: stdout}
        time_limit_seconds: 3
      echo:
        description: Says what it hears.
        command: [cat]
        reply: {from: stdout}
      """;

  @TempDir static Path data;
  private static LocalService service;
  private Client client;

  @BeforeAll
  static void start() throws IOException {
    Path catalogue = Files.writeString(data.resolve("agents.yaml"), CATALOGUE);
    Map<String, Object> own = Map.of(Settings.AGENTS_FILE, catalogue.toString());
    service = LocalService.start(new Settings(0, 0, data, Optional.empty(), own));
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @BeforeEach
  void open(TestInfo test) {
    Assumptions.assumeTrue(service.isolation().equals("bubblewrap"), "needs bubblewrap");
    String key = service.createKey("probe-" + test.getDisplayName().hashCode());
    client = Client.of(service.baseUrl(), List.of(key)).patient();
  }

  @Test
  void nothingOfTheServiceOrOfAnotherSessionCanBeRead() {
    Session victim = client.create("probe", "echo word-of-the-victim > mine; echo done");
    assertEquals("done", victim.first().completed());
    // In two halves and with brackets, or the script would find itself: what it sees includes grep.
    String script =
        """
        for path in %s; do [ -e "$path" ] && echo "sees $path"; done
        cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -E '%s' && echo "reads variables"
        cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' | grep -E '[j]ava|[d]ynamodb' && echo "sees processes"
        word=word-of-the; key=%s
        grep -rslE "$word-victim|${key}_" /workspace /home /io /tmp /etc /opt /run /var /dev/shm && echo "reads files"
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
    Collection<Integer> ports = listening();
    assertTrue(ports.contains(service.baseUrl().getPort()), ports::toString);
    String script =
        """
        try() { timeout 3 bash -c "exec 3<>/dev/tcp/$1/$2" 2>/dev/null && echo "reaches $1:$2"; }
        for port in %s; do try 127.0.0.1 $port; done
        try 169.254.169.254 80; try 169.254.170.2 80; try 10.0.0.1 53; try localhost %d
        [ -z "$(grep -v lo: /proc/net/dev | grep :)" ] || echo "has a network"
        echo done
        """
            .formatted(
                ports.stream().map(String::valueOf).collect(Collectors.joining(" ")),
                service.baseUrl().getPort());
    assertEquals("done", client.create("probe", script).first().completed());
  }

  @Test
  void aForkBombIsContained() {
    Session bomb =
        client.create("probe", "bomb() { bomb | bomb & }; bomb 2>/dev/null; sleep 1; echo x");
    bomb.first().ended();
    nothingIsLeftOf(bomb);
    assertEquals("still here", bomb.send("echo still here").completed());
  }

  @Test
  void aFileCannotGrowBeyondItsLimit() {
    String script =
        """
        truncate -s 10G sparse 2>/dev/null; echo "$? $(stat -c %s sparse)"
        head -c 10G /dev/zero > real; echo "$? $(stat -c %s real)"
        rm real
        """;
    assertEquals("153 0\n153 2147483648", client.create("probe", script).first().completed());
  }

  @Test
  void endlessOutputIsStoppedAndReported() {
    Session endless = client.create("probe", "yes");
    String failure = endless.first().failure();
    assertTrue(failure.contains("LIMIT_EXCEEDED"), failure);
    nothingIsLeftOf(endless);
  }

  @Test
  void aDaemonEndsWithItsTurn() {
    Session daemon =
        client.create(
            "probe", "(setsid setsid sleep 73456 >/dev/null 2>&1 </dev/null &); echo done");
    assertEquals("done", daemon.first().completed());
    nothingIsLeftOf(daemon);
    assertTrue(commandLines().noneMatch(line -> line.contains("sleep 73456")));
  }

  @Test
  void aTurnMayTakeLong() {
    assertEquals("awake", client.create("probe", "sleep 42; echo awake").first().completed());
  }

  @Test
  void aTurnThatTakesTooLongIsStopped() {
    Session late = client.create("brief", "sleep 74567");
    assertEquals("timed_out", late.first().ended().at("/thread/status").asText());
    nothingIsLeftOf(late);
  }

  @Test
  void messagesArriveAsTheyWereSent() {
    String odd =
        "a\u0001\u0007\u0008\t\n"
            + "\u000b\u000c\u001b[31m\u007f\u0085\u00a0\u00ad\u200b\u200d\u2028\u202e\ue000\ufeff\ufffd\uffff"
            + " e\u0301 \ud83d\udc69\u200d\ud83d\udcbb \udbff\udfff ${HOME} $(id) `id` %s \\ ' \""
            + " \0 z";
    Session session = client.create("echo", odd);
    assertEquals(odd, session.first().completed());
    assertEquals("/clear", session.send("/clear").completed());
    String longest = "ü".repeat(128 * 1024);
    assertEquals(longest, session.send(longest).completed());
  }

  private static List<String> hidden(Session victim) {
    Path home = Path.of(System.getProperty("user.home"));
    Path folder = service.dataFolder();
    return Stream.of(
            folder,
            folder.resolve("dynamodb"),
            folder.resolve("objects"),
            folder.resolve("local-key"),
            folder.resolve("aws.env"),
            folder.resolve("sandboxes").resolve(victim.id()),
            home.resolve(".m2"),
            home.resolve(".aws"),
            Path.of("").toAbsolutePath())
        .map(Path::toString)
        .toList();
  }

  /// All TCP ports that anything on this machine listens on.
  private static Collection<Integer> listening() throws IOException {
    try (Stream<String> v4 = Files.lines(Path.of("/proc/net/tcp"));
        Stream<String> v6 = Files.lines(Path.of("/proc/net/tcp6"))) {
      return Stream.concat(v4, v6)
          .map(line -> line.strip().split("\\s+"))
          .filter(words -> words[3].equals("0A"))
          .map(words -> Integer.parseInt(words[1].substring(words[1].indexOf(':') + 1), 16))
          .collect(Collectors.toSet());
    }
  }

  /// A sandbox has its session's folder on its command line.
  private static void nothingIsLeftOf(Session session) {
    await("the end of all processes", Duration.ofSeconds(10), Duration.ofMillis(200))
        .until(
            () -> commandLines().filter(line -> line.contains(session.id())).toList(),
            List::isEmpty);
  }

  private static Stream<String> commandLines() {
    return ProcessHandle.allProcesses().flatMap(process -> process.info().commandLine().stream());
  }
}
