package agentsessions.store.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import agentsessions.aws.AwsStandIn;
import agentsessions.aws.ContendedTable;
import agentsessions.aws.InMemoryAws;
import agentsessions.aws.InMemoryBucket;
import agentsessions.aws.InMemoryTable;
import agentsessions.aws.NoMachine;
import agentsessions.session.Export;
import agentsessions.session.Session;
import agentsessions.testing.SettableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.StartExecutionRequest;
import software.amazon.awssdk.services.sfn.model.StartExecutionResponse;

/// The record of an export, with several who ask for it and builders that come late.
public class ExportsTest {
  private static final Duration A_MINUTE = Duration.ofMinutes(1);

  private final SettableClock clock = new SettableClock();
  private final ContendedTable table = new ContendedTable(new InMemoryTable(InMemoryAws.TABLE));
  private final InMemoryAws aws =
      InMemoryAws.of(table, new InMemoryBucket(), new NoMachine(), clock);
  private final List<String> starts = new ArrayList<>();
  private final Exports exports = InMemoryAws.exports(table, new Starts(), clock);
  private final Session session =
      aws.sessions().load(aws.accepted().key().sessionKey()).orElseThrow();

  @Test
  void ofTwoThatAskOneBeginsIt() {
    assertEquals(ask(), ask());
    assertEquals(1, starts.size());
  }

  @Test
  void ofTwoThatAskAtOnceOneBeginsItAgain() {
    Export _ = ask();
    clock.pass(A_MINUTE);
    table.beforeWrite(2, this::ask);
    assertEquals(2, ask().attempt());
    assertEquals(2, starts.size());
  }

  @Test
  void aBuilderIsTooLateAfterAMinute() {
    Export export = ask();
    clock.pass(A_MINUTE);
    assertFalse(exports.renew(export));
    assertFalse(exports.finish(export));
  }

  @Test
  void aBuilderOfAnEarlierAttemptHasNoSay() {
    Export first = ask();
    clock.pass(A_MINUTE);
    Export _ = ask();
    assertFalse(exports.renew(first));
    assertFalse(exports.finish(first));
  }

  private Export ask() {
    return exports.ask(session, "http://service");
  }

  /// The names of executions, which nobody runs.
  private final class Starts implements SfnClient, AwsStandIn {
    @Override
    public StartExecutionResponse startExecution(StartExecutionRequest request) {
      starts.add(request.name());
      return StartExecutionResponse.builder().build();
    }
  }
}
