package agentsessions.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import agentsessions.session.Artifact;
import agentsessions.session.Refusal;
import agentsessions.session.Turn;
import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.session.id.Workspace;
import agentsessions.session.repository.Repository;
import agentsessions.wire.RepositoryReport;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RepositoryReportsTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_000);
  private static final String COMMIT = "0123456789".repeat(4);
  private static final String TREE = "7e".repeat(20);
  private static final String SHA256 = "ab".repeat(32);
  private static final TurnKey TURN =
      new SessionKey(new Workspace("w"), new SessionId(new UUID(1, 1)))
          .turn(new TurnId(new UUID(2, 2)));
  private static final Artifact PATCH =
      new Artifact(
          new ArtifactId(new UUID(3, 3)),
          TURN,
          "/home/agent/patches/app-1.diff",
          null,
          1,
          SHA256,
          "text/x-diff",
          "artifacts/patch",
          NOW);
  private static final Repository FRESH =
      new Repository(
          "https://git.example.com/app",
          "main",
          "app",
          null,
          null,
          null,
          Repository.Changes.NONE,
          null,
          null,
          null,
          null);
  private static final Repository KNOWN =
      new Repository(
          "https://git.example.com/app",
          "main",
          "app",
          COMMIT,
          COMMIT,
          "main",
          new Repository.Changes(1, 1, 1),
          new Repository.Patch(PATCH.id(), PATCH.objectKey(), SHA256, TREE),
          new Repository.Pushed("agent/x", COMMIT, Instant.EPOCH),
          "https://git.example.com/app/1",
          new Repository.Fault("PUSH_REFUSED", "no"));

  @Test
  void withoutAReportAllStaysAsItWas() {
    assertEquals(List.of(KNOWN), merged(KNOWN, null));
    assertEquals(List.of(KNOWN), merged(KNOWN, List.of()));
  }

  @Test
  void whatIsReportedIsTaken() {
    Repository after =
        new Repository(
            FRESH.url(),
            FRESH.ref(),
            FRESH.path(),
            COMMIT,
            COMMIT,
            "main",
            new Repository.Changes(1, 2, 3),
            new Repository.Patch(PATCH.id(), PATCH.objectKey(), SHA256, TREE),
            new Repository.Pushed("agent/x", COMMIT, NOW),
            "https://git.example.com/app/1",
            new Repository.Fault("PUSH_REFUSED", "no"));
    assertEquals(
        List.of(after),
        merged(
            FRESH,
            List.of(
                new RepositoryReport(
                    1,
                    COMMIT,
                    COMMIT,
                    "main",
                    1,
                    2,
                    3,
                    PATCH.objectKey(),
                    SHA256,
                    TREE,
                    new RepositoryReport.Pushed("agent/x", COMMIT),
                    "https://git.example.com/app/1",
                    new RepositoryReport.Fault("PUSH_REFUSED", "no")))));
  }

  @Test
  void thePatchThatStillHoldsKeepsItsArtifact() {
    assertEquals(KNOWN.patch(), merged(KNOWN, report(null, SHA256)).getFirst().patch());
    assertEquals(null, merged(KNOWN, report(null, null)).getFirst().patch());
    assertEquals(null, merged(KNOWN, report(null, "cd".repeat(32))).getFirst().patch());
  }

  @Test
  void whatWasPushedBeforeIsKeptAndAFaultIsNot() {
    Repository after = merged(KNOWN, report(null, SHA256)).getFirst();
    assertEquals(KNOWN.pushed(), after.pushed());
    assertEquals(KNOWN.pullRequestUrl(), after.pullRequestUrl());
    assertEquals(KNOWN.baseCommit(), after.baseCommit());
    assertEquals(null, after.fault());
  }

  @Test
  void aPushKeepsItsTimeUntilTheBranchMoves() {
    assertEquals(KNOWN.pushed(), merged(KNOWN, pushed("agent/x", COMMIT)).getFirst().pushed());
    String next = "9876543210".repeat(4);
    assertEquals(
        new Repository.Pushed("agent/x", next, NOW),
        merged(KNOWN, pushed("agent/x", next)).getFirst().pushed());
    assertEquals(
        new Repository.Pushed("agent/y", COMMIT, NOW),
        merged(KNOWN, pushed("agent/y", COMMIT)).getFirst().pushed());
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThrows(Refusal.class, () -> merged(KNOWN, report("artifacts/other", SHA256)));
    assertThrows(Refusal.class, () -> merged(KNOWN, List.of(numbered(2, COMMIT))));
    assertThrows(Refusal.class, () -> merged(KNOWN, List.of(numbered(0, COMMIT))));
    assertThrows(Refusal.class, () -> merged(KNOWN, List.of(numbered(null, COMMIT))));
    assertThrows(Refusal.class, () -> merged(KNOWN, List.of(numbered(1, "main"))));
  }

  private static List<RepositoryReport> report(@Nullable String key, @Nullable String sha256) {
    return List.of(
        new RepositoryReport(1, null, null, null, 0, 0, 0, key, sha256, TREE, null, null, null));
  }

  private static List<RepositoryReport> pushed(String branch, String commit) {
    return List.of(
        new RepositoryReport(
            1,
            null,
            null,
            null,
            0,
            0,
            0,
            null,
            null,
            null,
            new RepositoryReport.Pushed(branch, commit),
            null,
            null));
  }

  private static RepositoryReport numbered(@Nullable Integer number, String head) {
    return new RepositoryReport(
        number, null, head, null, null, null, null, null, null, null, null, null, null);
  }

  private static List<Repository> merged(
      Repository before, @Nullable List<RepositoryReport> reports) {
    Turn turn =
        new Turn(
            TURN,
            "shell",
            1,
            "http://service",
            new Turn.Stamps(Stamp.ZERO, Stamp.ZERO, Stamp.ZERO),
            Turn.Counts.NONE,
            1,
            1,
            new Turn.Work(null, List.of(before), true, false, false, null, false, null),
            new Turn.State.Queued(NOW, 0, false, null),
            Turn.Account.open("key"));
    return new RepositoryReports(turn, List.of(PATCH), NOW).merged(reports);
  }
}
