package agentsessions.runner.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.runner.Bench;
import agentsessions.testing.GitHost;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Turns with a repository, from clone to patch and push, with real git on both sides.
class RepositoriesTest {
  @TempDir Path folder;
  private GitHost host;
  private Path bare;
  private Bench bench;
  private ObjectNode repository;

  @BeforeEach
  void open() throws IOException {
    host = new GitHost(folder.resolve("host"));
    bare = host.create("team/app.git");
    Path seed = Files.createDirectory(folder.resolve("seed"));
    GitHost.script(
        seed,
        """
        git init -q -b main; echo one > file; mkdir plans; echo base > plans/base.md; git add .
        git commit -qm one; git tag v1; echo two > file; git commit -qam two
        git push -q %s main v1 main:refs/heads/other
        """
            .formatted(bare));
    bench = Bench.sandboxed(folder.resolve("bench"));
    repository = Bench.repository(host);
    bench.claim(repository);
  }

  @AfterEach
  void close() {
    if (bench != null) {
      bench.close();
    }
    host.close();
  }

  @Test
  void agentStartsInTheCloneAndNeverSeesTheCredential() throws IOException {
    JsonNode result = bench.run("pwd; cat file; git status --short --branch; cat .git/config; env");
    String reply = result.path("reply").asText();
    assertTrue(reply.startsWith("/workspace/app\ntwo\n## main...origin/main\n"), result::toString);
    assertFalse(reply.contains(GitHost.PASSWORD), reply);
    JsonNode report = result.at("/repositories/0");
    assertEquals(head("main"), report.path("base_commit").asText());
    assertEquals(head("main"), report.path("head_commit").asText());
    assertEquals("main", report.path("branch").asText());
    assertTrue(report.path("patch_key").isNull(), report::toString);
    assertEquals(0, result.path("artifacts").size(), result::toString);
  }

  @Test
  void secondTurnDoesNotCloneAgain() throws IOException {
    bench.run("echo x >> file");
    int asked = host.requests().size();
    assertEquals("two\nx", bench.run("cat file").path("reply").asText());
    assertEquals(asked, host.requests().size());
  }

  @Test
  void patchIsAnArtifactAndEqualToTheLastNotStoredAgain() throws IOException {
    JsonNode result = bench.run("echo three >> file; echo new > 'a b'; rm plans/base.md");
    JsonNode report = result.at("/repositories/0");
    assertEquals(3, report.path("files_changed").asInt(), report::toString);
    assertEquals(2, report.path("additions").asInt());
    assertEquals(1, report.path("deletions").asInt());
    JsonNode artifact = result.at("/artifacts/0");
    assertEquals("/home/agent/patches/app-1.diff", artifact.path("path").asText());
    assertEquals("text/x-diff", artifact.path("mime_type").asText());
    assertEquals(artifact.path("key"), report.path("patch_key"));
    assertEquals(artifact.path("sha256"), report.path("patch_sha256"));
    assertEquals(1, result.path("artifacts").size(), result::toString);
    repository.put("patch_sha256", report.path("patch_sha256").asText());
    JsonNode again = bench.run("true");
    assertEquals(0, again.path("artifacts").size());
    assertEquals(report.path("patch_sha256"), again.at("/repositories/0/patch_sha256"));
    assertTrue(again.at("/repositories/0/patch_key").isNull());
  }

  @Test
  void failedTurnHasItsPatchAndAnInterruptedOnesIsInTheNext() throws IOException {
    JsonNode failed = bench.run("echo x > made; exit 3");
    assertEquals(1, failed.at("/repositories/0/files_changed").asInt(), failed::toString);
    bench.interrupt("touch made2 ../ready; sleep 60");
    assertEquals(2, bench.run("true").at("/repositories/0/files_changed").asInt());
  }

  @Test
  void lookingLeavesTheAgentsRepositoryAsItWas() throws IOException {
    String state =
        "git stash list; git rev-parse HEAD; git diff --cached --stat; cat .git/config | sha256sum;"
            + " find .git -type f | sort | xargs ls -l --time-style=full-iso | sha256sum";
    bench.run(
        "echo s > stashed; git add stashed; git stash -q; echo i > staged; git add staged; echo u > untracked");
    String before = bench.run(state).path("reply").asText();
    assertEquals(before, bench.run(state).path("reply").asText());
    assertTrue(before.contains("staged"), before);
  }

