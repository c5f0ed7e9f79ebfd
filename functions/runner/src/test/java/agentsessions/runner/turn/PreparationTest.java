package agentsessions.runner.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.Bench;
import agentsessions.testing.ProcessMark;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A session's initial files are in place when its agent starts, and do not count as the agent's
/// work.
class PreparationTest {
  private static final String SHA256 =
      "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"; // of "hello"

  @TempDir Path folder;
  private final ProcessMark mark = ProcessMark.fresh();
  @AutoClose private Bench bench;

  @BeforeEach
  void open() throws IOException {
    bench = Bench.sandboxed(folder);
    bench.work = Bench.nothing();
  }

  @Test
  void filesAreThereAndAreNoArtifacts() throws IOException {
    file("a.txt", "hello");
    file("sub/dir/-b 'c'\n.txt", "");
    JsonNode result = bench.run("cat a.txt; stat -c '%a %n' a.txt sub/dir/*; echo new > made");
    assertEquals("hello644 a.txt\n644 sub/dir/-b 'c'\n.txt", result.get("reply").textValue());
    assertEquals(1, result.get("artifacts").size(), result.toString());
    assertEquals("/workspace/made", result.at("/artifacts/0/path").textValue());
  }

  @Test
  void fileThatTheAgentChangesIsAnArtifact() throws IOException {
    file("a.txt", "hello");
    bench.run("true");
    bench.work = Bench.nothing();
    JsonNode result = bench.run("echo more >> a.txt");
    assertEquals("/workspace/a.txt", result.at("/artifacts/0/path").textValue());
  }

  @Test
  void whatAnInterruptedAgentLeftIsStillRecorded() throws IOException {
    bench.work.removeAll();
    bench.interrupt("echo mine > left; touch ready; " + mark.sleep());
    bench.work = Bench.nothing();
    file("a.txt", "hello");
    JsonNode result = bench.run("true");
    assertEquals(2, result.get("artifacts").size(), result.toString());
    assertFalse(result.toString().contains("a.txt"), result.toString());
  }

  @Test
  void filesReplaceFilesAndLinksButNoFolder() throws IOException {
    bench.work.removeAll();
    bench.run("mkdir folder; echo old > file; ln -s /etc/passwd link; ln -s folder way");
    bench.work = Bench.nothing();
    file("file", "hello");
    file("link", "hello");
    assertEquals(
        "hello-hello-regular file",
        bench
            .run("cat file; printf -; cat link; printf -; stat -c %F link")
            .get("reply")
            .textValue());
    bench.work = Bench.nothing();
    file("folder", "hello");
    assertFailed("FILE_UNAVAILABLE", "The file folder could not be written: it is a folder.");
    bench.work = Bench.nothing();
    file("way/x", "hello");
    assertFailed("FILE_UNAVAILABLE", "The file way/x could not be written: ./way is a link.");
    bench.work = Bench.nothing();
    file("file/x", "hello");
    assertEquals("FILE_UNAVAILABLE", bench.run("true").at("/error/code").textValue());
  }

  @Test
  void uploadedFileIsFetchedAndMustBeAsAnnounced() throws IOException {
    Files.writeString(bench.service.object("upload"), "hello");
    uploaded(5, SHA256);
    assertEquals("hello", bench.run("cat up").get("reply").textValue());
    uploaded(6, SHA256);
    assertFailed("FILE_UNAVAILABLE", "The file up could not be written: it could not be fetched.");
    uploaded(5, SHA256.replace('2', '3'));
    assertFailed("FILE_UNAVAILABLE", "The file up could not be written: it could not be fetched.");
    Files.delete(bench.service.object("upload"));
    uploaded(5, SHA256);
    assertFailed("FILE_UNAVAILABLE", "The file up could not be written: it could not be fetched.");
  }

  @Test
  void variablesAndSecretsAreInTheEnvironmentAndOnNoCommandLine() throws IOException {
    bench.work.putObject("variables").put("TEAM", "blue 'n'\n\"red\" $HOME `id`").put("UID", "x");
    bench.work.putObject("secrets").put("TOKEN", "s3cret-value").put("PATH", "/nowhere");
    JsonNode result =
        bench.run(
            "echo \"$TEAM\"; echo ${#TOKEN}; cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -c 's3cre[t]';"
                + " env | grep -c AGENT_GIVEN; true");
    assertEquals("blue 'n'\n\"red\" $HOME `id`\n12\n0\n0", result.get("reply").textValue());
  }

  @Test
  void nothingSaysASecret() throws IOException {
    bench.work.putObject("secrets").put("TOKEN", "s3cret-value\nand its second line");
    bench.work.putArray("masked").add("passw0rd-of-git");
    String say = "printf s3cr; printf 'et-value\\n'; echo passw0rd-of-git \"$TOKEN\"; echo end; ";
    assertEquals("***\n*** ***\nend", bench.run(say).get("reply").textValue());
    JsonNode unwell = bench.run(say + "exit 1");
    assertTrue(
        unwell.at("/error/message").textValue().endsWith("***\n*** ***\nend"), unwell.toString());
    assertEquals("***\n*** ***\nend\n", transcript());
    JsonNode failed = bench.run("echo \"{\\\"t\\\": \\\"$TOKEN\\\"}\" >&2; exit 1");
    assertFalse(failed.toString().contains("second line"), failed.toString());
    assertFalse(failed.toString().contains("s3cret"), failed.toString());
  }

