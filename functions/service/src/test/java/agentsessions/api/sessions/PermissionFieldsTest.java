package agentsessions.api.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.api.request.RequestBody;
import agentsessions.session.Agent;
import agentsessions.session.Engine;
import agentsessions.session.Refusal;
import agentsessions.session.input.ToolPermissions;
import agentsessions.session.input.ToolPermissions.Kind;
import agentsessions.session.input.ToolPermissions.Policy;
import io.micronaut.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The permissions of a session, field by field, and the field that each fault names.
class PermissionFieldsTest {
  private static final Optional<Agent> GATED = agent("claude", Map.of("gate", Map.of()));
  private static final Optional<Agent> PLAIN = agent("shell", Map.of());
  private static final String DENY = "{'permissions':{'default':'deny'}}";

  @Test
  void allOfThemIsReadInOrder() {
    assertEquals(
        new ToolPermissions(
            Policy.ALLOW,
            List.of(
                new ToolPermissions.Rule(Kind.READ, null, null, Policy.ALLOW),
                new ToolPermissions.Rule(null, "B*", "*rm -rf*", Policy.DENY)),
            ToolPermissions.Asking.USUAL),
        PermissionFields.ofSession(
            body(
                """
                {'permissions':{'rules':[{'kind':'read','policy':'allow'},
                  {'tool':'B*','match':'*rm -rf*','policy':'deny'}]}}
                """),
            GATED));
  }

  @Test
  void howAPersonIsAskedIsRead() {
    assertEquals(
        new ToolPermissions(
            Policy.ASK, List.of(), new ToolPermissions.Asking(true, 900, false, false, 7)),
        PermissionFields.ofSession(
            body(
                """
                {'permissions':{'default':'ask','plan':'none','questions':'refuse',
                  'four_eyes':true,'hold_seconds':900}}
                """),
            GATED));
  }

  @Test
  void anAgentThatAsksMayBeAllowedEverythingElse() {
    RequestBody body = body("{'permissions':{'questions':'ask'}}");
    assertEquals(
        new ToolPermissions(
            Policy.ALLOW, List.of(), new ToolPermissions.Asking(false, 60, true, false, 7)),
        PermissionFields.ofSession(
            body, agent("claude", Map.of("gate", Map.of("questions", Map.of())))));
    body.check();
  }

  @Test
  void aCallMayWaitForDays() {
    RequestBody body = body("{'permissions':{'default':'ask','expires_in_days':1}}");
    assertEquals(
        new ToolPermissions(
            Policy.ASK, List.of(), new ToolPermissions.Asking(false, 60, false, false, 1)),
        PermissionFields.ofSession(body, agent("claude", Map.of("gate", Map.of()))));
    body.check();
  }

  @Test
  void aPlanThatIsToBeApprovedMayWaitForDays() {
    Optional<Agent> planner = agent("claude", Map.of("gate", Map.of(), "plan", Map.of()));
    RequestBody body = body("{'permissions':{'plan':'approve','expires_in_days':30}}");
    assertEquals(
        new ToolPermissions(
            Policy.ALLOW, List.of(), new ToolPermissions.Asking(false, 60, false, true, 30)),
        PermissionFields.ofSession(body, planner));
    body.check();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      delimiter = '|',
      value = {
        "{}",
        "{'permissions':null}",
        "{'permissions':{}}",
        "{'permissions':{'default':'allow','rules':[{'policy':'allow'}]}}"
      })
  void whatAllowsEverythingIsNone(String text) {
    RequestBody body = body(text);
    assertEquals(null, PermissionFields.ofSession(body, PLAIN));
    body.check();
  }

  @Test
  void aChangeIsNoneOrARemovalOrNewOnes() {
    Optional<String> claude = Optional.of("claude");
    assertEquals(Optional.empty(), changed("{}", claude));
    assertEquals(Optional.of(Optional.empty()), changed("{'permissions':null}", claude));
    assertEquals(
        Optional.of(
            Optional.of(new ToolPermissions(Policy.DENY, List.of(), ToolPermissions.Asking.USUAL))),
        changed(DENY, claude));
  }

  private static Optional<Optional<ToolPermissions>> changed(String text, Optional<String> name) {
    return PermissionFields.changed(body(text), name, GATED, Optional.empty());
  }

  @Test
  void aChangeTakesNoDefaultAwayUnseen() {
    Optional<ToolPermissions> before =
        Optional.of(new ToolPermissions(Policy.DENY, List.of(), ToolPermissions.Asking.USUAL));
    Optional<String> claude = Optional.of("claude");
    for (String loosened : List.of("'questions':'refuse'", "'rules':[]", "'default':null", "")) {
      RequestBody body = body("{'permissions':{%s}}".formatted(loosened));
      Optional<?> _ = PermissionFields.changed(body, claude, GATED, before);
      assertEquals(
          "permissions.default is required: the session's is deny, and would be allow", said(body));
    }
    for (String said : List.of("{'default':'allow','rules':[]}", "null")) {
      RequestBody body = body("{'permissions':%s}".formatted(said));
      assertEquals(
          Optional.of(Optional.empty()), PermissionFields.changed(body, claude, GATED, before));
      body.check();
    }
  }

