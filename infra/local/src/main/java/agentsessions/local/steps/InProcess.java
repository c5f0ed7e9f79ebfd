package agentsessions.local.steps;

import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/// A Lambda handler that runs in this JVM. What it throws is named by its class, as the Java
/// runtime of Lambda does.
public record InProcess(RequestStreamHandler handler) implements Lambda {
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
