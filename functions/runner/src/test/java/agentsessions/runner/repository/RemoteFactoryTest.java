package agentsessions.runner.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import agentsessions.runner.agent.TurnFailed;
import agentsessions.runner.agent.tool.PermissionRules;
import agentsessions.runner.control.ServiceClient;
import agentsessions.wire.Work;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a turn's remotes take, by the permissions of its session.
class RemoteFactoryTest {
  private static final String PLANS =
      "This turn only plans; what it changes is pushed once the plan is approved.";
  private static final String DENIED =
      "The permissions of this session do not allow a push (rule 1).";

  @ParameterizedTest
  @CsvSource({
    "allow, false, ''",
    "allow, true, " + PLANS,
    "deny, false, " + DENIED,
    "deny, true, " + DENIED
  })
  void aPushIsBannedByARuleAndWhileTheTurnOnlyPlans(String policy, boolean plans, String why)
      throws TurnFailed {
    Work.Rule rule = new Work.Rule(PermissionRules.PUSH, null, "https://a.example/*", policy);
    PermissionRules rules =
        PermissionRules.of(
            new Work.Permissions(Work.Permissions.ALLOW, List.of(rule), 0, false, plans));
    ServiceClient nobody = new ServiceClient(URI.create("http://127.0.0.1:9"), "");
    assertEquals(
        why,
        new RemoteFactory(nobody, false, rules, plans)
            .of(repository("https://a.example/team/app.git"))
            .pushes()
            .flatMap(branch -> branch.ban())
            .map(PermissionRules.Ruling::reason)
            .orElse(""));
  }

  @Test
  void plainHttpIsRefusedAndCapitalsAreNot() throws TurnFailed {
    ServiceClient nobody = new ServiceClient(URI.create("http://127.0.0.1:9"), "");
    RemoteFactory factory = new RemoteFactory(nobody, false, PermissionRules.ALL, false);
    assertEquals(1, factory.of(repository("HTTPS://a.example/team/app.git")).number());
    assertThrows(TurnFailed.class, () -> factory.of(repository("http://a.example/team/app.git")));
  }

  private static Work.Repository repository(String url) {
    Work.Push push = new Work.Push("agent/work", false, null, null, null, null, null);
    return new Work.Repository(
        1, url, null, "app", 50, false, null, null, null, null, null, List.of(), push);
  }
}
