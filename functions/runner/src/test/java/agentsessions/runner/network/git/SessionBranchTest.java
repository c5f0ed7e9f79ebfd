package agentsessions.runner.network.git;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// The decision on pushes, by the recorded commits and the host's refs.
class SessionBranchTest {
  private static final String REF = "refs/heads/agent/work";
  private static final String NONE = "0".repeat(40);
  private static final String ONE = "1".repeat(40);
  private static final String TWO = "2".repeat(40);
  private static final String THREE = "3".repeat(40);
  private static final String FOREIGN = "the branch has commits that are not this session's";

  private final List<String> recorded = new ArrayList<>();
  private final SessionBranch branch =
      new SessionBranch("agent/work", false, List.of(ONE), recorded::add, Optional.empty());

  @Test
  void aCommitOfATurnBeforeMayBeReplacedWhereItIsTheHead() {
    assertEquals(Optional.of(FOREIGN), refusal(ONE, TWO, head(TWO)));
    assertEquals(Optional.of(FOREIGN), refusal(ONE, TWO, head("")));
    assertEquals(List.of(), recorded);
    assertEquals(Optional.empty(), refusal(ONE, TWO, head(ONE)));
    assertEquals(List.of(TWO), recorded);
  }

  @Test
  void aConfirmedCommitMayBeReplacedThoughTheHostNamesAnOlderHead() {
    assertEquals(Optional.empty(), refusal(ONE, TWO, head(ONE)));
    assertEquals(Optional.of(FOREIGN), refusal(TWO, ONE, head(ONE)));
    branch.confirm(TWO);
    assertEquals(Optional.empty(), refusal(TWO, ONE, head(ONE)));
  }

  @Test
  void aRefusedCommitIsForgottenUnlessItWasOnRecordBefore() {
    assertEquals(Optional.empty(), refusal(ONE, TWO, head(ONE)));
    branch.forget(TWO);
    branch.forget(ONE);
    assertEquals(Set.of(ONE), branch.own());
    assertEquals(Optional.of(FOREIGN), refusal(TWO, ONE, head(TWO)));
  }

  @Test
  void aCommitThatTheHostHasGoesOutOnlyIfItIsOurs() {
    RefAdvertisement there = new RefAdvertisement(Optional.empty(), Optional.empty(), true);
    assertTrue(refusal(NONE, TWO, there).orElseThrow().contains("already"));
    assertEquals(Optional.empty(), refusal(NONE, ONE, there));
    assertEquals(List.of(), recorded);
  }

  @Test
  void nothingGoesOutToAHostThatDoesNotSayWhatItHas() {
    Optional<String> refusal =
        branch.refusal(
            push(NONE, TWO),
            _ -> {
              throw new IOException("it is silent");
            },
            NO_COMMITS);
    assertTrue(refusal.orElseThrow().contains("does not say which refs"), refusal::toString);
    assertEquals(List.of(), recorded);
  }

  @Test
  void onlyTheCommitThatIsExpectedGoesOut() {
    branch.expect(ONE, TWO);
    assertTrue(refusal(NONE, THREE, commit(ONE, TWO)).isEmpty());
    for (SessionBranch.Commit other :
        List.of(commit(TWO, TWO), commit(ONE, ONE), commit(ONE), commit(ONE, TWO, ONE))) {
      assertTrue(refusal(NONE, THREE, other).orElseThrow().contains("a person has allowed"));
    }
  }

  private static SessionBranch.Commit commit(String tree, String... parents) {
    return new SessionBranch.Commit(tree, List.of(parents));
  }

  private Optional<String> refusal(String from, String to, SessionBranch.Commit commit) {
    SessionBranch.History history =
        new SessionBranch.History() {
          @Override
          public boolean descends(String one, String other) {
            return false;
          }

          @Override
          public Optional<SessionBranch.Commit> commit(String id) {
            return Optional.of(commit).filter(_ -> id.equals(to));
          }
        };
    return branch.refusal(push(from, to), _ -> head(""), history);
  }

  private static final SessionBranch.History NO_COMMITS =
      new SessionBranch.History() {
        @Override
        public boolean descends(String from, String to) {
          return false;
        }

        @Override
        public Optional<SessionBranch.Commit> commit(String id) {
          return Optional.empty();
        }
      };

  private Optional<String> refusal(String from, String to, RefAdvertisement host) {
    return branch.refusal(push(from, to), _ -> host, NO_COMMITS);
  }

  private static PushRequest push(String from, String to) {
    return new PushRequest(new byte[0], from, to, REF, Set.of());
  }

  private static RefAdvertisement head(String commit) {
    Optional<String> head = Optional.of(commit).filter(id -> !id.isEmpty());
    return new RefAdvertisement(Optional.of("refs/heads/main"), head, false);
  }
}
