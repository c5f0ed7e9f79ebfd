package agentsessions.contract.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.contract.AdminClient;
import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The permissions of a session, and who changes them. Where nothing judges the tools of an agent,
/// they may say only that everything is allowed.
@Section(number = "api", title = "Permissions of tools")
final class ToolPermissionsTest {
  private static final Map<String, Object> DENY = Map.of("default", "deny");
  private static final String NAMED =
      "permissions must allow every tool: nothing judges the tools of shell before they run";

  private final Client client = Target.client();

  @Test
  void everythingIsAllowedWhereNothingIsSaid() {
    JsonNode bare = create(null).expect(201).json();
    assertTrue(bare.path("permissions").isNull(), bare::toString);
    JsonNode said =
        create(Map.of("default", "allow", "rules", List.of(Map.of("policy", "allow"))))
            .expect(201)
            .json();
    assertTrue(said.path("permissions").isNull(), said::toString);
    JsonNode read = client.get("/sessions/" + said.path("id").asText()).ok();
    assertTrue(read.path("permissions").isNull(), read::toString);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'default':'maybe'} | permissions.default must be allow or ask or deny",
        "{'plan':'maybe'} | permissions.plan must be none or approve",
        "{'questions':'always'} | permissions.questions must be refuse or ask",
        "{'hold_seconds':901} | permissions.hold_seconds must be a whole number from 0 to 900",
        "{'expires_in_days':31} | permissions.expires_in_days must be a whole number from 1 to 30",
        "{'rules':[{'kind':'mcp','policy':'deny'}]} | permissions.rules[0].kind cannot be mcp",
        "{'rules':[{'tool':'Bash'}]} | permissions.rules[0].policy is required"
      })
  void whatCannotBeKeptIsRefused(String permissions, String words) {
    String body = "{'agent_name':'shell','message':'hi','permissions':%s}".formatted(permissions);
    ApiResponse answer = client.send("POST", "/sessions", body.replace('\'', '"'));
    String said = answer.refused(422, "VALIDATION").path("message").asText();
    assertTrue(said.contains(words), said);
  }

  @Tag("stack")
  @Test
  void onlyWhoMayDecideChangesThem() {
    String id = create(null).expect(201).json().path("id").asText();
    Map<String, Object> loosened = new HashMap<>();
    loosened.put("permissions", null);
    Client writer = AdminClient.of(client).with("write");
    for (Object body : List.of(loosened, Map.of("permissions", 1, "colour", 1))) {
      for (String session : List.of(id, Client.unknownId(), "1")) {
        assertEquals(
            "This key lacks the scope \"decide\": only a key that has it changes permissions",
            patch(writer, session, body).refused(403, "FORBIDDEN").path("message").asText());
      }
    }
    patch(writer, id, Map.of("title", "mine")).ok();
    Client decider = AdminClient.of(client).with("write", "decide");
    assertTrue(patch(decider, id, loosened).ok().path("permissions").isNull());
    patch(decider, Client.unknownId(), loosened).refused(404, "NOT_FOUND");
    patch(decider, Client.unknownId(), Map.of("permissions", DENY)).refused(404, "NOT_FOUND");
  }

  @Tag("stack")
  @Test
  void whereNobodyWasAskedThereIsNothingToSee() {
    String session = "/sessions/" + create(null).expect(201).json().path("id").asText();
    for (String list : List.of("/requests", "/grants")) {
      assertTrue(client.get(session + list).ok().path("items").isEmpty(), list);
    }
  }

  @Tag("stack")
  @Test
  void whereNothingJudgesTheyAllowEverything() {
    assumeFalse(Target.asks(client), "the tools of the shell agent are judged here");
    String id = create(null).expect(201).json().path("id").asText();
    for (String policy : List.of("ask", "deny")) {
      Map<String, Object> held = Map.of("default", policy);
      assertEquals(NAMED, sentence(create(held)));
      assertEquals(NAMED, sentence(patch(client, id, Map.of("permissions", held))));
    }
  }

  @Test
  void whereTheyAreJudgedAllIsShown() {
    assumeTrue(Target.asks(client), "nothing judges the tools of the shell agent here");
    JsonNode shown = create(DENY).expect(201).json().path("permissions");
    assertEquals("deny none refuse false 60", words(shown));
    Map<String, Object> asked =
        Map.of("default", "ask", "questions", "ask", "four_eyes", true, "hold_seconds", 0);
    JsonNode session = create(asked).expect(201).json();
    assertEquals("ask none ask true 0", words(session.path("permissions")));
    assertEquals(7, session.at("/permissions/expires_in_days").asInt());
    Map<String, Object> plans = Map.of("plan", "approve", "expires_in_days", 14);
    JsonNode planning = create(plans).expect(201).json().path("permissions");
    assertEquals("allow approve refuse false 60", words(planning));
    assertEquals(14, planning.path("expires_in_days").asInt());
    JsonNode read = client.get("/sessions/" + session.path("id").asText()).ok();
    assertEquals(session.path("permissions"), read.path("permissions"));
  }

  private static String words(JsonNode permissions) {
    return "%s %s %s %s %s"
        .formatted(
            permissions.path("default").asText(),
            permissions.path("plan").asText(),
            permissions.path("questions").asText(),
            permissions.path("four_eyes").asText(),
            permissions.path("hold_seconds").asText());
  }

  private static String sentence(ApiResponse answer) {
    return answer.refused(422, "VALIDATION").path("message").asText();
  }

  @Test
  void aKeyThatOnlyDecidesChangesNothing() {
    Client decider = AdminClient.of(client).with("decide");
    patch(decider, Client.unknownId(), Map.of("permissions", DENY)).refused(403, "FORBIDDEN");
  }

  private ApiResponse create(@Nullable Map<String, Object> permissions) {
    Map<String, Object> body = new HashMap<>(Map.of("agent_name", "shell", "message", "hi"));
    if (permissions != null) {
      body.put("permissions", permissions);
    }
    return client.post("/sessions", body);
  }

  private static ApiResponse patch(Client client, String session, Object body) {
    return client.patch("/sessions/" + session, body);
  }
}
