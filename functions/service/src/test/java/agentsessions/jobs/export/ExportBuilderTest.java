package agentsessions.jobs.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.SerdeableRoundTrip;
import agentsessions.api.events.EventStory;
import agentsessions.aws.AwsStandIn;
import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryObjects;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.LargeObjects;
import agentsessions.session.Artifact;
import agentsessions.session.Ending;
import agentsessions.session.Export;
import agentsessions.session.Session;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnKey;
import agentsessions.store.export.Exports;
import agentsessions.table.TimeOrderedIds;
import agentsessions.testing.SettableClock;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.StartExecutionRequest;
import software.amazon.awssdk.services.sfn.model.StartExecutionResponse;

/// The states of an export, with a builder that succeeds, fails or dies.
class ExportBuilderTest {
  private static final JsonMapper JSON = SerdeableRoundTrip.JSON;
  private static final Duration A_MINUTE = Duration.ofMinutes(1);
  private static final long GIBIBYTE = 1L << 30;

  private final InMemoryTable table = new InMemoryTable(InMemoryAws.TABLE);
  private final EventStory story = new EventStory(table);
  private final SettableClock clock = new SettableClock();
  private final InMemoryObjects objects = new InMemoryObjects();
  private final List<String> starts = new ArrayList<>();
  private final Exports exports = InMemoryAws.exports(table, new Starts(), clock);
  private final ExportBuilder builder = builder();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @BeforeEach
  void listen() {
    log.start();
    logger().addAppender(log);
  }

  @AfterEach
  void listenNoMore() {
    logger().detachAppender(log);
  }

  @Test
  void anExportIsBuiltOnceHoweverOftenItIsAskedFor() {
    story.completed("one", 0);
    Export export = ask();
    assertEquals(export, ask());
    build(export);
    assertInstanceOf(Export.State.Ready.class, state());
    assertEquals(List.of(export.objectKey()), List.copyOf(objects.contents().keySet()));
    build(export);
    assertEquals(List.of(export.id() + "-1"), starts);
  }

  @Test
  void aBuilderThatIsSilentForAMinuteHasFailedAndAnotherIsBegunWhenAsked() {
    story.completed("one", 0);
    Export lost = ask();
    clock.pass(A_MINUTE);
    assertInstanceOf(Export.State.Failed.class, state());
    build(lost);
    assertEquals(Map.of(), objects.contents());
    assertEquals(1, failures());
    Export again = ask();
    assertEquals(lost.id(), again.id());
    assertEquals(List.of(lost.id() + "-1", lost.id() + "-2"), starts);
    build(lost);
    assertEquals(Map.of(), objects.contents());
    build(again);
    assertInstanceOf(Export.State.Ready.class, state());
    assertEquals(1, failures());
  }

  @Test
  void aBuilderThatComesTooLateLeavesNothing() {
    story.running("one");
    story.end(Ending.completed("ok", List.of(artifact("a.txt", 3))));
    objects.whileReading(() -> clock.pass(A_MINUTE));
    build(ask());
    assertInstanceOf(Export.State.Failed.class, state());
    assertEquals(1, objects.contents().size(), "the artifact alone");
    assertEquals(1, failures());
  }

  @Test
  void aBuilderThatCannotReadHasFailedAtOnceAndLeavesNothing() {
    story.running("one");
    story.end(Ending.completed("ok", List.of(artifact("a.txt", 3))));
    objects.contents().clear();
    build(ask());
    assertInstanceOf(Export.State.Failed.class, state());
    assertEquals(Map.of(), objects.contents());
    assertEquals(Map.of(), objects.uploads());
    assertEquals(1, failures());
  }

  @Test
  void whoseSessionIsDeletedMeanwhileHasNotFailed() {
    story.running("one");
    story.end(Ending.completed("ok", List.of(artifact("a.txt", 3))));
    objects.whileReading(() -> {
      story.delete();
      objects.contents().clear();
    });
    build(ask());
    assertEquals(Map.of(), objects.contents());
    assertEquals(Map.of(), objects.uploads());
    assertEquals(0, failures());
  }

  @Test
  void anExportOfADeletedSessionIsNotBuilt() {
    story.completed("one", 0);
    Export export = ask();
    story.delete();
    build(export);
    assertEquals(Map.of(), objects.contents());
    assertEquals(new Exports.Found(false, Optional.empty()), found(export));
    assertEquals(0, failures());
  }