  @Test
  void anAgentThatNothingJudgesIsNamed() {
    String named =
        "permissions must allow every tool: nothing judges the tools of shell before they run";
    RequestBody created = body(DENY);
    ToolPermissions _ = PermissionFields.ofSession(created, PLAIN);
    assertEquals(named, said(created));
    RequestBody changed = body(DENY);
    Optional<?> _ =
        PermissionFields.changed(changed, Optional.of("shell"), Optional.empty(), Optional.empty());
    assertEquals(named, said(changed));
    RequestBody ofNoSession = body(DENY);
    Optional<?> _ =
        PermissionFields.changed(ofNoSession, Optional.empty(), Optional.empty(), Optional.empty());
    assertEquals("", said(ofNoSession));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      delimiter = '|',
      value = {
        "'deny' | permissions must be an object, such as",
        "{'default':'maybe'} | permissions.default must be allow or ask or deny",
        "{'default':1} | permissions.default must be allow or ask or deny",
        "{'plan':'approve'} | permissions.plan must be none: claude has no mode in which it only plans",
        "{'plan':'maybe'} | permissions.plan must be none or approve",
        "{'questions':'ask'} | permissions.questions must be refuse: nobody can answer the questions of claude",
        "{'questions':1} | permissions.questions must be refuse or ask",
        "{'default':'ask','expires_in_days':0} | permissions.expires_in_days must be a whole number from 1 to 30",
        "{'plan':'approve','expires_in_days':31} | permissions.expires_in_days must be a whole number from 1 to 30",
        "{'four_eyes':'yes'} | permissions.four_eyes must be true or false",
        "{'four_eyes':true} | permissions.default is required beside four_eyes, hold_seconds, expires_in_days: without it everything is allowed",
        "{'rules':[{'policy':'allow'}],'hold_seconds':9} | permissions.default is required beside",
        "{'hold_seconds':901} | permissions.hold_seconds must be a whole number from 0 to 900",
        "{'hold_seconds':1.5} | permissions.hold_seconds must be a whole number from 0 to 900",
        "{'holds':1} | permissions.holds is not known: permissions has default, rules, questions, plan, four_eyes, hold_seconds and expires_in_days",
        "{'rules':{}} | permissions.rules must be an array",
        "{'rules':[1]} | permissions.rules[0] must be an object, such as",
        "{'rules':[{}]} | permissions.rules[0].policy is required",
        "{'rules':[{'policy':'deny','kind':'push','tool':'Bash'}]} | permissions.rules[0].tool must be absent: a repository is named by match",
        "{'rules':[{'policy':'deny','kind':'host','tool':'Bash'}]} | permissions.rules[0].tool must be absent: a host is named by match",
        "{'rules':[{'policy':'deny','kind':'host','match':'https://a.org'}]} | permissions.rules[0].match must be a host or host:port, such as *.example.org",
        "{'rules':[{'policy':'deny','kind':'host','match':'evil.org.'}]} | permissions.rules[0].match must be a host or host:port, such as *.example.org",
        "{'rules':[{'policy':'deny','kind':'host','match':'evil.org.:443'}]} | permissions.rules[0].match must be a host or host:port, such as *.example.org",
        "{'rules':[{'policy':'deny','kind':'host','match':'evil.org:0443'}]} | permissions.rules[0].match must be a host or host:port, such as *.example.org",
        "{'rules':[{'policy':'deny','kind':'host','match':'*:0'}]} | permissions.rules[0].match must be a host or host:port, such as *.example.org",
        "{'rules':[{'policy':'deny','kind':'mcp'}]} | permissions.rules[0].kind cannot be mcp: this version judges the agent's own tools, hosts and pushes",
        "{'rules':[{'policy':'deny','kind':'write'}]} | permissions.rules[0].kind must be read or edit or",
        "{'rules':[{'policy':'deny','tool':''}]} | permissions.rules[0].tool must not be empty",
        "{'rules':[{'policy':'deny','match':'LONG'}]} | permissions.rules[0].match must be at most 256 characters",
        "{'rules':[{'policy':'deny','tools':'*'}]} | permissions.rules[0].tools is not known: permissions.rules[0] has kind, tool, match and policy"
      })
  void aFaultNamesItsField(String permissions, String words) {
    RequestBody body =
        body("{'permissions':%s}".formatted(permissions.replace("LONG", "x".repeat(257))));
    ToolPermissions _ = PermissionFields.ofSession(body, GATED);
    assertEquals(words, said(body).substring(0, Math.min(words.length(), said(body).length())));
  }

