package agentsessions.turn;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// The Lambda entry point of `Sweep`, run by a schedule; whatever the event, the answer is
/// `{"seen": n}`.
public final class SweepHandler implements RequestStreamHandler {
  private final Sweep sweep;

  public SweepHandler() {
    this(Map.of());
  }

  public SweepHandler(Map<String, Object> settings) {
    this.sweep = Application.start(settings).getBean(Sweep.class);
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, Context context)
      throws IOException {
    String answer = "{\"seen\":%d}".formatted(sweep.run());
    output.write(answer.getBytes(StandardCharsets.UTF_8));
  }
}
