package agentsessions.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.Workspace;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PlansTest {
  private static final SessionId SESSION = new SessionId(new UUID(1, 1));

  @Property(tries = 200, seed = "1")
  void plansSurviveTheirStoredForm(@ForAll @Size(max = 50) List<Long> seeds) {
    Map<UUID, ArtifactId> latest = new LinkedHashMap<>();
    seeds.forEach(seed -> latest.put(new UUID(seed, ~seed), new ArtifactId(new UUID(~seed, seed))));
    Plans plans = new Plans(latest);
    assertEquals(plans.artifactIds(), Plans.read(plans.bytes()).artifactIds());
    assertEquals(plans, Plans.read(plans.bytes()));
    assertEquals(32 * latest.size(), plans.bytes().remaining());
  }

  @Test
  void aRewrittenPlanKeepsItsPlace() {
    Plans plans =
        Plans.NONE
            .with(List.of(plan("/workspace/A.md", 1), plan("/workspace/B.md", 2)))
            .with(List.of(plan("/workspace/A.md", 3)));
    assertEquals(List.of(artifact(3), artifact(2)), plans.artifactIds());
  }

  @Test
  void aNewPlanComesLast() {
    Plans plans =
        Plans.NONE
            .with(List.of(plan("/workspace/B.md", 1)))
            .with(List.of(plan("/workspace/A.md", 2)));
    assertEquals(artifact(2), plans.artifactIds().getLast());
  }

  @Test
  void aFileIsNoPlan() {
    assertEquals(Plans.NONE, Plans.NONE.with(List.of(captured("/workspace/a.txt", 1, null))));
  }

  @Test
  void aPlanIsItsPathInItsSession() {
    UUID plan = Artifact.planId(SESSION, "/workspace/PLAN.md");
    assertEquals(plan, Artifact.planId(SESSION, "/workspace/PLAN.md"));
    assertNotEquals(plan, Artifact.planId(SESSION, "/workspace/plan.md"));
    assertNotEquals(plan, Artifact.planId(new SessionId(new UUID(1, 2)), "/workspace/PLAN.md"));
  }

  @Test
  void aFullRecordTakesOnlyThePlansItKnows() {
    Map<UUID, ArtifactId> many = new LinkedHashMap<>();
    for (int i = 0; i < Plans.MAX; i++) {
      many.put(new UUID(0, i), artifact(i));
    }
    Plans full = new Plans(many);
    assertTrue(full.hasRoomFor(new UUID(0, 1)));
    assertFalse(full.hasRoomFor(new UUID(1, 1)));
    assertTrue(full.bytes().remaining() < 400_000);
  }

  @Test
  void aNewPlanThatFindsNoRoomIsAFile() {
    Map<UUID, ArtifactId> many = new LinkedHashMap<>();
    for (int i = 0; i < Plans.MAX - 1; i++) {
      many.put(new UUID(0, i), artifact(i));
    }
    List<Artifact> fitting =
        new Plans(many).fitting(List.of(plan("/a", 1), plan("/b", 2), plan("/a", 3)));
    assertEquals(List.of("plan", "file", "plan"), fitting.stream().map(Artifact::kind).toList());
    assertEquals(Plans.MAX, new Plans(many).with(fitting).latest().size());
  }

  private static Artifact plan(String path, int number) {
    return captured(path, number, Artifact.planId(SESSION, path));
  }

  private static Artifact captured(String path, int number, @Nullable UUID planId) {
    return new Artifact(
        artifact(number),
        new SessionKey(new Workspace("w"), SESSION).turn(new TurnId(new UUID(2, 2))),
        path,
        planId,
        1,
        "",
        "text/plain",
        "key",
        Instant.EPOCH);
  }

  private static ArtifactId artifact(int number) {
    return new ArtifactId(new UUID(9, number));
  }
}