  @Test
  void refIsACommitElseABranchBeforeATag() throws IOException {
    GitHost.script(bare, "git branch same v1; git tag same main");
    repository.put("ref", "same");
    assertEquals("one", bench.run("cat file").path("reply").asText());
    try (Bench tag = again()) {
      repository.put("ref", "v1");
      assertEquals(
          "one\nHEAD", tag.run("cat file; git rev-parse --abbrev-ref HEAD").path("reply").asText());
    }
    try (Bench commit = again()) {
      repository.put("ref", head("v1^{commit}")).put("depth", 1);
      assertEquals("one", commit.run("cat file").path("reply").asText());
    }
  }

  @Test
  void wrongCredentialAndUnknownRefFailTheTurnInGitsWords() throws IOException {
    repository.put("ref", "nowhere");
    JsonNode result = bench.run("true");
    assertEquals("REPOSITORY_UNAVAILABLE", result.at("/error/code").asText(), result::toString);
    assertTrue(result.at("/error/message").asText().contains("Remote branch nowhere not found"));
    repository.putNull("ref");
    repository.withObject("/credential").put("password", "wrong");
    String message = bench.run("true").at("/error/message").asText();
    assertTrue(message.contains(host.url("team/app.git")), message);
    assertTrue(message.contains("refused the credential"), message);
    assertFalse(message.contains("18081"), message);
    repository.withObject("/credential").put("password", GitHost.PASSWORD);
    assertEquals("two", bench.run("cat file").path("reply").asText());
  }

  @Test
  void plansOfTheBaseAreNoneAndOthersAre() throws IOException {
    JsonNode result =
        bench.run("touch plans/base.md; echo p > PLAN.md; echo mine > plans/mine.md; echo f > f");
    assertEquals("/workspace/app/PLAN.md /workspace/app/plans/mine.md", paths(result, "plan"));
    bench.run("echo changed > plans/base.md");
    assertEquals("/workspace/app/plans/base.md", paths(bench.service.result(), "plan"));
    assertEquals("", paths(bench.run("echo base > plans/base.md"), "plan"));
  }

  @Test
  void jobPushesTheLastPatchOnlyAndRunsNoAgent() throws IOException {
    JsonNode last = bench.run("echo three >> file").at("/repositories/0");
    push();
    bench.work.put("job", true);
    repository.put("patch_sha256", "0".repeat(64));
    JsonNode refused = bench.run("A subject").at("/repositories/0");
    assertEquals("PUSH_REFUSED", refused.at("/error/code").asText(), refused::toString);
    repository.set("patch_sha256", last.path("patch_sha256"));
    JsonNode result = bench.run("A subject");
    assertEquals("completed", result.path("outcome").asText(), result::toString);
    assertEquals("", result.path("reply").asText());
    JsonNode report = result.at("/repositories/0");
    assertEquals(head("agent/work"), report.at("/pushed/commit").asText(), report::toString);
    assertEquals("A subject", GitHost.script(bare, "git log -1 --format=%s agent/work").strip());
    assertEquals("three", GitHost.script(bare, "git show agent/work:file | tail -1").strip());
    assertEquals(List.of(), bench.service.events());
  }

  @Test
  void completedTurnIsPushedAsOneCommitAndHeadStays() throws IOException {
    push();
    JsonNode result = bench.run("echo pushed > file; git rev-parse HEAD");
    JsonNode report = result.at("/repositories/0");
    assertEquals("agent/work", report.at("/pushed/branch").asText(), report::toString);
    assertEquals(head("agent/work"), report.at("/pushed/commit").asText());
    assertEquals(head("main"), result.path("reply").asText());
    assertEquals(head("main"), head("agent/work^"));
    assertEquals(
        "shell echo pushed > file; git rev-parse HEAD",
        GitHost.script(bare, "git log -1 --format='%an %s' agent/work").strip());
    assertEquals("pushed", GitHost.script(bare, "git show agent/work:file").strip());
    assertEquals(1, bench.service.calls("commits"));
    repository.withArray("pushed").add(head("agent/work"));
    JsonNode next = bench.run("echo again > file; git commit -qam mine");
    assertEquals("again", GitHost.script(bare, "git show agent/work:file").strip(), next::toString);
    assertEquals("mine", GitHost.script(bare, "git log -1 --format=%s agent/work").strip());
  }