  @Test
  void aPersonCanBeAskedAboutPushes() {
    RequestBody body =
        body("{'permissions':{'rules':[{'kind':'push','policy':'ask'}],'expires_in_days':3}}");
    assertEquals(
        new ToolPermissions(
            Policy.ALLOW,
            List.of(new ToolPermissions.Rule(Kind.PUSH, null, null, Policy.ASK)),
            new ToolPermissions.Asking(false, 60, false, false, 3)),
        PermissionFields.ofSession(body, GATED));
    body.check();
  }

  @Test
  void hostsAreJudgedWhereAProxyIsBeforeTheNetwork() {
    String text =
        "{'permissions':{'rules':[{'kind':'host','match':'*.A.org:8443','policy':'ask'}]}}";
    RequestBody body = body(text);
    ToolPermissions.Rule rule =
        new ToolPermissions.Rule(Kind.HOST, null, "*.A.org:8443", Policy.ASK);
    assertEquals(
        new ToolPermissions(Policy.ALLOW, List.of(rule), ToolPermissions.Asking.USUAL),
        PermissionFields.ofSession(body, GATED));
    body.check();
    RequestBody open = body(text);
    ToolPermissions _ =
        PermissionFields.ofSession(
            open, agent("claude", Map.of("gate", Map.of(), "network", "host")));
    assertEquals(
        "permissions.rules must have none of kind host: nothing is between claude and the network",
        said(open));
  }

  /// The proxies hold these, whatever the agent is; and what is allowed needs nobody.
  @Test
  void rulesForHostsAndPushesNeedNothingThatJudgesTools() {
    String text =
        """
        {'permissions':{'rules':[{'kind':'push','policy':'ask'},{'kind':'host','policy':'deny'},
          {'kind':'read','policy':'allow'}]}}
        """;
    RequestBody body = body(text);
    ToolPermissions held = PermissionFields.ofSession(body, PLAIN);
    assertEquals(
        List.of(Kind.PUSH, Kind.HOST, Kind.READ),
        held == null ? List.of() : held.rules().stream().map(rule -> rule.kind()).toList());
    body.check();
    RequestBody open = body(text);
    ToolPermissions _ = PermissionFields.ofSession(open, agent("shell", Map.of("network", "host")));
    assertEquals(
        "permissions.rules must have none of kind host: nothing is between shell and the network",
        said(open));
    for (String tools : List.of("{'kind':'read','policy':'ask'}", "{'policy':'deny'}")) {
      RequestBody judged =
          body("{'permissions':{'rules':[{'kind':'push','policy':'ask'},%s]}}".formatted(tools));
      ToolPermissions _ = PermissionFields.ofSession(judged, PLAIN);
      assertEquals(
          "permissions must allow every tool: nothing judges the tools of shell before they run",
          said(judged));
    }
  }

  @Test
  void thereAreAtMostFiftyRules() {
    String rules = "{'policy':'deny'},".repeat(50);
    RequestBody most = body("{'permissions':{'rules':[" + rules.substring(0, 899) + "]}}");
    ToolPermissions _ = PermissionFields.ofSession(most, GATED);
    assertEquals("", said(most));
    RequestBody more = body("{'permissions':{'rules':[" + rules + "{'policy':'deny'}]}}");
    ToolPermissions _ = PermissionFields.ofSession(more, GATED);
    assertEquals("permissions.rules must be at most 50", said(more));
  }

  @Test
  void whoHasNoNetworkIsSaidToNeedNoRulesForHosts() {
    Map<String, Object> closed = Map.of("gate", Map.of(), "network", "none");
    Map<String, Object> model = Map.of("gate", Map.of(), "network", "model");
    assertEquals(
        Optional.of(
            "permissions.rules of kind host decide nothing: shell reaches no host unless the"
                + " operator allows it"),
        warning("host", closed, List.of()));
    assertEquals(
        Optional.of(
            "permissions.rules of kind host decide nothing: shell reaches its model and no other"
                + " host unless the operator allows it"),
        warning("host", model, List.of()));
    assertEquals(Optional.empty(), warning("host", closed, List.of("a.example")));
    assertEquals(Optional.empty(), warning("read", closed, List.of()));
  }

  private static Optional<String> warning(
      String kind, Map<String, Object> entry, List<String> hosts) {
    Optional<Agent> agent = agent("shell", entry);
    RequestBody body =
        body("{'permissions':{'rules':[{'kind':'%s','policy':'deny'}]}}".formatted(kind));
    return PermissionFields.warning(
        PermissionFields.ofSession(body, agent), agent.orElseThrow(), hosts);
  }

  private static String said(RequestBody body) {
    try {
      body.check();
      return "";
    } catch (Refusal refusal) {
      return String.valueOf(refusal.getMessage());
    }
  }

  private static RequestBody body(String text) {
    return RequestBody.read(
        JsonMapper.createDefault(), text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  private static Optional<Agent> agent(String name, Map<String, Object> entry) {
    return Optional.of(new Agent(name, name, Duration.ofHours(1), Engine.MACHINE, entry));
  }
}
