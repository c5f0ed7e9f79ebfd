package agentsessions.lambda;

import agentsessions.jobs.export.ExportBuilder;
import agentsessions.session.ExportId;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Workspace;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import io.micronaut.context.ApplicationContext;
import io.micronaut.core.type.Argument;
import io.micronaut.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The Lambda entry point of `ExportBuilder`: `{"workspace", "session_id", "export_id", "attempt"}`
/// to `{}`, whatever became of the export.
public final class ExportHandler implements RequestStreamHandler {
  private final JsonMapper json;
  private final ExportBuilder builder;

  public ExportHandler() {
    this(Map.of());
  }

  public ExportHandler(Map<String, Object> settings) {
    ApplicationContext application = Application.start(settings);
    this.json = application.getBean(JsonMapper.class);
    this.builder = application.getBean(ExportBuilder.class);
  }

  @Override
  public void handleRequest(InputStream input, OutputStream output, @Nullable Context context)
      throws IOException {
    Map<String, Object> event = json.readValue(input, Argument.mapOf(String.class, Object.class));
    if (!WakeUps.isOne(event)) {
      build(event);
    }
    output.write(json.writeValueAsBytes(Map.of()));
  }

  private void build(Map<String, Object> event) {
    SessionKey key =
        new SessionKey(
            new Workspace(text(event, "workspace")),
            SessionId.parse(text(event, "session_id")).orElseThrow());
    builder.build(
        key,
        ExportId.parse(text(event, "export_id")).orElseThrow(),
        Integer.parseInt(text(event, "attempt")));
  }

  private static String text(Map<String, Object> event, String name) {
    return Objects.requireNonNull(event.get(name), name).toString();
  }
}