  @Test
  void failedTurnAndUnchangedRepositoryAreNotPushed() throws IOException {
    push();
    bench.run("echo x > file; exit 1");
    assertEquals("", head("agent/work"));
    bench.run("git checkout -q file");
    assertEquals("", head("agent/work"));
  }

  @Test
  void lostAnswerOfAPushIsFoundOut() throws IOException {
    push();
    host.loseNextAnswer();
    JsonNode report = bench.run("echo x > file").at("/repositories/0");
    assertEquals(head("agent/work"), report.at("/pushed/commit").asText(), report::toString);
    assertTrue(report.path("error").isNull(), report::toString);
  }

  @Test
  void branchWithCommitsOfOthersIsLeftAlone() throws IOException {
    push();
    bench.run("true");
    GitHost.script(bare, "git branch agent/work v1");
    JsonNode report = bench.run("echo x > file").at("/repositories/0");
    assertEquals("PUSH_REFUSED", report.at("/error/code").asText(), report::toString);
    String why = "commits that are not this session's";
    assertTrue(
        bench.said().contains("PUSH_REFUSED in app: The branch agent/work has " + why),
        bench::said);
    assertEquals(head("v1^{commit}"), head("agent/work"));
    assertTrue(report.path("patch_key").isTextual(), report::toString);
    repository.withObject("/push").put("branch", "main");
    report = bench.run("echo y > file").at("/repositories/0");
    assertTrue(report.at("/error/message").asText().contains("default branch"), report::toString);
  }

  @Test
  void branchOfOthersIsRefusedAtTheCloneUnlessItIsAdopted() throws IOException {
    push("other", false);
    JsonNode result = bench.run("cat file");
    assertEquals("REPOSITORY_UNAVAILABLE", result.at("/error/code").asText(), result::toString);
    assertEquals("BRANCH_EXISTS", result.at("/repositories/0/error/code").asText());
    push("other", true);
    result = bench.run("cat file");
    assertEquals("two", result.path("reply").asText(), result::toString);
    assertTrue(result.at("/repositories/0/error").isNull(), result::toString);
  }

  @Test
  void defaultBranchIsRefusedAtTheCloneThoughItIsAdopted() throws IOException {
    repository.put("patch_sha256", "a".repeat(64));
    push("main", true);
    JsonNode result = bench.run("cat file");
    assertEquals("REPOSITORY_UNAVAILABLE", result.at("/error/code").asText(), result::toString);
    JsonNode report = result.at("/repositories/0");
    assertEquals("DEFAULT_BRANCH", report.at("/error/code").asText(), report::toString);
    assertEquals("a".repeat(64), report.path("patch_sha256").asText(), "the patch is lost");
    assertFalse(Files.exists(folder.resolve("bench/app")), "it was cloned");
  }

  @Test
  void branchThatAHostMovedIsFoundAtTheClone() throws IOException {
    push("other", false);
    repository.put("url", host.url("team/app"));
    host.redirect("/team/app", "/team/app.git");
    JsonNode result = bench.run("cat file");
    assertEquals("BRANCH_EXISTS", result.at("/repositories/0/error/code").asText());
  }

  @Test
  void adoptedBranchIsMovedForwardTurnByTurn() throws IOException {
    push("other", true);
    String first = head("other");
    JsonNode turn = bench.run("echo three > file").at("/repositories/0");
    assertEquals(head("other"), turn.at("/pushed/commit").asText(), turn::toString);
    assertEquals(first, head("other^"));
    recorded();
    turn = bench.run("echo four > file").at("/repositories/0");
    assertEquals(turn.at("/pushed/commit").asText(), head("other"), turn::toString);
    assertEquals(first, head("other~2"));
    recorded();
    turn = bench.run("echo five > file; git commit -qam mine").at("/repositories/0");
    assertEquals(turn.at("/pushed/commit").asText(), head("other"), turn::toString);
    assertEquals(turn.path("head_commit").asText(), head("other^2"));
    assertEquals("five", GitHost.script(bare, "git show other:file").strip());
    assertEquals(first, head("other~3"));
    try (Bench lost = again()) {
      recorded();
      lost.run("echo six > file");
      assertEquals("five", GitHost.script(bare, "git show other^:file").strip());
    }
  }

