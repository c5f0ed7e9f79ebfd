package agentsessions.local.aws;

import agentsessions.local.aws.JsonProtocol.Answer;
import agentsessions.local.process.TaskEngine;
import java.net.URI;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/// An HTTP endpoint of the ECS API alone, on loopback, for a service that runs in another process.
/// As on AWS, the end of a task is not reported to its turn.
public final class TaskEndpoint implements AutoCloseable {
  private final JsonProtocol protocol = new JsonProtocol();

  /// Opens a port and starts to answer.
  public TaskEndpoint(TaskEngine tasks) {
    TaskCalls calls = new TaskCalls(tasks, (_, _) -> {}, Clock.systemUTC());
    protocol.serve(call -> {
      @Nullable String target = call.target();
      if (target == null || !TaskCalls.isOne(target)) {
        throw new AwsRefusal("UnknownOperationException", "not known here: " + call.rest());
      }
      return Answer.ok(calls.answer(target, call.input()));
    });
  }

  /// The endpoint's address. It contains the secret path, so it must not be logged.
  public URI endpoint() {
    return protocol.endpoint();
  }

  @Override
  public void close() {
    protocol.close();
  }
}
