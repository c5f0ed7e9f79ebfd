package agentsessions.runner.agent.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.rule.Wildcard;
import agentsessions.runner.agent.Json;
import agentsessions.runner.agent.tool.PermissionRules.Policy;
import agentsessions.wire.Work;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The rules of permissions, and the comparison of what has run with what was allowed.
class ToolRulesTest {
  private static final Path WORKSPACE = Path.of("/workspace");

  @TempDir Path workspace;

  /// A number for which there is no canonical JSON.
  private static final String HUGE = "1" + "0".repeat(400);

  private static final ToolConsent NOBODY =
      new ToolConsent() {
        @Override
        public PendingVerdict question(String kind, AgentToolCall call) {
          return () -> Verdict.denied(kind + " by " + call.name());
        }

        @Override
        public PendingVerdict answers(AgentToolCall call) {
          AgentQuestions _ = AgentQuestions.of(call.input(), UnaryOperator.identity());
          return () -> Verdict.denied("by " + call.name());
        }

        @Override
        public boolean notes(AgentToolCall call, Verdict verdict) {
          return true;
        }

        @Override
        public void answered(Verdict verdict, boolean heard) {}
      };

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          '', '', true
          '', a, false
          *, '', true
          *, a/b, true
          a, a, true
          a, ab, false
          a*, ab/c, true
          *c, ab/c, true
          a*a, a, false
          a*a, aa, true
          *ab*ab*, ab, false
          *ab*ab*, xabyabz, true
          a*b*c, acb, false
          a?, ab, false
          a**, b, false
          a*x**, ab, false
          a**, ab, true
          """)
  void aStarStandsForAnyText(String pattern, String text, boolean matches) {
    assertEquals(matches, Wildcard.of(pattern).matches(text));
  }

  /// With a search that goes back, this one would take longer than the tests.
  @Test
  void manyStarsCostNoMore() {
    assertFalse(Wildcard.of("*a".repeat(100) + "b*").matches("a".repeat(1_000_000)));
  }

  @Test
  void theFirstRuleThatFitsHolds() throws JsonProcessingException {
    Work.Permissions permissions =
        Json.MAPPER.readValue(
            """
            {"default": "deny", "rules": [
              {"kind": "read", "policy": "allow"},
              {"tool": "Bash", "match": "{\\"command\\":\\"git *", "policy": "allow"},
              {"tool": "Ba*", "policy": "deny"},
              {"kind": "edit", "policy": "later"}]}
            """,
            Work.Permissions.class);
    PermissionRules rules = PermissionRules.of(permissions);
    assertEquals(Policy.ALLOW, rules.judge(List.of("read"), call("Read", "{}")).policy());
    assertEquals(
        Policy.ALLOW,
        rules
            .judge(List.of("execute"), call("Bash", "{\"timeout\":1.0,\"command\":\"git log\"}"))
            .policy());
    assertEquals(
        "The permissions of this session do not allow this call of Bash (rule 3, kind execute).",
        rules.judge(List.of("execute"), call("Bash", "{\"command\":\"rm x\"}")).reason());
    assertEquals(
        "The permissions of this session do not allow this call of Web (the default, kind other).",
        rules.judge(List.of("other"), call("Web", "{}")).reason());
    assertEquals(
        Policy.DENY, rules.judge(List.of("edit"), call("Edit", "{}")).policy(), "not known");
  }

  @ParameterizedTest
  @CsvSource({
    "read, ALLOW, read",
    "read move, ASK, move",
    "fetch read move, ASK, fetch",
    "move fetch, ASK, move",
    "read move delete, DENY, delete"
  })
  void theStrictestKindHolds(String kinds, Policy policy, String kind)
      throws JsonProcessingException {
    PermissionRules rules =
        PermissionRules.of(
            Json.MAPPER.readValue(
                """
                {"default": "deny", "rules": [
                  {"kind": "read", "policy": "allow"},
                  {"kind": "move", "policy": "ask"},
                  {"kind": "fetch", "policy": "ask"}]}
                """,
                Work.Permissions.class));
    PermissionRules.Ruling ruling = rules.judge(List.of(kinds.split(" ")), call("patch", "{}"));
    assertEquals(policy + " " + kind, ruling.policy() + " " + ruling.kind());
  }

  @Test
  void aPatchIsOfEachKindThatItsTextSays() throws JsonProcessingException {
    assertEquals(List.of("edit"), kinds("apply_patch", "\"*** Add File: a\""));
    assertEquals(
        List.of("edit", "delete", "move"),
        kinds("apply_patch", "{\"p\":\"*** Delete File: a\\n*** Move to: b\"}"));
    assertEquals(List.of("fetch"), kinds("mcp__web__get", "{}"));
    assertEquals(List.of("other"), kinds("Task", "{}"));
  }

  /// The agent starts in `/workspace/sub`.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/home/agent/.bash_profile",
        "/tmp/a",
        "/workspace",
        "/workspace-2/a",
        "/workspace/../home/agent/a",
        "../../home/agent/a",
        "~/.bashrc",
        "/proc/self/cwd/a",
        "/workspace/link/a",
        "link",
        "../link/../a",
        "/workspace/a\\u0000",
        "x\\u2028/../../../home/agent/a",
        "x\\r/../../../home/agent/a",
        "x\\u0085/a",
        "\\u00a0/home/agent/a",
        "\\ufeff/home/agent/a",
        " /home/agent/a",
        " ~/a",
        "a\\u3000"
      })
  void anEditOutsideOfTheWorkspaceIsAnotherKindToo(String path) throws IOException {
    Files.createSymbolicLink(workspace.resolve("link"), Path.of("/home/agent"));
    Files.createDirectory(workspace.resolve("sub"));
    Files.createSymbolicLink(workspace.resolve("sub/link"), Path.of("nowhere"));
    List<String> both = List.of("edit_outside", "edit");
    assertEquals(both, kinds("Write", "{\"file_path\": \"%s\"}".formatted(path)));
    assertEquals(both, kinds("Write", "{\"file_path\": \"a\", \"path\": \"%s\"}".formatted(path)));
    assertEquals(
        both,
        kinds(
            "apply_patch",
            "{\"p\": \"*** Begin\\n*** Add File: a\\n+a\\n  *** Update File: %s\"}"
                .formatted(path)));
    String move = "{\"p\": \"*** Update File: a\\n*** Move to: %s\"}".formatted(path);
    assertEquals(List.of("edit_outside", "edit", "move"), kinds("apply_patch", move));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "../a", "/workspace/a/b", "/workspace/sub/../.bashrc", "../sub/~/a"})
  void anEditInTheWorkspaceIsOfOneKind(String path) throws IOException {
    assertEquals(List.of("edit"), kinds("Write", "{\"path\": \"%s\"}".formatted(path)));
    String patch = "{\"p\": \"*** Add File: %s\\n+*** a\"}".formatted(path);
    assertEquals(List.of("edit"), kinds("apply_patch", patch));
  }

  /// An agent may take such a line for the head of another file.
  @ParameterizedTest
  @ValueSource(strings = {" ", "\\u00a0", "\\t", "x"})
  void aPatchWithALineThatMayBeAHeadMayBeAnywhere(String before) throws IOException {
    String patch = "{\"p\": \"*** Add File: a\\n+a\\n%s*** Add File: b\"}".formatted(before);
    assertEquals(List.of("edit_outside", "edit"), kinds("apply_patch", patch));
  }

  @Test
  void aPatchOfWindowsIsReadAsAnyOther() throws IOException {
    String patch =
        "{\"p\": \"*** Add File: a\\r\\n+*** Add File: /b\\r\\n-*** Move to: /c\\r\\n\"}";
    assertEquals(List.of("edit", "move"), kinds("apply_patch", patch));
  }

  @Test
  void whatIsAskedAboutIsTheEditOutside() throws Exception {
    Work.Rule rule = new Work.Rule("edit", null, null, Work.Permissions.ASK);
    Work.Permissions permissions =
        new Work.Permissions(Work.Permissions.ALLOW, List.of(rule), 0, true, false);
    ToolJudge judge =
        ToolJudge.of(
            entry(ToolGateEntry.ComparedBy.ID),
            there(),
            PermissionRules.of(permissions),
            true,
            NOBODY,
            null);
    String call =
        "{\"tool_use_id\": \"1\", \"tool_name\": \"Write\", \"tool_input\": {\"path\": \"%s\"}}";
    assertEquals("edit_outside by Write", judge.judge(json(call.formatted("/b"))).await().text());
    assertEquals("edit by Write", judge.judge(json(call.formatted("b"))).await().text());
  }

  @Test
  void anEditThatNamesNoFileMayBeAnywhere() throws IOException {
    assertEquals(List.of("edit_outside", "edit"), kinds("Write", "{\"other\": \"a\"}"));
    assertEquals(List.of("edit_outside", "edit"), kinds("apply_patch", "{\"p\": \"@@\"}"));
  }

  private List<String> kinds(String tool, String input) throws JsonProcessingException {
    WorkspaceFolder below = new WorkspaceFolder(WORKSPACE, WORKSPACE.resolve("sub"), workspace);
    return entry(ToolGateEntry.ComparedBy.ID).kinds(call(tool, input), below);
  }

  private WorkspaceFolder there() {
    return new WorkspaceFolder(WORKSPACE, WORKSPACE, workspace);
  }

  @ParameterizedTest
  @EnumSource(names = {"ID", "INPUT"})
  void whatHasRunIsComparedWithWhatWasAllowed(ToolGateEntry.ComparedBy by)
      throws JsonProcessingException {
    JudgedCalls calls = new JudgedCalls(by, WORKSPACE);
    Verdict denied = Verdict.denied("no");
    AgentToolCall first = new AgentToolCall("1", "Bash", json("{\"a\":1,\"b\":2}"));
    calls.judged(calls.key(first), Verdict.ALLOWED);
    calls.judged(calls.key(new AgentToolCall("2", "Bash", json("{}"))), denied);
    calls.began(new AgentToolCall("1", "Bash", json("{\"b\":2,\"a\":1.0}")));
    calls.began(new AgentToolCall("2", "Bash", json("{}")));
    calls.began(new AgentToolCall("3", "None", json("{}")));
    calls.began(new AgentToolCall("4", "Open", json("{}")));
    calls.ended("1", false, false);
    calls.ended("2", true, false);
    calls.ended("3", true, true);
    calls.ended("5", false, false);
    assertEquals(Optional.empty(), calls.bypass());
    calls.began(new AgentToolCall("1", "Bash", json("{\"a\":1,\"b\":2}")));
    calls.ended("1", false, false);
    assertEquals(Optional.of("Bash"), calls.bypass(), "the same call once more");
  }

  @ParameterizedTest
  @EnumSource(names = {"ID", "INPUT"})
  void aDeniedCallThatDidNotFailWasNotAllowed(ToolGateEntry.ComparedBy by)
      throws JsonProcessingException {
    JudgedCalls calls = new JudgedCalls(by, WORKSPACE);
    boolean[] stopped = new boolean[1];
    calls.onBypass(() -> stopped[0] = true);
    AgentToolCall call = new AgentToolCall("1", "Bash", json("{}"));
    calls.judged(calls.key(call), Verdict.denied("no"));
    calls.began(call);
    calls.ended("1", false, false);
    assertTrue(stopped[0]);
  }

  /// An agent may tell of thousands of calls, each of megabytes, by a call of its own to the gate.
  @ParameterizedTest
  @EnumSource
  void littleIsKeptOfALongCall(ToolGateEntry.ComparedBy by) throws JsonProcessingException {
    assertTrue(new JudgedCalls(by, WORKSPACE).key(longCall("x")).length() < 1_000);
  }

  @ParameterizedTest
  @EnumSource(names = {"ID", "INPUT"})
  void longCallsAreComparedToTheirEnds(ToolGateEntry.ComparedBy by) throws JsonProcessingException {
    JudgedCalls calls = new JudgedCalls(by, WORKSPACE);
    calls.judged(calls.key(longCall("x")), Verdict.ALLOWED);
    calls.judged(calls.key(longCall("y")), Verdict.ALLOWED);
    for (AgentToolCall call : List.of(longCall("y"), longCall("x"))) {
      calls.began(call);
      calls.ended(call.id(), false, false);
    }
    assertEquals(Optional.empty(), calls.bypass());
    calls.began(longCall("z"));
    calls.ended(longCall("z").id(), false, false);
    assertEquals(Optional.of("Bash"), calls.bypass());
  }

  @Test
  void aLongNameIsToldByItsBeginning() throws JsonProcessingException {
    JudgedCalls calls = new JudgedCalls(ToolGateEntry.ComparedBy.ID, WORKSPACE);
    calls.began(new AgentToolCall("1", "🦊".repeat(300), json("{}")));
    calls.ended("1", false, false);
    assertEquals(Optional.of("🦊".repeat(200) + "…"), calls.bypass());
  }

  private static AgentToolCall longCall(String end) throws JsonProcessingException {
    String text = "x".repeat(100_000) + end;
    return new AgentToolCall(text, "Bash", json("{\"command\":\"" + text + "\"}"));
  }

  @Test
  void whatCannotBeReadIsDenied() throws Exception {
    ToolJudge judge = judge(Policy.ALLOW);
    assertFalse(judge.judge(json("[]")).await().allowed());
    assertFalse(
        judge.judge(json("{\"tool_name\":\"Bash\",\"tool_input\":{}}")).await().allowed(), "no id");
    assertTrue(
        judge.judge(json("{\"tool_name\":\"Bash\",\"tool_use_id\":\"1\"}")).await().allowed());
  }

  /// Its agent shows it as a call that failed, and must not be taken for one that got around its
  /// hook.
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '#',
      delimiter = '|',
      textBlock =
          """
          ID    | Ask  | {"questions":[]}
          ID    | Ask  | {"questions":[{"question":" "}]}
          ID    | Ask  | {"questions":[{"question":"a"},{"question":"a"}]}
          ID    | Ask  | {"questions":"which?"}
          INPUT | Ask  | {"questions":7}
          ID    | Bash | {"a":HUGE}
          INPUT | Bash | {"a":HUGE}
          """)
  void whatCannotBeReadMayHaveFailedAndNothingElse(
      ToolGateEntry.ComparedBy by, String tool, String asked) throws Exception {
    ToolJudge judge = judge(by);
    String input = asked.replace("HUGE", HUGE);
    AgentToolCall call = new AgentToolCall("1", tool, json(input));
    String told =
        "{\"tool_use_id\":\"1\",\"tool_name\":\"%s\",\"tool_input\":%s}".formatted(tool, input);
    for (int time = 0; time < 2; time++) {
      assertEquals(
          Verdict.denied("The call's input could not be read."), judge.judge(json(told)).await());
    }
    judge.calls().began(call);
    judge.calls().ended("1", true, false);
    assertEquals(Optional.empty(), judge.calls().bypass());
    judge.calls().began(call);
    judge.calls().ended("1", false, false);
    assertEquals(Optional.of(tool), judge.calls().bypass(), "it did not fail");
  }

  @Test
  void theDenialOfACallWithALongNameIsFound() throws JsonProcessingException {
    JudgedCalls calls = new JudgedCalls(ToolGateEntry.ComparedBy.INPUT, WORKSPACE);
    String name = "x".repeat(300);
    calls.judged(JudgedCalls.unreadable(name), Verdict.denied("no"));
    calls.began(new AgentToolCall("1", name, json("{\"a\":%s}".formatted(HUGE))));
    calls.ended("1", true, false);
    assertEquals(Optional.empty(), calls.bypass());
  }

  /// Nobody has asked about it.
  @Test
  void whatCannotBeReadIsFoundWhereItWasNotDenied() throws JsonProcessingException {
    JudgedCalls calls = new JudgedCalls(ToolGateEntry.ComparedBy.INPUT, WORKSPACE);
    calls.began(new AgentToolCall("1", "Bash", json(HUGE)));
    calls.ended("1", true, false);
    assertEquals(Optional.of("Bash"), calls.bypass());
  }

  /// The answer is a verdict like any other: what has run without it is found.
  @Test
  void whatAPersonSaysIsKept() throws Exception {
    ToolJudge judge = judge(Policy.ASK);
    JsonNode told = json("{\"tool_name\":\"Bash\",\"tool_use_id\":\"1\"}");
    assertEquals(Verdict.denied("other by Bash"), judge.judge(told).await());
    judge.calls().began(new AgentToolCall("1", "Bash", json("{}")));
    judge.calls().ended("1", true, false);
    assertEquals(Optional.empty(), judge.calls().bypass());
    judge.calls().began(new AgentToolCall("1", "Bash", json("{}")));
    judge.calls().ended("1", false, false);
    assertEquals(Optional.of("Bash"), judge.calls().bypass());
  }

  @Test
  void anAgentThatIsToPlanChangesNothingButItsPlan() throws Exception {
    PlanMode planMode =
        new PlanMode(new PlanMode.Entry(List.of("agent"), "/file"), "/workspace/PLAN.md"::equals);
    ToolJudge judge = judge(Policy.ALLOW, planMode);
    String call = "{\"tool_use_id\":\"1\",\"tool_name\":\"%s\",\"tool_input\":{\"file\":\"%s\"}}";
    for (String denied : List.of("Write a.txt", "Run /workspace/PLAN.md", "apply_patch ")) {
      String[] words = denied.split(" ", -1);
      assertFalse(judge.judge(json(call.formatted(words[0], words[1]))).await().allowed(), denied);
    }
    for (String tool : List.of("Write", "mcp__x", "Todo")) {
      assertTrue(judge.judge(json(call.formatted(tool, "/workspace/PLAN.md"))).await().allowed());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a.example.org   | 443  | ALLOW
          a.example.org   | 8443 | ALLOW
          example.org     | 443  | ASK
          example.org.net | 443  | DENY
          b.net           | 443  | DENY
          b.net           | 8443 | ALLOW
          git.org         | 443  | DENY
          """)
  void aHostFitsByItsNameOrByNameAndPort(String host, int port, Policy policy)
      throws JsonProcessingException {
    Work.Permissions permissions =
        Json.MAPPER.readValue(
            """
            {"default": "deny", "rules": [
              {"tool": "git*", "policy": "allow"},
              {"match": "*git*", "policy": "allow"},
              {"kind": "fetch", "policy": "allow"},
              {"kind": "host", "match": "*.Example.org", "policy": "allow"},
              {"kind": "host", "match": "example.org:443", "policy": "ask"},
              {"kind": "host", "match": "*:8443", "policy": "allow"}]}
            """,
            Work.Permissions.class);
    PermissionRules rules = PermissionRules.of(permissions);
    assertEquals(policy, rules.host(host, port).policy());
    assertEquals(Policy.DENY, rules.judge(List.of("execute"), call("Bash", "{}")).policy());
  }