  @Test
  void adoptedBranchThatIsNotCheckedOutIsLeftAlone() throws IOException {
    GitHost.script(
        folder.resolve("seed"),
        "echo theirs > file; git commit -qam theirs; git push -q %s HEAD:coworker".formatted(bare));
    String theirs = head("coworker");
    push("coworker", true);
    JsonNode error = bench.run("echo x > file").at("/repositories/0/error");
    assertEquals("PUSH_REFUSED", error.path("code").asText());
    assertTrue(error.path("message").asText().contains("does not follow"), error::toString);
    assertEquals(theirs, head("coworker"));
  }

  /// Commits that others push to an adopted branch after the clone are not adopted.
  @Test
  void commitsOfOthersOnAnAdoptedBranchAreLeftAlone() throws IOException {
    push("other", true);
    bench.run("true");
    GitHost.script(
        folder.resolve("seed"),
        "echo later > file; git commit -qam later; git push -q %s HEAD:other".formatted(bare));
    String theirs = head("other");
    JsonNode error = bench.run("echo x > file").at("/repositories/0/error");
    assertTrue(error.path("message").asText().contains("not this session's"), error::toString);
    assertEquals(theirs, head("other"));
  }

  @Test
  void pushThatFailsIsSaidInTheTranscriptWithTheAddressThatTheClientKnows() throws IOException {
    push();
    GitHost.script(
        bare,
        "printf '#!/bin/sh\\necho no room for %s >&2; exit 1' > hooks/pre-receive; chmod +x hooks/*"
            .formatted(GitHost.PASSWORD));
    bench.mask(GitHost.PASSWORD);
    JsonNode error = bench.run("echo x > file").at("/repositories/0/error");
    assertEquals("PUSH_REFUSED", error.path("code").asText());
    assertTrue(error.path("message").asText().contains(host.url("team/app.git")), error::toString);
    assertFalse(error.toString().contains("18081"), error::toString);
    assertTrue(error.path("message").asText().contains("no room for ***"), error::toString);
    assertTrue(bench.said().contains("PUSH_REFUSED in app: The changes could not"), bench::said);
  }

  @Test
  void whatIsPushedIsSaidThoughItCannotBeRecorded() throws IOException {
    push();
    bench.run("true");
    Files.createDirectories(bench.sandboxes.resolve(bench.sessionId).resolve("repositories.new"));
    JsonNode report = bench.run("echo x > file").at("/repositories/0");
    assertEquals(head("agent/work"), report.at("/pushed/commit").asText(), report::toString);
    Files.delete(bench.sandboxes.resolve(bench.sessionId).resolve("repositories.new"));
    repository.withArray("pushed").add(head("agent/work"));
    report = bench.run("echo y > file").at("/repositories/0");
    assertEquals(head("agent/work"), report.at("/pushed/commit").asText(), report::toString);
    assertEquals("y", GitHost.script(bare, "git show agent/work:file").strip());
  }

  @Test
  void nothingIsPushedWhereTheSessionsPermissionsForbidIt() throws IOException {
    push();
    ObjectNode rule = rule("deny");
    JsonNode turn =
        bench.run(
            "echo x > file; git commit -qam mine; git push origin HEAD:agent/work 2>&1 || true");
    String why = "The permissions of this session do not allow a push (rule 1).";
    assertTrue(turn.path("reply").asText().contains(why), turn::toString);
    assertEquals(
        "PUSH_REFUSED " + why,
        turn.at("/repositories/0/error/code").asText()
            + " "
            + turn.at("/repositories/0/error/message").asText());
    assertTrue(turn.at("/repositories/0/pushed").isNull(), turn::toString);
    assertEquals("", GitHost.script(bare, "git branch --list agent/work").strip());
    rule.put("match", "*/team/other.git");
    assertEquals("agent/work", bench.run("true").at("/repositories/0/pushed/branch").asText());
  }

