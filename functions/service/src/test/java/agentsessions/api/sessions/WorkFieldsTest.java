package agentsessions.api.sessions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.api.request.RequestBody;
import agentsessions.api.workspace.SecretRules;
import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.NoMachine;
import agentsessions.session.Artifact;
import agentsessions.session.id.ArtifactId;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.UploadId;
import agentsessions.session.id.Workspace;
import agentsessions.session.input.Environment;
import agentsessions.session.input.InputFile;
import agentsessions.session.input.Upload;
import agentsessions.session.repository.Checkout;
import agentsessions.session.repository.RepositoryUrl;
import agentsessions.testing.SettableClock;
import agentsessions.turn.catalogue.OperatorPolicy;
import io.micronaut.json.JsonMapper;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The inputs of a session, field by field, and the field that each fault names.
class WorkFieldsTest {
  private static final JsonMapper JSON = JsonMapper.createDefault();
  private static final Workspace WORKSPACE = new Workspace("w");
  private static final String APP = "'url':'https://git.example.com/team/app.git'";
  private static final Artifact PLAN =
      new Artifact(
          new ArtifactId(new UUID(1, 2)),
          new SessionKey(WORKSPACE, new SessionId(new UUID(3, 4))).turn(new TurnId(new UUID(5, 6))),
          "/workspace/PLAN.md",
          null,
          7,
          "a".repeat(64),
          "text/markdown",
          "artifacts/x",
          Instant.EPOCH);

  private static final Upload UPLOAD =
      new Upload(
          WORKSPACE, new UploadId(new UUID(7, 8)), "e.zip", 9, null, null, Instant.EPOCH, true);

  private final InMemoryAws aws =
      InMemoryAws.of(
          new InMemoryTable(InMemoryAws.TABLE),
          new InMemoryBucket(),
          new NoMachine(),
          new SettableClock());
  private boolean near = true;

  @Test
  void aRepositoryIsItsUrlAndTheRestHasDefaults() {
    assertEquals(
        List.of(
            new Checkout(
                RepositoryUrl.of("https://git.example.com/team/app.git"),
                null,
                "app",
                50,
                false,
                null,
                null)),
        repositories("{'repositories':[{%s}]}".formatted(APP)));
  }

