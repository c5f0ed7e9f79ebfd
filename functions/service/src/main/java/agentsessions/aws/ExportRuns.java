package agentsessions.aws;

import agentsessions.authorizer.SdkCalls;
import agentsessions.session.Export;
import io.micronaut.context.annotation.Property;
import io.micronaut.json.JsonMapper;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.sfn.model.ExecutionAlreadyExistsException;

/// The executions of the state machine that builds exports. A lost start needs no care: the export
/// has failed when its lease of a minute is over.
@Singleton
public final class ExportRuns {
  private static final Logger LOG = LoggerFactory.getLogger(ExportRuns.class);

  private final SfnClient client;
  private final JsonMapper json;
  private final String machine;

  ExportRuns(SfnClient client, JsonMapper json, @Property(name = "export.machine") String machine) {
    this.client = client;
    this.json = json;
    this.machine = machine;
  }

  /// Starts one attempt; its name makes a repeat harmless. Never throws for a fault of AWS.
  public void start(Export export) {
    String name = export.id() + "-" + export.attempt();
    String input = input(export);
    try {
      SdkCalls.make(() ->
          client.startExecution(start -> start.stateMachineArn(machine).name(name).input(input)));
    } catch (ExecutionAlreadyExistsException _) {
      LOG.atDebug().addKeyValue("export", name).log("export.already_started");
    } catch (SdkException lost) {
      LOG.atWarn()
          .addKeyValue("export", name)
          .addKeyValue("fault", lost.getClass().getSimpleName())
          .log("export.start_lost");
    }
  }

  /// Ids only.
  private String input(Export export) {
    try {
      return json.writeValueAsString(
          Map.of(
              "workspace", export.sessionKey().workspace().name(),
              "session_id", export.sessionKey().id().toString(),
              "export_id", export.id().toString(),
              "attempt", export.attempt()));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