  /// An agent that gets around its hook pushes no more than the end of its turn does.
  @Test
  void nothingIsPushedByATurnThatOnlyPlans() throws IOException {
    push();
    plan();
    String past = "echo x > file; git commit -qam mine; git push origin HEAD:agent/work 2>&1; true";
    bench.entry.withObject("/plan").putArray("command").add("bash").add("-c").add(past);
    JsonNode turn = bench.run("true");
    String why = "This turn only plans; what it changes is pushed once the plan is approved.";
    assertTrue(turn.path("reply").asText().contains(why), turn::toString);
    assertTrue(turn.at("/repositories/0/pushed").isNull(), turn::toString);
    assertTrue(turn.at("/repositories/0/error").isNull(), turn::toString);
    assertEquals("", GitHost.script(bare, "git branch --list agent/work").strip());
    bench.work.remove("permissions");
    assertEquals("agent/work", bench.run("true").at("/repositories/0/pushed/branch").asText());
  }

  /// It runs no agent, and what it pushes was asked for.
  @Test
  void aJobIsPushedThoughItsSessionPlans() throws IOException {
    JsonNode last = bench.run("echo three >> file").at("/repositories/0");
    push();
    plan();
    bench.work.put("job", true);
    repository.set("patch_sha256", last.path("patch_sha256"));
    JsonNode report = bench.run("A subject").at("/repositories/0");
    assertEquals("agent/work", report.at("/pushed/branch").asText(), report::toString);
  }

  private void plan() {
    ObjectNode permissions = bench.work.putObject("permissions").put("default", "allow");
    permissions.putArray("rules");
    permissions.put("hold_seconds", 30).put("questions", false).put("plan", true);
  }

  @Test
  void aPushThatAPersonDecidesOnWaitsUntilItIsAllowed() throws IOException {
    push();
    ObjectNode rule = rule("ask");
    assertTrue(bench.run("true").at("/repositories/0/error").isNull(), "nothing to push");
    JsonNode turn =
        bench.run(
            "echo x > file; git commit -qam mine; git push origin HEAD:agent/work 2>&1 || true");
    String why = "A person decides on the pushes of this session, after the turn (rule 1).";
    assertTrue(turn.path("reply").asText().contains(why), turn::toString);
    assertEquals("PUSH_WAITS", turn.at("/repositories/0/error/code").asText());
    assertEquals(why, turn.at("/repositories/0/error/message").asText());
    assertEquals("", GitHost.script(bare, "git branch --list agent/work").strip());
    ((ObjectNode) repository.path("push")).put("allowed", true);
    assertEquals("agent/work", bench.run("true").at("/repositories/0/pushed/branch").asText());
    ((ObjectNode) repository.path("push")).remove("allowed");
    JsonNode same = bench.run("true").at("/repositories/0");
    assertTrue(same.path("error").isNull(), "what was pushed is not asked about again");
    ((ObjectNode) repository.path("push")).put("allowed", true);
    rule.put("policy", "deny");
    JsonNode denied = bench.run("echo y > file").at("/repositories/0/error");
    assertEquals("PUSH_REFUSED", denied.path("code").asText());
  }

  /// Nobody has seen what is only in a commit between.
  @Test
  void whatAPersonAllowsIsPushedAsOneCommit() throws IOException {
    push();
    rule("ask");
    String script =
        "echo s > unseen; git add unseen; git commit -qm one; git rm -q unseen; git commit -qm two;"
            + " echo x > file; git commit -qam three";
    JsonNode turn = bench.run(script).at("/repositories/0");
    assertEquals("PUSH_WAITS", turn.at("/error/code").asText(), turn::toString);
    ObjectNode push = (ObjectNode) repository.path("push");
    bench.keepPatch(repository, turn);
    bench.work.put("job", true);
    push.put("allowed", true);
    JsonNode pushed = bench.run("A subject").at("/repositories/0");
    assertEquals(head("agent/work"), pushed.at("/pushed/commit").asText(), pushed::toString);
    assertEquals("A subject", GitHost.script(bare, "git log --format=%s main..agent/work").strip());
    bench.work.remove("job");
    push.remove("allowed");
    JsonNode same = bench.run("true").at("/repositories/0");
    assertTrue(same.path("error").isNull(), "what was pushed is not asked about again");
    push.put("allowed", true);
    bench.run("true");
    assertEquals(pushed.at("/pushed/commit").asText(), head("agent/work"), "nothing has changed");
  }

