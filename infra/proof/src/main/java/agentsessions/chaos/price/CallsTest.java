package agentsessions.chaos.price;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;

import agentsessions.chaos.faults.CallCounter;
import agentsessions.chaos.faults.CountedCalls;
import agentsessions.chaos.faults.Experiment;
import agentsessions.chaos.faults.TaskExperiments;
import agentsessions.chaos.rig.AwsCall;
import agentsessions.chaos.rig.SharedRig;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The table of AWS calls of each operation; a change that adds a call has to change this table.
@Tag("chaos")
@Order(SharedRig.ORDER_STILL)
class CallsTest {
  private static final String CALLS =
      """
      create: Query, StartExecution, Transact[8]
      create, with a key: Query, StartExecution, Transact[9]
      follow-up, idle: BatchGetItem, Query, StartExecution, Transact[6]
      follow-up, interrupting: BatchGetItem, GetItem, StartExecution, Transact[7]
      follow-up, interrupting, with a key: BatchGetItem, GetItem, StartExecution, Transact[8]
      interrupt: 3 GetItem, Transact[3]
      change: Query, UpdateItem
      delete: GetItem, Query, Transact[7]
      poll, live: GetItem
      poll, ready: GetItem
      poll, ready, long: BatchGetItem, GetItem, GetObject
      get session: Query
      history: GetItem, Query
      history, with tool calls: GetItem, 2 Query
      page by number: BatchGetItem, Query
      page by number, of everything: BatchGetItem, 3 Query
      threads: GetItem, Query
      thread: GetItem
      sessions: BatchGetItem, Query
      artifacts: GetItem, Query
      artifact: BatchGetItem
      usage: Query
      export: GetItem, StartExecution, Transact[1]
      export, asked for again: GetItem, Transact[1]
      export, looked at: BatchGetItem
      live events: 2 BatchGetItem, 3 Query
      live events, nothing new: BatchGetItem
      live events, snapshot: GetItem, TransactGetItems
      begin: BatchGetItem, Invoke, PutItem, UpdateItem
      claim: BatchGetItem, Transact[2]
      is it live: GetItem
      lease: GetItem, 2 UpdateItem
      events: GetItem, Transact[6]
      uploads: GetItem
      result: BatchGetItem, GetItem, HeadObject, SendTaskSuccess, Transact[10]
      result, long: BatchGetItem, GetItem, PutObject, SendTaskSuccess, Transact[8]
      result, and release: BatchGetItem, GetItem, SendTaskSuccess, Transact[9]
      release: BatchGetItem, SendTaskSuccess, Transact[5]
      begin, the sandbox is held: BatchGetItem, PutItem, 2 UpdateItem
      release, a turn waits: BatchGetItem, GetItem, SendTaskFailure, SendTaskSuccess, Transact[5]
      fail: 2 GetItem, Transact[7]
      result, a message waits: 2 BatchGetItem, GetItem, SendTaskSuccess, StartExecution, 2 Transact[8]
      create, with work: 2 BatchGetItem, Query, StartExecution, Transact[10]
      create, with an upload: GetItem, HeadObject, Query, StartExecution, Transact[9]
      wait, with an upload: BatchGetItem, CopyObject, GetItem, HeadObject, Query, Transact[5]
      claim, with work: 2 BatchGetItem, 3 GetItem, GetParameters, Transact[2]
      ask: BatchGetItem, GetItem, Query, Transact[4]
      is it decided: 2 GetItem
      decide: 2 BatchGetItem, Transact[6]
      expire: BatchGetItem, GetItem, Transact[5]
      park: 2 BatchGetItem, SendTaskSuccess, Transact[2]
      decide, parked: 2 BatchGetItem, StartExecution, Transact[6]
      claim, decided: BatchGetItem, GetItem, Transact[2]
      decide, a plan: 3 BatchGetItem, GetItem, GetObject, Query, StartExecution, Transact[11]
      """;

  /// Operations that differ, or exist only, where sessions have tasks.
  private static final String OF_TASKS =
      """
      begin, by a task: BatchGetItem, PutItem, RunTask, 3 UpdateItem
      standby: 2 GetItem, PutItem
      next, nothing yet: GetItem
      """;

  @Test
  void aTaskThatWaitsCostsOneReadASecond() throws Exception {
    assertEquals(OF_TASKS, lines(TaskExperiments.all(), CountedCalls.ofTasks()));
  }

  @Test
  void everyOperationMakesTheseCallsAndNoMore() throws Exception {
    assertEquals(CALLS, lines(CallCounter.all(), CountedCalls.still()));
  }

  private static String lines(List<Experiment> all, Map<String, List<AwsCall>> counted)
      throws IOException {
    StringBuilder lines = new StringBuilder();
    for (Experiment one : all) {
      List<AwsCall> calls = requireNonNull(counted.get(one.name()));
      lines.append(one.name()).append(": ").append(CallCounter.told(calls)).append('\n');
    }
    return lines.toString();
  }
}