  @Test
  void aRuleThatNamesNothingFitsHostsToo() throws JsonProcessingException {
    Work.Permissions permissions =
        Json.MAPPER.readValue(
            """
            {"default": "allow", "rules": [{"policy": "ask"}]}
            """,
            Work.Permissions.class);
    assertEquals(Policy.ASK, PermissionRules.of(permissions).host("a.org", 443).policy());
  }

  /// A rule for pushes that another spelling of the URL gets around forbids nothing.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          https://git.example.org/team/*       | https://git.example.org/team/app.git      | DENY
          https://git.example.org/team/*       | https://GIT.example.org/team/app.git      | DENY
          https://git.example.org/team/*       | HTTPS://git.example.org/team/app.git      | DENY
          https://git.example.org/team/*       | https://git.example.org:443/team/app.git  | DENY
          https://git.example.org/team/*       | https://git.example.org:/team/app.git     | DENY
          https://git.example.org/team/*       | https://git.example.org./team/app.git     | DENY
          https://git.example.org/team/*       | https://git.example.org/te%61m/app.git    | DENY
          https://git.example.org/team/*       | https://git.example.org//team/app.git     | DENY
          https://git.example.org/team/app     | https://git.example.org/team/app.git      | DENY
          https://git.example.org/team/app.git | https://git.example.org/team/app          | DENY
          https://git.example.org/team/app.git | https://git.example.org/team/app/         | DENY
          https://git.example.org/team/app.git | https://git.example.org/team/app.git/     | DENY
          https://git.example.org/team/app/    | https://git.example.org/team/app.git      | DENY
          HTTPS://Git.example.org:443/te%61m/* | https://git.example.org/team/app          | DENY
          https://GIT.example.org/te%61m/%2B   | https://GIT.example.org/te%61m/%2B        | DENY
          http://git.example.org/*             | http://git.example.org:080/team/app       | DENY
          https://git.example.org:8443/*       | https://git.example.org:08443/team/app    | DENY
          https://[::1]/*                      | https://[::1]:443/team/app                | DENY
          */team/app.git                       | https://git.example.org/team//%61pp       | DENY
          *Team/App*                           | https://git.example.org/Team/App          | DENY
          https://git.example.org/team/*       | https://git.example.org/Team/app.git      | ALLOW
          https://git.example.org/team/*       | https://git.example.org:80/team/app.git   | ALLOW
          https://git.example.org/team/*       | http://git.example.org:443/team/app.git   | ALLOW
          https://git.example.org/team/app     | https://git.example.org/team/app.gitx     | ALLOW
          https://git.example.org/team/app     | https://git.example.org/team/apps.git     | ALLOW
          https://git.example.org/team/app/*   | https://git.example.org/team/app.git      | ALLOW
          https://git.example.org/a/b          | https://git.example.org/a%2Fb             | ALLOW
          """)
  void aRepositoryIsNamedByAnyOfItsSpellings(String match, String url, Policy policy) {
    Work.Rule rule = new Work.Rule(PermissionRules.PUSH, null, match, Work.Permissions.DENY);
    assertEquals(policy, pushes(rule).push(url).policy());
  }

  @Test
  void theFirstRuleThatNamesARepositoryHolds() {
    Work.Rule own = new Work.Rule("push", null, "https://a.org/team/app", Work.Permissions.ALLOW);
    Work.Rule others = new Work.Rule("push", null, "https://a.org/team/*", Work.Permissions.ASK);
    Work.Rule all = new Work.Rule("push", null, null, Work.Permissions.DENY);
    PermissionRules rules = pushes(own, others, all);
    assertEquals(Policy.ALLOW, rules.push("https://A.org/team/app.git").policy());
    assertEquals(
        "A person decides on the pushes of this session, after the turn (rule 2).",
        rules.push("https://A.org/team/other.git").reason());
    assertEquals(Policy.DENY, rules.push("https://b.org/team/app").policy());
  }

  private static PermissionRules pushes(Work.Rule... rules) {
    return PermissionRules.of(
        new Work.Permissions(Work.Permissions.ALLOW, List.of(rules), 0, false, false));
  }

  private ToolJudge judge(Policy byDefault) throws JsonProcessingException {
    return judge(byDefault, null);
  }

  private ToolJudge judge(Policy byDefault, @Nullable PlanMode planMode)
      throws JsonProcessingException {
    return ToolJudge.of(
        entry(ToolGateEntry.ComparedBy.ID),
        there(),
        new PermissionRules(byDefault, List.of()),
        false,
        NOBODY,
        planMode);
  }

  /// A judge of an agent that asks a person by its tool Ask, under a rule about inputs.
  private ToolJudge judge(ToolGateEntry.ComparedBy by) throws JsonProcessingException {
    Work.Rule rule = new Work.Rule(null, null, "*forbidden*", Work.Permissions.DENY);
    Work.Permissions permissions =
        new Work.Permissions(Work.Permissions.ALLOW, List.of(rule), 0, true, false);
    return ToolJudge.of(entry(by), there(), PermissionRules.of(permissions), true, NOBODY, null);
  }

  private static ToolGateEntry entry(ToolGateEntry.ComparedBy by) throws JsonProcessingException {
    return Json.MAPPER.readValue(
        Json.MAPPER.writeValueAsString(
            Map.of(
                "compared_by",
                by,
                "questions",
                Map.of("tool", "Ask"),
                "tools",
                Map.of(
                    "apply_patch", "patch", "mcp__*", "fetch", "Write", "edit", "Run", "execute"),
                "edited",
                List.of("/file_path", "/path"))),
        ToolGateEntry.class);
  }

  private static AgentToolCall call(String name, String input) throws JsonProcessingException {
    return new AgentToolCall("", name, json(input));
  }

  private static JsonNode json(String text) throws JsonProcessingException {
    return Json.MAPPER.readTree(text);
  }
}