  /// The job begins with nothing of what the agent has left.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatAPersonAllowsIsTheStoredPatchWhateverTheWorkspaceHas(boolean filters)
      throws IOException {
    GitHost.script(bare, "git config uploadpack.allowFilter " + filters);
    waiting(
        "echo x > new; git mv -f plans/base.md moved; chmod +x file; printf '\\0' > binary;"
            + " git update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,lib");
    GitHost.script(bench.work("app"), "rm -rf .git; echo y > new; rm binary");
    JsonNode pushed = bench.run("A subject").at("/repositories/0");
    assertEquals("agent/work", pushed.at("/pushed/branch").asText(), pushed::toString);
    assertEquals(repository.path("tree").asText(), head("agent/work^{tree}"));
    assertEquals(head("main"), head("agent/work^"));
    repository.withArray("pushed").add(head("agent/work"));
    JsonNode again = bench.run("A subject").at("/repositories/0");
    assertEquals(pushed.path("pushed"), again.path("pushed"), again::toString);
  }

  @Test
  void whatCannotBeReadIsNamedAndNobodyIsAskedAboutTheRest() throws IOException {
    push();
    ObjectNode rule = rule("ask");
    String closes =
        "echo s > shut; mkdir -p dark list; echo t > dark/t; echo u > list/u; mkfifo -m 600 list/p; rm file; mkfifo file;"
            + " mkdir $'dark\\377'; chmod 0 dark* shut plans; chmod 400 list";
    JsonNode turn = bench.run("echo x > seen; " + closes);
    JsonNode error = turn.at("/repositories/0/error");
    assertEquals("PUSH_REFUSED", error.path("code").asText(), turn::toString);
    for (String name : List.of("shut", "dark/", "plans/base.md", "list/u", "file")) {
      String said = "Not in the patch, since it cannot be read: app/" + name;
      assertTrue(bench.said().contains(said), () -> name + " is not in " + bench.said());
    }
    rule.put("policy", "allow");
    JsonNode pushed =
        bench.run("chmod 700 plans dark* list; chmod 600 shut; rm file").at("/repositories/0");
    assertEquals("agent/work", pushed.at("/pushed/branch").asText(), pushed::toString);
    assertEquals("s", GitHost.script(bare, "git show agent/work:shut").strip());
  }

  @ParameterizedTest
  @CsvSource({
    "tree, 11, does not give the files that were shown",
    "patch_sha256, 22, is not the one that was shown",
    "base_commit, 33, does not give the commit 33"
  })
  void whatIsNotWhatWasShownIsNotPushed(String field, String digits, String why)
      throws IOException {
    waiting("echo x > file");
    repository.put(field, digits.repeat(repository.path(field).asText().length() / 2));
    JsonNode error = bench.run("A subject").at("/repositories/0/error");
    assertEquals("PUSH_REFUSED", error.path("code").asText(), error::toString);
    assertTrue(error.path("message").asText().contains(why), error::toString);
    assertEquals("", GitHost.script(bare, "git branch --list agent/work").strip());
  }

  /// Has a push wait, and then be allowed.
  private void waiting(String script) throws IOException {
    push();
    rule("ask");
    JsonNode turn = bench.run(script).at("/repositories/0");
    assertEquals("PUSH_WAITS", turn.at("/error/code").asText(), turn::toString);
    bench.keepPatch(repository, turn);
    bench.work.put("job", true);
    ((ObjectNode) repository.path("push")).put("allowed", true);
  }

  @Test
  void whatAPersonAllowsFollowsAnAdoptedBranch() throws IOException {
    GitHost.script(
        folder.resolve("seed"),
        """
        git checkout -q -b other; mkdir -p deep/er; echo 1 > deep/er/1; echo 2 > deep/2; git add .
        git commit -qm theirs; git push -q %s other
        """
            .formatted(bare));
    push("other", true);
    repository.put("ref", "other");
    rule("ask");
    for (String words : List.of("first; echo 1 > deep/2", "second; echo 2 > deep/2")) {
      bench.work.remove("job");
      ObjectNode push = (ObjectNode) repository.path("push");
      push.remove("allowed");
      JsonNode turn = bench.run("echo >made %s; git add .; git commit -qm mine".formatted(words));
      assertEquals("PUSH_WAITS", turn.at("/repositories/0/error/code").asText(), turn::toString);
      bench.keepPatch(repository, turn.at("/repositories/0"));
      String before = head("other");
      bench.work.put("job", true);
      push.put("allowed", true);
      JsonNode pushed = bench.run("A subject").at("/repositories/0/pushed");
      assertEquals(head("other"), pushed.path("commit").asText(), pushed::toString);
      assertEquals(before, head("other^"));
      assertTrue(words.startsWith(GitHost.script(bare, "git show other:made").strip()), words);
      recorded();
    }
  }

