package agentsessions.local.steps;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/// A Lambda function whose handler runs in this JVM. An exception becomes an error named after its
/// class, as in Lambda's Java runtime.
public record InProcessFunction(RequestStreamHandler handler) implements Lambda {
  @Override
  public byte[] invoke(byte[] payload) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      handler.handleRequest(new ByteArrayInputStream(payload), out, null);
    } catch (IOException | RuntimeException e) {
      throw new StepError(e.getClass().getName(), String.valueOf(e.getMessage()));
    }
    return out.toByteArray();
  }
}
