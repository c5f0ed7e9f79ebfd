package agentsessions.local.process;

import agentsessions.local.steps.StepError;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/// An invocation of the runner function, and its pending answer.
final class FunctionCall {
  private final String id = UUID.randomUUID().toString();
  private final CompletableFuture<byte[]> answer = new CompletableFuture<>();
  private final byte[] payload;

  FunctionCall(byte[] payload) {
    this.payload = payload;
  }

  String id() {
    return id;
  }

  byte[] payload() {
    return payload;
  }

  /// The function's answer, or a [StepError].
  CompletableFuture<byte[]> answer() {
    return answer;
  }

  void fail(String error, String cause) {
    answer.completeExceptionally(new StepError(error, cause));
  }
}