  @Test
  void whatWasAskedOfPeopleIsInIt() throws IOException {
    story.running("one");
    story.decide(story.ask("call"));
    story.end(Ending.completed("ok", List.of()));
    Export export = ask();
    build(export);
    String requests = Objects.requireNonNull(unpacked(export).get("requests.json"));
    assertTrue(requests.contains("\"tool\":{\"name\":\"bash\""), requests);
    assertTrue(requests.contains("\"note\":\"so\""), requests);
  }

  @Test
  void whatHasNoRoomIsNamed() throws IOException {
    story.running("one");
    story.end(
        Ending.completed("ok", List.of(artifact("large.bin", 3 * GIBIBYTE), artifact("a.txt", 3))));
    Export export = ask();
    build(export);
    Map<String, String> files = unpacked(export);
    String name =
        files.keySet().stream().filter(path -> path.endsWith("/a.txt")).findAny().orElseThrow();
    assertEquals("a.txt", files.get(name));
    assertTrue(files.keySet().stream().noneMatch(path -> path.endsWith("/large.bin")));
    ExportManifest manifest =
        JSON.readValue(
            Objects.requireNonNull(files.get("manifest.json")), Argument.of(ExportManifest.class));
    assertEquals(
        List.of("/workspace/large.bin"),
        manifest.leftOut().stream().map(ExportManifest.Entry::filePath).toList());
    assertEquals(4, manifest.files().size());
  }

  @Test
  void aHistoryOfSeveralPagesIsWhole() throws IOException {
    story.running("one");
    for (int said = 0; said < 250; said++) {
      story.say("number " + said);
    }
    story.say("{\"name\":\"look\",\"input\":\"```\"}");
    story.end(Ending.completed("ok", List.of()));
    Export export = ask();
    build(export);
    Map<String, String> files = unpacked(export);
    String page = Objects.requireNonNull(files.get("history.md"));
    assertEquals(250, page.split("number ", -1).length - 1);
    assertTrue(page.contains("````json\n{"), page);
    Map<String, Object> history =
        JSON.readValue(
            Objects.requireNonNull(files.get("history.json")),
            Argument.mapOf(String.class, Object.class));
    assertEquals(253, ((List<?>) Objects.requireNonNull(history.get("messages"))).size());
  }

  /// How often the alarm would have been raised.
  private long failures() {
    return log.list.stream().filter(line -> line.getMessage().equals("export.failed")).count();
  }

  private static Logger logger() {
    return (Logger) LoggerFactory.getLogger(ExportBuilder.class);
  }

  private Export ask() {
    return exports.ask(session(), "http://s");
  }

  private void build(Export export) {
    builder.build(export.sessionKey(), export.id(), export.attempt());
  }

  private Export.State state() {
    Export export = found(Export.of(session(), "", clock.instant())).export().orElseThrow();
    return export.at(clock.instant());
  }

  private Exports.Found found(Export export) {
    return exports.find(export.sessionKey(), export.id());
  }

  private Session session() {
    return story.aws().sessions().load(key()).orElseThrow();
  }

  private SessionKey key() {
    return story.turns().getFirst().key().sessionKey();
  }

  /// Its content, which the bucket has, is its name.
  private Artifact artifact(String name, long bytes) {
    TurnKey turn = story.turns().getLast().key();
    String object = "artifacts/" + name;
    objects.contents().put(object, name.getBytes(StandardCharsets.UTF_8));
    return new Artifact(
        TimeOrderedIds.artifacts(Stamp.of(clock.instant()), 1).getFirst(),
        turn,
        "/workspace/" + name,
        null,
        bytes,
        "0".repeat(64),
        "text/plain",
        object,
        clock.instant());
  }

  private Map<String, String> unpacked(Export export) throws IOException {
    Map<String, String> files = new TreeMap<>();
    byte[] bytes = Objects.requireNonNull(objects.contents().get(export.objectKey()));
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        files.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return files;
  }

  private ExportBuilder builder() {
    InMemoryAws aws = story.aws();
    LargeObjects large = InMemoryAws.objects(objects);
    ExportContents contents =
        new ExportContents(
            aws.sessions(),
            aws.turns(),
            aws.artifacts(),
            new ExportHistory(aws.history(), aws.turns(), aws.requests(), JSON),
            large,
            JSON,
            clock);
    return new ExportBuilder(exports, contents, large, InMemoryAws.bucket(objects));
  }

  /// The names of executions, which nobody runs.
  private final class Starts implements SfnClient, AwsStandIn {
    @Override
    public StartExecutionResponse startExecution(StartExecutionRequest request) {
      starts.add(request.name());
      return StartExecutionResponse.builder().build();
    }
  }
}