  @Test
  void setupRunsOnceBeforeTheAgentWithItsVariablesAndInTheTranscript() throws IOException {
    file("in", "hello");
    bench.work.putObject("variables").put("TEAM", "blue");
    bench.work.put(
        "setup", "read x; cat in; echo; echo \"team $TEAM\"; echo made >> made; echo err >&2");
    JsonNode first = bench.run("cat made");
    assertEquals("made", first.get("reply").textValue());
    assertEquals(0, first.get("artifacts").size(), first.toString());
    assertEquals("hello\nteam blue\nerr\n", transcript());
    assertEquals("made", bench.run("cat made").get("reply").textValue());
  }

  @Test
  void setupThatFailsSaysItsLastLinesAndIsTriedAgain() throws IOException {
    bench.work.putObject("secrets").put("TOKEN", "s3cret-value");
    bench.work.put("setup", "echo x >> tries; echo \"no $TOKEN\"; test $(wc -l < tries) = 2");
    assertFailed("SETUP_FAILED", "The setup script ended with status 1.\nno ***");
    assertEquals("no ***\n", transcript());
    JsonNode second = bench.run("wc -l < tries");
    assertEquals("2", second.get("reply").textValue());
    assertEquals(0, second.get("artifacts").size(), second.toString());
  }

  @Test
  void setupHasNoMoreTimeThanItsTurn() throws IOException {
    bench.work.put("setup", mark.sleep());
    bench.time = Duration.ofSeconds(15); // of which it has a third
    assertFailed("SETUP_FAILED", "The setup script took longer than it may.");
    assertFalse(mark.isRunning());
  }

  @Test
  void interruptedSetupRunsAgain() throws IOException {
    bench.work.put(
        "setup", "echo x >> tries; touch ready; test $(wc -l < tries) = 2 || " + mark.sleep());
    bench.interrupt("echo never");
    assertFalse(mark.isRunning());
    assertEquals("2", bench.run("wc -l < tries").get("reply").textValue());
  }

  @Test
  void variablesReplaceWhatIsUsualButNothingOfTheEntrysOrOurs() throws IOException {
    bench.entry.putObject("environment").put("TERM", "entry");
    bench
        .work
        .putObject("variables")
        .put("LANG", "fr_FR")
        .put("TERM", "xterm")
        .put("USER", "root")
        .put("AGENT_NAME", "me");
    assertEquals(
        "fr_FR entry agent shell 1",
        bench.run("echo $LANG $TERM $USER $AGENT_NAME $CI").get("reply").textValue());
  }

  @Test
  void chosenModelIsWhereTheEntryNamesIt() throws IOException {
    bench.entry.putArray("models").add("small").add("large");
    bench.entry.putObject("environment").put("MODEL", "m-${AGENT_MODEL}");
    assertEquals("m-small", bench.run("echo $MODEL").get("reply").textValue());
    bench.work.put("model", "large");
    assertEquals("m-large large", bench.run("echo $MODEL $AGENT_MODEL").get("reply").textValue());
  }

  @Test
  void allowedHostsAreReachedFromTheSandboxAndOthersAreNamed() throws IOException {
    try (ServerSocket host = new ServerSocket(0, 9, InetAddress.getLoopbackAddress())) {
      Thread.startVirtualThread(() -> greet(host));
      bench.work.put("allow_private", true);
      bench.entry.putObject("network").putArray("hosts").add("127.0.0.1:" + host.getLocalPort());
      String script =
          """
          ask() {
            exec 9<>"/dev/tcp/127.0.0.1/${HTTPS_PROXY##*:}"
            printf 'CONNECT %%s HTTP/1.1\\r\\nHost: %%s\\r\\n\\r\\n' "$1" "$1" >&9
            timeout 20 cat <&9 | tr -d '\\r' | grep -E 'HTTP|host'
          }
          ask 127.0.0.1:%d
          ask example.com:443
          """
              .formatted(host.getLocalPort());
      String reply = bench.run(script).get("reply").textValue();
      assertTrue(reply.startsWith("HTTP/1.1 200 OK\nhost says hello\nHTTP/1.1 403"), reply);
      assertTrue(bench.said().contains("--allow-hosts example.com."), bench.said());
    }
  }

  private static void greet(ServerSocket host) {
    try (Socket agent = host.accept()) {
      agent.getOutputStream().write("host says hello\n".getBytes(StandardCharsets.US_ASCII));
    } catch (IOException closed) {
      // The test is over.
    }
  }

  private void file(String path, String content) {
    ObjectNode file = bench.work.withArray("files").addObject();
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    file.put("path", path).put("content_base64", Base64.getEncoder().encodeToString(bytes));
    file.putNull("url").put("size", bytes.length).putNull("sha256");
  }

  private void uploaded(int size, String sha256) {
    ObjectNode file = bench.work.putArray("files").addObject();
    file.put("path", "up").putNull("content_base64").put("url", bench.service.link("upload"));
    file.put("size", size).put("sha256", sha256);
  }

  /// The text of all events after the first ones: a script's output is one event, or more where the
  /// script pauses for longer than the lines are gathered.
  private String transcript() {
    return bench.service.events().stream()
        .map(event -> event.get("text").textValue())
        .collect(Collectors.joining());
  }

  private void assertFailed(String code, String message) throws IOException {
    JsonNode result = bench.run("true");
    assertEquals("failed", result.get("outcome").textValue(), result.toString());
    assertEquals(code, result.at("/error/code").textValue());
    assertEquals(message, result.at("/error/message").textValue());
  }
}