  /// A rule for pushes to the repository.
  private ObjectNode rule(String policy) {
    ObjectNode permissions = bench.work.putObject("permissions").put("default", "allow");
    ObjectNode rule = permissions.putArray("rules").addObject().put("kind", "push");
    permissions.put("hold_seconds", 30).put("questions", false);
    return rule.put("match", "*/team/app.git").put("policy", policy);
  }

  @Test
  void agentItselfMayPushToTheBranchOnly() throws IOException {
    push();
    String reply =
        bench
            .run(
                "echo x > file; git commit -qam mine; git push origin HEAD:agent/work 2>&1 | tail -1;"
                    + " git push origin HEAD:main 2>&1 | grep rejected; git fetch origin other 2>&1 | tail -1")
            .path("reply")
            .asText();
    assertTrue(reply.contains("HEAD -> agent/work"), reply);
    assertTrue(reply.contains("this session may push to the branch agent/work only"), reply);
    assertTrue(reply.contains("other      -> FETCH_HEAD"), reply);
    assertEquals("mine", GitHost.script(bare, "git log -1 --format=%s agent/work").strip());
  }

  @Test
  void lostSandboxBeginsAtTheBaseWithThePatchOfBefore() throws IOException {
    JsonNode first = bench.run("echo kept > made; git mv file moved");
    JsonNode report = first.at("/repositories/0");
    repository.put("base_commit", report.path("base_commit").asText());
    repository.put("patch_sha256", report.path("patch_sha256").asText());
    repository.put("patch_url", bench.service.link(report.path("patch_key").asText()));
    GitHost.script(
        folder.resolve("seed"),
        "echo later > file; git commit -qam later; git push -q %s main".formatted(bare));
    try (Bench other = again()) {
      JsonNode result = other.run("cat made moved; git rev-parse --abbrev-ref HEAD");
      assertEquals("kept\ntwo\nmain", result.path("reply").asText(), result::toString);
      assertEquals(report.path("patch_sha256"), result.at("/repositories/0/patch_sha256"));
    }
  }

  @Test
  void agentWithoutASandboxFindsTheWayToo() throws IOException {
    try (Bench trusted = Bench.unconfined(folder.resolve("trusted"))) {
      trusted.claim(repository);
      push();
      JsonNode result =
          trusted.run("cat file; git fetch origin other && echo fetched; echo t > file");
      assertEquals("two\nfetched", result.path("reply").asText(), result::toString);
      assertEquals("t", GitHost.script(bare, "git show agent/work:file").strip());
    }
  }

  /// Another session with the same repository.
  private Bench again() throws IOException {
    Bench other = Bench.sandboxed(Files.createTempDirectory(folder, "bench"));
    other.claim(repository);
    return other;
  }

  private void push() {
    push("agent/work", false);
  }

  private void push(String branch, boolean adopt) {
    ObjectNode push = repository.putObject("push").put("branch", branch).put("adopt", adopt);
    Stream.of("base", "provider", "pull_request", "pull_request_url").forEach(push::putNull);
  }

  /// As the service does with recorded pushes.
  private void recorded() {
    repository.withArray("pushed").add(head("other"));
  }

  private String head(String ref) {
    return GitHost.script(bare, "git rev-parse -q --verify '%s' || true".formatted(ref)).strip();
  }

  private static String paths(JsonNode result, String kind) {
    StringBuilder found = new StringBuilder();
    result
        .path("artifacts")
        .forEach(artifact -> {
          if (artifact.path("kind").asText().equals(kind)) {
            found.append(artifact.path("path").asText()).append(' ');
          }
        });
    return found.toString().strip();
  }
}
