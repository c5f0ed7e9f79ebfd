package agentsessions.local.process;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The pending invocations of a process: handed over and not answered yet.
final class PendingInvocations {
  /// The size limit of a function's answer, as on Lambda.
  private static final int LARGEST_ANSWER = 6_291_556;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<String, FunctionCall> invocations = new ConcurrentHashMap<>();

  void add(FunctionCall invocation) {
    invocations.put(invocation.id(), invocation);
  }

  void remove(FunctionCall invocation) {
    invocations.remove(invocation.id());
  }

  Optional<FunctionCall> find(String id) {
    return Optional.ofNullable(invocations.get(id));
  }

  /// Ends an invocation.
  ///
  /// @param how `response` or `error`
  /// @throws IOException if the answer cannot be read; the invocation is still pending then
  void end(FunctionCall invocation, String how, InputStream answer) throws IOException {
    byte[] body = answer.readNBytes(LARGEST_ANSWER + 1);
    remove(invocation);
    if (body.length > LARGEST_ANSWER) {
      invocation.fail("Function.ResponseSizeTooLarge", "the answer is larger than 6 MB");
    } else if (how.equals("error")) {
      fail(invocation, body);
    } else {
      invocation.answer().complete(body);
    }
  }

  /// Fails all invocations: the process is gone, and their progress is unknown.
  void lose() {
    invocations.values().forEach(PendingInvocations::lose);
  }

  static void lose(FunctionCall invocation) {
    invocation.fail("Runtime.ExitError", "the runner's process has ended");
  }

  private static void fail(FunctionCall invocation, byte[] body) {
    try {
      JsonNode error = JSON.readTree(body);
      invocation.fail(
          error.path("errorType").asText("Lambda.Unknown"), error.path("errorMessage").asText());
    } catch (IOException e) {
      invocation.fail("Lambda.Unknown", "an error that is not JSON");
    }
  }
}
