package agentsessions.runner.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.Bench;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The choice of the session's files that a turn's result contains.
class CaptureTest {
  @TempDir Path folder;
  @AutoClose private Bench bench;

  @BeforeEach
  void open() throws IOException {
    bench = Bench.sandboxed(folder);
  }

  @Test
  void plansComeFirstAndTheNewestFileBeforeOlderOnes() throws IOException {
    JsonNode result =
        bench.run(
            """
            mkdir -p plans/a sub
            made() { echo "$1" > "$2"; touch -d "@$1" "$2"; }
            made 1 old.txt; made 2 plans/b.md; made 3 PLAN.md; made 4 plans/a/c.md; made 5 sub/new.json
            """);
    assertEquals(
        List.of(
            "plan /workspace/plans/b.md text/markdown; charset=utf-8",
            "plan /workspace/PLAN.md text/markdown; charset=utf-8",
            "plan /workspace/plans/a/c.md text/markdown; charset=utf-8",
            "file /workspace/sub/new.json application/json",
            "file /workspace/old.txt text/plain; charset=utf-8"),
        artifacts(result));
  }

  @Test
  void artifactIsWhatWasUploaded() throws IOException {
    JsonNode artifact = bench.run("printf 'a plan' > PLAN.md; echo ok").at("/artifacts/0");
    assertEquals("a plan", bench.captured(artifact));
    assertEquals(
        "a27fa2bacd5796b82680016a6b8865a616a9e4f6b6a198d3776ddc07536e3158",
        artifact.get("sha256").textValue());
  }

  @Test
  void onlyNewContentIsCapturedAgain() throws IOException {
    assertEquals(2, bench.run("echo 1 > PLAN.md; echo 1 > file; echo ok").get("artifacts").size());
    assertEquals(
        0, bench.run("touch file; cp PLAN.md x; mv x PLAN.md; echo ok").get("artifacts").size());
    assertEquals(
        List.of("plan /workspace/PLAN.md text/markdown; charset=utf-8"),
        artifacts(bench.run("echo 2 > PLAN.md; echo ok")));
  }

  @Test
  void contentIsComparedWhereTheSizeIsTheSame() throws IOException {
    bench.run("echo 1 > same; echo 1 > other; echo 1 > longer; echo ok");
    JsonNode second = bench.run("touch same; echo 2 > other; echo 22 > longer; echo ok");
    assertEquals(2, second.get("artifacts").size());
    JsonNode third = bench.run("touch same other longer; echo ok");
    assertEquals(List.of(), artifacts(third));
  }

  @Test
  void onlyTextThatIsUtf8ToItsEndHasACharset() throws IOException {
    JsonNode result =
        bench.run(
            "head -c 99999 /dev/zero | tr '\\0' a > a.txt; cp a.txt b.txt; printf 'ü' >> a.txt; printf '\\xfc' >> b.txt; touch -d @2 a.txt; touch -d @1 b.txt; echo ok");
    assertEquals(
        List.of(
            "file /workspace/a.txt text/plain; charset=utf-8", "file /workspace/b.txt text/plain"),
        artifacts(result));
  }

  @Test
  void linksAreNeverFollowed() throws IOException {
    JsonNode result =
        bench.run(
            "ln -s /etc/passwd link; ln -s / root; mkdir d; ln -s /etc d/etc; mkfifo pipe; echo ok");
    assertEquals(List.of(), artifacts(result));
    assertEquals(
        List.of(), artifacts(bench.run("echo x > f; rm f; ln -s /proc/self/environ f; echo ok")));
  }

  @Test
  void ignoredFoldersAreNotCaptured() throws IOException {
    JsonNode result =
        bench.run("mkdir -p .git a/node_modules/b; touch .git/x a/node_modules/b/y a/z; echo ok");
    assertEquals(List.of("file /workspace/a/z application/octet-stream"), artifacts(result));
  }

  @Test
  void plansMayLieInHome() throws IOException {
    bench.entry.putArray("plans").add("~/.agent/plans/*.md");
    JsonNode result =
        bench.run(
            "mkdir -p ~/.agent/plans; echo 1 > ~/.agent/plans/p.md; echo 2 > ~/x.md; echo ok");
    assertEquals(
        List.of("plan /home/agent/.agent/plans/p.md text/markdown; charset=utf-8"),
        artifacts(result));
  }

  @Test
  void tooManyFilesAreLeftOutWithANoteAndNotSpreadOverLaterTurns() throws IOException {
    JsonNode result =
        bench.run(
            "for i in $(seq 50); do echo $i > $i.txt; done; echo 1 > PLAN.md; touch -d 'next day' last");
    assertEquals(40, result.get("artifacts").size());
    assertEquals("/workspace/PLAN.md", result.at("/artifacts/0/path").textValue());
    assertEquals("/workspace/last", result.at("/artifacts/1/path").textValue());
    assertTrue(bench.said().contains("12 more files"), bench.said());
    assertTrue(bench.service.events().toString().contains("12 more files"));
    assertEquals(0, bench.run("echo ok").get("artifacts").size());
  }

  @Test
  void oddNamesDoNotHarm() throws IOException {
    JsonNode result =
        bench.run(
            "touch $'\\xff\\xfe' $'new\\nline' 'a b' 'ü' ' ' '\\' '*' -- '-rf'; mkdir $'\\x80'; touch $'\\x80/in'; echo ok");
    assertEquals(7, result.get("artifacts").size());
    assertTrue(bench.said().contains("2 files were left out"), bench.said());
  }

  @Test
  void unreadableFoldersAndDeepOnesDoNotHarm() throws IOException {
    JsonNode result =
        bench.run(
            "mkdir closed; touch closed/x; chmod 0 closed;"
                + " for i in $(seq 300); do mkdir d; cd d; done; touch deep; echo ok");
    assertEquals("ok", result.get("reply").textValue());
    assertTrue(bench.said().contains("could not be read"), bench.said());
  }

  @Test
  void whatCouldNotBeStoredIsTriedAgainByTheNextTurn() throws IOException {
    bench.service.objectsAnswer(403);
    JsonNode result = bench.run("echo 1 > file; echo ok");
    assertEquals("completed", result.get("outcome").textValue());
    assertEquals(List.of(), artifacts(result));
    bench.service.objectsAnswer(200);
    assertEquals(1, bench.run("echo ok").get("artifacts").size());
  }

  @Test
  void whatAnAgentPlantsIsNotWrittenThrough() throws IOException {
    Path outside = Files.writeString(folder.resolve("outside"), "safe");
    bench.run(
        "rm -rf /io/*; ln -s " + outside + " /io/message.txt; ln -s /x /io/reply.txt; echo ok");
    bench.entry.putObject("reply").put("from", "file");
    bench.run("ln -sf /etc/passwd $AGENT_REPLY_FILE");
    assertEquals("EMPTY_REPLY", bench.service.result().at("/error/code").textValue());
    assertEquals("safe", Files.readString(outside));
  }

  private static List<String> artifacts(JsonNode result) {
    return StreamSupport.stream(result.get("artifacts").spliterator(), false)
        .map(artifact ->
            text(artifact, "kind")
                + " "
                + text(artifact, "path")
                + " "
                + text(artifact, "mime_type"))
        .toList();
  }

  private static String text(JsonNode node, String field) {
    return node.get(field).textValue();
  }
}
