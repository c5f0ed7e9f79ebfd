package agentsessions.local.aws;

import agentsessions.local.aws.JsonProtocol.Answer;
import agentsessions.local.process.Tasks;
import java.net.URI;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/// ECS alone, on loopback, for a service that is not a part of this process. As on AWS, nobody is
/// told of a task's end.
public final class TaskEndpoint implements AutoCloseable {
  private final JsonProtocol protocol = new JsonProtocol();

  /// Answers from now on.
  public TaskEndpoint(Tasks tasks) {
    TaskCalls calls = new TaskCalls(tasks, (_, _) -> {}, Clock.systemUTC());
    protocol.serve(call -> {
      @Nullable String target = call.target();
      if (target == null || !TaskCalls.isOne(target)) {
        throw new AwsRefusal("UnknownOperationException", "not known here: " + call.rest());
      }
      return Answer.ok(calls.answer(target, call.input()));
    });
  }

  /// It holds a secret.
  public URI endpoint() {
    return protocol.endpoint();
  }

  @Override
  public void close() {
    protocol.close();
  }
}
