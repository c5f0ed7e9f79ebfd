package agentsessions.turn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.NoMachine;
import agentsessions.session.Artifact;
import agentsessions.session.Ending;
import agentsessions.session.MessageKind;
import agentsessions.session.Plans;
import agentsessions.session.Turn;
import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.Workspace;
import agentsessions.store.message.History;
import agentsessions.store.message.NumberedPages;
import agentsessions.table.TimeOrderedIds;
import agentsessions.testing.SettableClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/// A session with as many plans as one may have goes on: a new plan becomes a file, and the
/// transcript says so.
class FullRegisterTest {
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final EnumSet<MessageKind> ALL = EnumSet.allOf(MessageKind.class);

  private final InMemoryTable table = new InMemoryTable(InMemoryAws.TABLE);
  private final SettableClock clock = new SettableClock();
  private final InMemoryAws aws =
      InMemoryAws.of(table, new InMemoryBucket(), new NoMachine(), clock);
  private final Turn turn = aws.claimed();

  @Test
  void theNextPlanIsAFileAndALineSaysSo() {
    fillWith("/workspace/PLAN.md");
    assertEquals(1, aws.events().append(turn, 0, List.of(said("before"))).orElseThrow());
    assertTrue(
        aws.endings()
            .end(load(), ending("/workspace/PLAN.md", "/workspace/plans/new.md"), plans()));
    assertEquals(List.of("plan", "file"), recorded().stream().map(Artifact::kind).toList());
    assertEquals(Plans.MAX, aws.sessions().plans(turn.key().sessionKey()).latest().size());
    String line =
        "A session keeps track of at most 10,000 plans, so recorded as files:"
            + " /workspace/plans/new.md.";
    assertEquals(List.of("hi", "before", line, "done"), texts());
    assertEquals(4, numbered().total());
    assertEquals(texts(), numbered().messages().stream().map(aws.history()::text).toList());
  }

  @Test
  void nothingIsSaidWhereAllPlansAreKnown() {
    fillWith("/workspace/PLAN.md");
    assertTrue(aws.endings().end(load(), ending("/workspace/PLAN.md"), plans()));
    assertEquals(List.of("hi", "done"), texts());
  }

  @Test
  void anEventThatCameMeanwhileIsLookedAtFirst() {
    fillWith("/workspace/PLAN.md");
    Turn seen = load();
    assertEquals(1, aws.events().append(turn, 0, List.of(said("late"))).orElseThrow());
    assertFalse(aws.endings().end(seen, ending("/workspace/plans/new.md"), plans()));
    assertTrue(aws.endings().end(load(), ending("/workspace/plans/new.md"), plans()));
    assertEquals(4, texts().size());
  }

  /// As many plans as there may be, that of this path among them.
  private void fillWith(String path) {
    Map<UUID, ArtifactId> latest = new LinkedHashMap<>();
    latest.put(Artifact.planId(turn.sessionId(), path), new ArtifactId(new UUID(0, 0)));
    for (int plan = 1; plan < Plans.MAX; plan++) {
      latest.put(new UUID(1, plan), new ArtifactId(new UUID(2, plan)));
    }
    InMemoryTable.Key key =
        new InMemoryTable.Key("W#" + WORKSPACE + "#S#" + turn.sessionId(), "0#PLANS");
    table
        .contents()
        .put(
            key,
            Map.of(
                "PK",
                AttributeValue.fromS(key.pk()),
                "SK",
                AttributeValue.fromS(key.sk()),
                "plans",
                AttributeValue.fromB(SdkBytes.fromByteBuffer(new Plans(latest).bytes()))));
  }

  private Ending ending(String... paths) {
    List<ArtifactId> ids = TimeOrderedIds.artifacts(Stamp.of(clock.instant()), paths.length);
    List<Artifact> artifacts = new ArrayList<>();
    for (int i = 0; i < paths.length; i++) {
      artifacts.add(
          new Artifact(
              ids.get(i),
              turn.key(),
              paths[i],
              Artifact.planId(turn.sessionId(), paths[i]),
              1,
              "0".repeat(64),
              "text/markdown",
              "key",
              Instant.EPOCH));
    }
    return Ending.completed("done", artifacts);
  }

  private List<Artifact> recorded() {
    return aws.artifacts().list(turn.key().sessionKey(), " ", "~", true, 100);
  }

  private List<String> texts() {
    History.Range all = new History.Range(ALL, Stamp.ZERO, load().lastStamp(), true, 100);
    return aws.history().messages(load(), all).stream().map(aws.history()::text).toList();
  }

  private NumberedPages.Page numbered() {
    return aws.pages()
        .page(
            aws.pages().counted(turn.key()).orElseThrow(),
            new NumberedPages.Wanted(ALL, true, 0, 100))
        .orElseThrow();
  }

  private static TurnEvents.Event said(String text) {
    return new TurnEvents.Event(MessageKind.PROGRESS, text);
  }

  private Plans plans() {
    return aws.sessions().plans(turn.key().sessionKey());
  }

  private Turn load() {
    return aws.turns().load(turn.key()).orElseThrow();
  }
}