  @Test
  void allOfARepositoryIsRead() {
    assertEquals(
        List.of(
            new Checkout(
                RepositoryUrl.of("https://gitlab.example.com/app"),
                "v1",
                "code/app",
                0,
                true,
                new Checkout.Credential.Token("me", "t0ken"),
                new Checkout.Push(
                    "agent/x",
                    true,
                    "main",
                    Checkout.Provider.GITLAB,
                    new Checkout.PullRequest("Title", "Body", true)))),
        repositories(
            """
            {'repositories':[{'url':'https://gitlab.example.com/app','ref':'v1','path':'code/app','depth':0,
              'submodules':true,'credential':{'username':'me','token':'t0ken'},
              'push':{'branch':'agent/x','adopt':true,'base':'main','pull_request':{'title':'Title','body':'Body','draft':true}}}]}
            """));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{} | [0].url",
        "{'url':1} | [0].url",
        "{'url':'http://git.example.com/app'} | [0].url",
        "{APP,'ref':'-x'} | [0].ref",
        "{APP,'ref':''} | [0].ref",
        "{APP,'path':'../x'} | [0].path",
        "{APP,'path':'plans'} | [0].path",
        "{APP,'path':'x\\nid>/tmp/p #'} | [0].path",
        "{'url':'https://git.example.com/outputs'} | [0].path",
        "{APP,'depth':-1} | [0].depth",
        "{APP,'depth':10001} | [0].depth",
        "{APP,'depth':1.5} | [0].depth",
        "{APP,'depth':1e999} | [0].depth",
        "{APP,'depth':'1'} | [0].depth",
        "{APP,'submodules':1} | [0].submodules",
        "{APP,'credential':1} | [0].credential",
        "{APP,'credential':{}} | [0].credential",
        "{APP,'credential':{'secret':'A','token':'b'}} | [0].credential [0].credential.secret",
        "{APP,'credential':{'secret':'lower'}} | [0].credential.secret",
        "{APP,'credential':{'secret':'UNKNOWN'}} | [0].credential.secret",
        "{APP,'credential':{'token':' '}} | [0].credential.token",
        "{APP,'credential':{'token':'a\\nb'}} | [0].credential.token",
        "{APP,'credential':{'token':'a','username':'a:b'}} | [0].credential.username",
        "{APP,'push':{'branch':'HEAD'}} | [0].push.branch",
        "{APP,'push':{'branch':'x','base':'x'}} | [0].push.base",
        "{APP,'push':{'provider':'svn'}} | [0].push.provider",
        "{APP,'push':{'pull_request':{}},'credential':{'token':'a'}} | [0].push.provider",
        "{APP,'push':{'pull_request':{},'provider':'gitea'}} | [0].credential",
        "{APP,'push':{'pull_request':{'title':'a\\nb'},'provider':'gitea'},'credential':{'token':'a'}} | [0].push.pull_request.title",
        "{APP,'push':{'pull_request':{'draft':1},'provider':'gitea'},'credential':{'token':'a'}} | [0].push.pull_request.draft",
        "{APP},{APP} | [1].path",
        "{APP,'path':'x'},{APP,'path':'x/y'} | [1].path",
        "1 | [0]"
      })
  void aFaultOfARepositoryIsToldWithItsPlace(String elements, String fields) {
    assertEquals(
        List.of(fields.replace("[", "repositories[").split(" ")),
        faults("{'repositories':[%s]}".formatted(elements.replace("APP", APP))));
  }

  @Test
  void thereAreTenRepositoriesAtMostAndInAnArray() {
    assertEquals(List.of("repositories"), faults("{'repositories':{}}"));
    assertEquals(
        List.of("repositories"),
        faults("{'repositories':[%s]}".formatted("{},".repeat(10) + "{}")));
  }

  @Test
  void aSecretGoesToItsHostsOnly() {
    aws.secrets().put(WORKSPACE, "TOKEN", "v", List.of("git.example.com"), false);
    String body = "{'repositories':[{'url':'https://%s/app','credential':{'secret':'TOKEN'}}]}";
    assertEquals(List.of(), faults(body.formatted("git.example.com")));
    assertEquals(
        List.of("repositories[0].credential.secret"), faults(body.formatted("other.example.com")));
    assertEquals(
        List.of("repositories[0].credential.secret"),
        faults(body.formatted("git.example.com:8443")));
  }

  @Test
  void secretsComeNearConfinedAgentsOnly() {
    near = false;
    assertEquals(
        List.of("repositories[0].credential", "repositories[1].push", "environment.secrets"),
        faults(
            """
            {'repositories':[{'url':'https://a/b','credential':{'token':'a'}},{'url':'https://a/c','push':{}}],
             'environment':{'secrets':['A'],'variables':{'B':'c'},'setup':'true'}}
            """));
  }

  @Test
  void anEnvironmentIsRead() {
    aws.secrets().put(WORKSPACE, "TOKEN", "v", List.of(), true);
    assertEquals(
        new Environment(Map.of("A", "1", "b", ""), List.of("TOKEN"), "make"),
        environment(
            "{'environment':{'variables':{'A':'1','b':''},'secrets':['TOKEN'],'setup':'make'}}"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "1 | ",
        "{'variables':[]} | .variables",
        "{'variables':{'A':1}} | .variables.A",
        "{'variables':{'1':'a'}} | .variables.1",
        "{'variables':{'PATH':'a'}} | .variables.PATH",
        "{'variables':{'SET':'a'}} | .variables.SET",
        "{'variables':{'A':'\\u0000'}} | .variables.A",
        "{'secrets':{}} | .secrets",
        "{'secrets':[1]} | .secrets[0] .secrets[0]",
        "{'secrets':['a']} | .secrets[0]",
        "{'secrets':['UNKNOWN']} | .secrets[0]",
        "{'secrets':['GIT_TOKEN']} | .secrets[0] .secrets[0]",
        "{'setup':''} | .setup",
        "{'setup':1} | .setup",
        "{'setup':'\\u0000'} | .setup"
      })
  void aFaultOfAnEnvironmentIsToldWithItsPlace(String environment, String fields) {
    assertEquals(
        List.of(
            (fields == null ? "" : fields)
                .replaceAll("(^| )(?=\\.|$)", "$1environment")
                .split(" ")),
        faults("{'environment':%s}".formatted(environment)));
  }

  @Test
  void anEnvironmentHasItsLimits() {
    String variables = "{'environment':{'variables':{'A':'%s'}}}";
    assertEquals(List.of(), faults(variables.formatted("a".repeat(32 * 1024 - 1))));
    assertEquals(
        List.of("environment.variables"), faults(variables.formatted("a".repeat(32 * 1024))));
    String setup = "{'environment':{'setup':'%s'}}";
    assertEquals(List.of(), faults(setup.formatted("a".repeat(64 * 1024))));
    assertEquals(List.of("environment.setup"), faults(setup.formatted("a".repeat(64 * 1024 + 1))));
  }

  @Test
  void filesAreRead() {
    assertEquals(
        List.of(
            new InputFile.Inline("a", ByteBuffer.wrap(new byte[] {(byte) 0xc3, (byte) 0xbc})),
            new InputFile.Inline("b/c", ByteBuffer.wrap(new byte[] {0, 1})),
            new InputFile.Stored("d", "artifacts/x", 7, "a".repeat(64)),
            new InputFile.Stored("e", UPLOAD.objectKey(), 9, null)),
        files(
            """
            {'files':[{'path':'a','content':'\u00fc'},{'path':'b/c','content_base64':'AAE='},
                      {'path':'d','artifact_id':'%s'},{'path':'e','upload_id':'%s'}]}
            """
                .formatted(PLAN.id(), UPLOAD.id())));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{'path':'a'} | [0]",
        "{'path':'a','content':'','content_base64':''} | [0]",
        "{'content':''} | [0].path",
        "{'path':'../a','content':''} | [0].path",
        "{'path':'a\\nb','content':''} | [0].path",
        "{'path':'a','content':1} | [0].content",
        "{'path':'a','content_base64':'?'} | [0].content_base64",
        "{'path':'a','artifact_id':'x'} | [0].artifact_id",
        "{'path':'a','artifact_id':'00000000-0000-4000-8000-000000000009'} | [0].artifact_id",
        "{'path':'a','upload_id':'00000000-0000-4000-8000-000000000009'} | [0].upload_id",
        "{'path':'a','content':''},{'path':'a','content':''} | [1].path",
        "{'path':'a/b','content':''},{'path':'a','content':''} | [1].path"
      })
  void aFaultOfAFileIsToldWithItsPlace(String elements, String fields) {
    assertEquals(
        List.of(fields.replace("[", "files[").split(" ")),
        faults("{'files':[%s]}".formatted(elements)));
  }

  @Test
  void filesHaveTheirLimitsTogether() {
    String two = "{'files':[{'path':'a','content':'%s'},{'path':'b','content':'%s'}]}";
    String half = "a".repeat(128 * 1024);
    assertEquals(List.of(), faults(two.formatted(half, half)));
    assertEquals(List.of("files"), faults(two.formatted(half, half + "a")));
    assertEquals(List.of("files"), faults("{'files':[%s{}]}".formatted("{},".repeat(20))));
  }

  @Test
  void aFileIsNotTheFolderOfARepository() {
    String body = "{'repositories':[{%s,'path':'code/app'}],'files':[{'path':'%s','content':''}]}";
    assertEquals(List.of(), faults(body.formatted(APP, "code/app/x")));
    assertEquals(List.of("files[0].path"), faults(body.formatted(APP, "code/app")));
    assertEquals(List.of("files[0].path"), faults(body.formatted(APP, "code")));
  }

  @Test
  void aUrlThatAnOptionWouldAllowNamesItOnOneMachineOnly() {
    String option = ", unless the service is started with --allow-private";
    assertTrue(said("http://127.0.0.1:8090/hello", policy("8080")).endsWith(option));
    assertFalse(said("http://127.0.0.1:8090/hello", policy("")).contains("--"));
    assertFalse(said("ftp://127.0.0.1/hello", policy("8080")).contains("--"));
  }

  private String said(String url, OperatorPolicy policy) {
    RequestBody body = read("{'repositories':[{'url':'%s'}]}".formatted(url));
    List<Checkout> _ = new RepositoryFields(policy, rules()).read(body);
    return body.faults().getFirst().message();
  }

  /// @param ownPorts empty where the service is not on one machine
  private static OperatorPolicy policy(String ownPorts) {
    return new OperatorPolicy(false, ownPorts, true, "", false, List.of());
  }

  private List<Checkout> repositories(String body) {
    return new RepositoryFields(policy(""), rules()).read(read(body));
  }

  private Environment environment(String body) {
    return new EnvironmentFields(Set.of("SET"), rules()).read(read(body));
  }

  private static List<InputFile> files(String body) {
    return new FileFields(WorkFieldsTest::artifact, WorkFieldsTest::upload)
        .read(read(body), List.of());
  }

  private List<String> faults(String text) {
    RequestBody body = read(text);
    List<Checkout> checkouts = new RepositoryFields(policy(""), rules()).read(body);
    new EnvironmentFields(Set.of("SET"), rules()).read(body);
    new FileFields(WorkFieldsTest::artifact, WorkFieldsTest::upload).read(body, checkouts);
    return body.faults().stream().map(fault -> fault.field()).toList();
  }

  private SecretRules rules() {
    return new SecretRules(WORKSPACE, aws::secrets, near);
  }

  private static Optional<Artifact> artifact(ArtifactId id) {
    return Optional.of(PLAN).filter(artifact -> artifact.id().equals(id));
  }

  private static Optional<Upload> upload(UploadId id) {
    return Optional.of(UPLOAD).filter(upload -> upload.id().equals(id));
  }

  private static RequestBody read(String text) {
    return RequestBody.read(JSON, text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }
}
