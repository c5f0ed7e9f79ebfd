package agentsessions.contract.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.contract.AdminClient;
import agentsessions.contract.Contract;
import agentsessions.contract.Section;
import agentsessions.contract.Target;
import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import agentsessions.talk.SessionHandle;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Common mistakes in requests: each is refused, with a hint at the right form. Unknown fields are
/// refused as well, except on the top level of a request that sends a message: there the answer
/// lists them.
@Section(number = "api", title = "Wrong requests")
final class WrongRequestsTest {
  private final Client client = Target.client();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          POST /sessions | {} | agent_name is required
          POST /sessions | {'agent':'shell','prompt':'hi'} | agent is not known: there are agent_name, message, title
          POST /sessions | {'agent_name':'Shell','message':'hi'} | agent_name must be one of
          POST /sessions | {'agent_name':['shell'],'message':'hi'} | agent_name must be a string
          POST /sessions | {'agent_name':'shell','text':'hi'} | message is required; text is not known
          POST /sessions | {'agent_name':'shell','message':{'role':'user','content':'hi'}} | message must be a string
          POST /sessions | {HI,'title':['x']} | title must be a string
          POST /sessions | {HI,'metadata':['ticket']} | metadata must be an object
          POST /sessions | {HI,'metadata':{'ticket':7}} | metadata.ticket must be a string
          POST /sessions | {HI,'metadata':{'ticket':{'id':'7'}}} | metadata.ticket must be a string
          POST /sessions | {HI,'model':'gpt'} | model must be left out: this agent has no choice of models
          POST /sessions | {HI,'is_private':true} | is_private must be false: every key of the workspace sees its sessions
          POST /sessions | {HI,'is_private':'no'} | is_private must be true or false
          POST /sessions | {HI,'session_group_id':'x'} | session_group_id must be null: there are no groups
          POST /sessions | {HI,'limits':{'max_cost_usd':1}} | limits.max_cost_usd is not known: limits has turn and session
          POST /sessions | {HI,'limits':{'max_cost_usd':-1}} | limits.max_cost_usd is not known: limits has turn and session
          POST /sessions | {HI,'limits':{'turn':{'max_cost':1}}} | limits.turn.max_cost is not known: limits.turn has max_cost_usd, max_tokens, max_model_requests and max_seconds
          POST /sessions | {HI,'limits':1} | limits must be an object, such as {"turn": {"max_cost_usd": …}}
          POST /sessions | {HI,'limits':{'turn':5}} | limits.turn must be an object, such as {"max_cost_usd": …}
          POST /sessions | {HI,'limits':{'turn':{'max_cost_usd':1e999}}} | limits.turn.max_cost_usd must be dollars from 0.000001 to 1000000
          POST /sessions | {HI,'limits':{'turn':{'max_cost_usd':'1'}}} | limits.turn.max_cost_usd must be dollars from 0.000001 to 1000000
          POST /sessions | {HI,'limits':{'turn':{'max_seconds':0}}} | limits.turn.max_seconds must be a whole number from 1
          POST /sessions | {HI,'limits':{'session':{'max_tokens':1.5}}} | limits.session.max_tokens must be a whole number from 1
          POST /sessions | {HI,'environment':{'A':'b'}} | environment.A is not known: environment has variables, secrets and setup
          POST /sessions | {HI,'environment':['A=b']} | environment must be an object, such as {"variables": …}
          POST /sessions | {HI,'environment':{'variables':{'A':1}}} | environment.variables.A must be a string
          POST /sessions | {HI,'environment':{'variables':{'PATH':'/x'}}} | environment.variables.PATH must
          POST /sessions | {HI,'environment':{'secrets':'TOKEN'}} | environment.secrets must be an array
          POST /sessions | {HI,'environment':{'secrets':['token']}} | environment.secrets[0] must be the name of a secret
          POST /sessions | {HI,'environment':{'setup':['make']}} | environment.setup must be a string
          POST /sessions | {HI,'repositories':'https://git.example.com/a'} | repositories must be an array
          POST /sessions | {HI,'repositories':['https://git.example.com/a']} | repositories[0] must be an object, such as {"url": …}
          POST /sessions | {HI,'repositories':[{'path':'a'}]} | repositories[0].url is required
          POST /sessions | {HI,'repositories':[{'url':'git@git.example.com:a.git'}]} | repositories[0].url must
          POST /sessions | {HI,'repositories':[{'url':'https://me:pw@git.example.com/a'}]} | repositories[0].url must
          POST /sessions | {HI,'repositories':[{APP,'branch':'main'}]} | repositories[0].branch is not known: repositories[0] has url, path, ref,
          POST /sessions | {HI,'repositories':[{APP,'path':'a\\nb'}]} | repositories[0].path must be without control characters
          POST /sessions | {HI,'repositories':[{APP,'depth':'all'}]} | repositories[0].depth must be a whole number from 0 to 10000
          POST /sessions | {HI,'repositories':[{APP,'push':true}]} | repositories[0].push must be an object, such as {"branch": …}
          POST /sessions | {HI,'repositories':[{APP,'push':{'title':'x'}}]} | repositories[0].push.title is not known: repositories[0].push has branch, base,
          POST /sessions | {HI,'repositories':[{APP,'push':{'provider':'svn'}}]} | repositories[0].push.provider must be one of
          POST /sessions | {HI,'repositories':[{APP,'credential':'TOKEN'}]} | repositories[0].credential must be an object, such as {"secret": …}
          POST /sessions | {HI,'repositories':[{APP,'credential':{'password':'x'}}]} | repositories[0].credential must have either secret or token; repositories[0].credential.password is not known
          POST /sessions | {HI,'files':['a.txt']} | files[0] must be an object, such as {"path": …, "content": …}
          POST /sessions | {HI,'files':[{'path':'a'}]} | files[0] must have one of content, content_base64, upload_id, artifact_id
          POST /sessions | {HI,'files':[{'name':'a','content':''}]} | files[0].path is required; files[0].name is not known: files[0] has path,
          POST /sessions | {HI,'files':[{'path':'/etc/passwd','content':''}]} | files[0].path must
          POST /sessions | {HI,'files':[{'path':'a\\nb','content':''}]} | files[0].path must be without control characters
          POST /sessions | {HI,'files':[{'path':'a','upload_id':'x'}]} | files[0].upload_id must be an upload of the workspace
          POST /sessions | {HI,'webhook':'https://127.0.0.1/x'} | webhook must be an object, such as {"url": …, "secret": …}
          POST /sessions | {HI,'webhook':{'url':'https://127.0.0.1/x','secret':'x'}} | webhook.secret must be whsec_ and the base64
          POST /sessions | {HI,'webhook':{'url':'https://127.0.0.1/x','types':['ping']}} | webhook.types is not known: webhook has secret and url
          PATCH /sessions/ID | {'name':'x'} | name is not known: there are permissions, limits, title, metadata, is_archived
          PATCH /sessions/ID | {'is_archived':'yes'} | is_archived must be true or false
          PATCH /sessions/ID | {'limits':{'max_tokens':1}} | limits.max_tokens is not known: limits has turn and session
          PATCH /sessions/abc | {'title':'x'} | session_id must be a UUID
          POST /sessions/ID/messages | {'text':'x'} | text is not known: there are message
          POST /sessions/ID/messages | {'message':'x','if_thread_id':'1'} | if_thread_id must be a UUID
          POST /sessions/ID/messages | {'message':'x','limits':{'session':{'max_tokens':1}}} | limits.session is changed by PATCH of the session
          POST /sessions/ID/messages | {'message':'x','limits':{'max_seconds':1}} | limits.max_seconds is not known: limits has turn
          POST /sessions/ID/messages | {'message':'x','repositories':[{'url':'https://git.example.com/a'}]} | repositories[0].url is not known: repositories[0] has path and credential
          POST /uploads | {'name':'a','size':1} | file_name is required; name is not known: there are file_name, size, sha256 and mime_type
          POST /uploads | {'file_name':'a','size':'1'} | size must be a whole number from 0
          POST /keys | {'scopes':['read']} | name is required
          POST /keys | {'name':'x','scope':'read'} | scope is not known: there are name, scopes and expires_in_days
          POST /keys | {'name':'x','scopes':['all']} | scopes must be one or more of read, write, admin, decide
          POST /keys | {'name':'x','expires_in_days':'7'} | expires_in_days must be a whole number from 1 to 3650
          PUT /secrets/TOKEN | {'secret':'x'} | value is required; secret is not known: there are value, hosts and environment
          PUT /secrets/token | {'value':'x'} | name must be 1 to 64 of A-Z, 0-9 and _
          PUT /limits | {'max_cost_usd_per_day':1e999} | max_cost_usd_per_day must be dollars from 0.000001 to 1000000
          PUT /limits | {'max_cost_usd':1} | max_cost_usd is not known: there are max_cost_usd_per_month and max_cost_usd_per_day
          POST /webhooks | {'uri':'x'} | url is required; uri is not known: there are url, types and description
          POST /webhooks | {'url':'https://127.0.0.1/x','events':['ping']} | events is not known: there are url, types and description
          PATCH /webhooks/ID | {'enabled':false} | enabled is not known: there are url, types, description and is_enabled
          GET /sessions?status=done | | status must be one of working, requires_action, idle
          GET /sessions?limit=1000 | | limit must be a whole number from 1 to 100
          GET /sessions?created_after=yesterday | | created_after must be an ISO 8601 time, such as 2026-11-21T12:00:00.000Z
          GET /sessions/ID/messages?type=reply | | type must be one of
          GET /usage?group_by=agents | | group_by must be one of
          """)
  void isRefusedWithTheWayOut(String request, @Nullable String body, String words) {
    String[] parts = request.split(" ", -1);
    String path = parts[1].replace("ID", Client.unknownId());
    if (Contract.scope(parts[0], path).equals("admin")) {
      AdminClient.of(client);
    }
    ApiResponse answer = client.send(parts[0], path, body == null ? null : json(body));
    String said = answer.refused(422, "VALIDATION").path("message").asText();
    assertTrue(said.contains(words), said);
  }

  @Tag("stack")
  @Test
  void whatIsNotKnownOnTopOfAMessageIsNamedAndIgnored() {
    ApiResponse created =
        client.send("POST", "/sessions", json("{HI,'colour':1,'parent':{'a':null}}"));
    assertEquals(
        "[\"colour is not known and was ignored\",\"parent is not known and was ignored\"]",
        created.expect(201).json().path("warnings").toString());
    SessionHandle session = new SessionHandle(client, created.json());
    JsonNode sent =
        client
            .send("POST", session.path() + "/messages", json("{'message':'echo two','title':'x'}"))
            .expect(201)
            .json();
    assertEquals("[\"title is not known and was ignored\"]", sent.path("warnings").toString());
  }

  @Tag("stack")
  @Test
  void whatBelongsIntoPermissionsIsSaidToBelongThere() {
    ApiResponse created =
        client.send("POST", "/sessions", json("{HI,'hold_seconds':1,'rules':[],'colour':1}"));
    assertEquals(
        List.of(
            "hold_seconds is not known here and was ignored: it belongs into permissions",
            "rules is not known here and was ignored: it belongs into permissions",
            "colour is not known and was ignored"),
        created
            .expect(201)
            .json()
            .path("warnings")
            .valueStream()
            .map(warning -> warning.asText())
            .toList());
  }

  @Test
  void whatIsAllKnownHasNoWarning() {
    SessionHandle session = client.create("echo one", Map.of("is_private", false));
    assertEquals("[]", session.created().path("warnings").toString());
    JsonNode sent = client.post(session.path() + "/messages", Map.of("message", "echo two")).json();
    assertEquals("[]", sent.path("warnings").toString());
    assertTrue(session.load().path("warnings").isMissingNode());
  }

  @Test
  void aWarningIsPartOfTheKeptAnswer() {
    String key = Client.unknownId();
    String body = json("{HI,'colour':1}");
    ApiResponse first = client.send("POST", "/sessions", body, "Idempotency-Key", key).expect(201);
    ApiResponse again = client.send("POST", "/sessions", body, "Idempotency-Key", key).expect(201);
    assertEquals("true", again.header("Idempotent-Replayed"));
    assertEquals(first.body(), again.body());
  }

  @Test
  void theNamesOfMetadataAndVariablesAreFree() {
    String body = "{HI,'metadata':{'colour':'a'},'environment':{'variables':{'COLOUR':'b'}}}";
    client.send("POST", "/sessions", json(body)).expect(201);
  }

  private static String json(String text) {
    return text.replace("HI", "'agent_name':'shell','message':'echo hi'")
        .replace("APP", "'url':'https://git.example.com/app'")
        .replace('\'', '"');
  }
}
