package agentsessions.scripts;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import agentsessions.table.Layout;
import agentsessions.testing.Loopback;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The concurrency that a new stack reserves of an account's Lambda quota, of which 100 must stay
/// unreserved; and the refusal to update a stack with another data format.
final class AccountTest {
  @AutoClose private Loopback aws;
  private int quota;

  /// The format of the stack's data, empty if the stack states none; null if there is no stack.
  private @Nullable String format;

  private String status = "UPDATE_COMPLETE";

  @BeforeEach
  void open() throws IOException {
    assumeTrue(PythonScript.isInstalled(), "needs the SAM CLI of scripts/lint");
    aws = new Loopback(this::answer);
  }

  @ParameterizedTest
  @CsvSource({
    "1000, EventConcurrency=50 RunnerApiConcurrency=100 RunnerConcurrency=300",
    "3000, EventConcurrency=50 RunnerApiConcurrency=100 RunnerConcurrency=1300",
    "200, EventConcurrency=12 RunnerApiConcurrency=9 RunnerConcurrency=29",
    "110, EventConcurrency=1 RunnerApiConcurrency=1 RunnerConcurrency=3",
    "102, RunnerConcurrency=1",
    "100, ''",
    "10, ''",
  })
  void halfOfWhatMayBeReservedIs(int given, String expected) throws Exception {
    quota = given;
    List<String> found = reserved();
    assertEquals(expected, String.join(" ", found));
    int reserved = found.stream().mapToInt(AccountTest::amount).sum();
    assertTrue(reserved == 0 || given - reserved >= 100 + reserved, found::toString);
  }

  @Test
  void whatIsNotBoundedIsSaid() throws Exception {
    quota = 10;
    String said = account().output();
    assertEquals(
        Set.of(
            "how many answers about live events are held open at once",
            "how many calls of runners are answered at once",
            "how many turns run at once"),
        said.lines()
            .filter(line -> line.startsWith("Not bounded: "))
            .map(line -> line.substring("Not bounded: ".length()).replaceFirst("[;,].*", ""))
            .collect(Collectors.toSet()),
        said);
  }

  @Test
  void whatIsGivenIsNotFoundOut() throws Exception {
    quota = 1000;
    assertEquals(
        List.of("EventConcurrency=50", "RunnerConcurrency=400"),
        reserved("RunnerApiConcurrency=7"));
  }

  @Test
  void aStackOfThisFormatIsUpdated() throws Exception {
    quota = 1000;
    format = Integer.toString(Layout.FORMAT);
    assertTrue(account().output().contains("RunnerConcurrency="));
  }

  /// It is refused before anything is made in the account, such as the role of ECS.
  @Test
  void aStackOfAnotherFormatOrOfNoneIsRefused() throws Exception {
    quota = 1000;
    for (String other : List.of("0", Integer.toString(Layout.FORMAT + 1), "")) {
      format = other;
      ScriptMachine.Ending refused = run("RunnerImage=image");
      assertEquals(1, refused.status(), refused.output());
      assertEquals(
          "Error: the data of the stack stack is of format %s, and this version reads format %d: update it with a version that does, or deploy another stack (--stack NAME).\n"
              .formatted(other.isEmpty() ? "0" : other, Layout.FORMAT),
          refused.output());
    }
  }

  /// CloudFormation updates no such stack.
  @Test
  void aStackThatWasNeverThereIsRefusedWithWhatToDo() throws Exception {
    quota = 1000;
    format = "";
    status = "ROLLBACK_COMPLETE";
    ScriptMachine.Ending refused = run();
    assertEquals(1, refused.status(), refused.output());
    assertTrue(refused.output().contains("scripts/destroy --stack stack --data"), refused::output);
  }

  private List<String> reserved(String... given) throws Exception {
    return account(given)
        .output()
        .lines()
        .filter(line -> line.matches("\\w+Concurrency=\\d+"))
        .toList();
  }

  private static int amount(String parameter) {
    return Integer.parseInt(parameter.replaceFirst(".*=", ""));
  }

  private ScriptMachine.Ending account(String... given) throws Exception {
    ScriptMachine.Ending ending = run(given);
    assertEquals(0, ending.status(), ending.output());
    return ending;
  }

  private ScriptMachine.Ending run(String... given) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("stack"));
    arguments.addAll(List.of(given));
    return new PythonScript(aws).run("account.py", arguments);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String reply = reply(exchange.getRequestURI().getPath(), body);
    byte[] bytes = reply.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(reply.contains("<Error>") ? 400 : 200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  /// The answer of an account that has nothing, or this one stack.
  private String reply(String path, String body) {
    if (path.contains("/account-settings")) {
      return """
      {"AccountLimit": {"ConcurrentExecutions": %1$d, "UnreservedConcurrentExecutions": %1$d}}\
      """
          .formatted(quota);
    }
    if (body.contains("DescribeStacks") && format != null) {
      return stack(format);
    }
    if (body.contains("DescribeStacks")) {
      return "<ErrorResponse><Error><Code>ValidationError</Code></Error></ErrorResponse>";
    }
    return path.equals("/account")
        ? "{}"
        : body.startsWith("{")
            ? "{\"TableNames\":[]}"
            : "<ListAllMyBucketsResult><Buckets/></ListAllMyBucketsResult>";
  }

  private String stack(String format) {
    return """
    <DescribeStacksResponse><DescribeStacksResult><Stacks><member>
      <StackName>stack</StackName><StackStatus>%s</StackStatus>
      <Outputs>%s%s</Outputs>
    </member></Stacks></DescribeStacksResult></DescribeStacksResponse>
    """
        .formatted(
            status, output("ApiId", "a"), format.isEmpty() ? "" : output("DataFormat", format));
  }

  private static String output(String key, String value) {
    return "<member><OutputKey>%s</OutputKey><OutputValue>%s</OutputValue></member>"
        .formatted(key, value);
  }
}
