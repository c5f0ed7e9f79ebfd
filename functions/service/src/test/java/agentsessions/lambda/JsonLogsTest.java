package agentsessions.lambda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

class JsonLogsTest {
  private final LoggerContext context = new LoggerContext();

  @Test
  void aLineIsOneJsonObjectWithWhatIsSaidOnce() {
    LoggingEvent event = new LoggingEvent();
    event.setLoggerName("agentsessions.one");
    event.setLevel(Level.INFO);
    event.setTimeStamp(7);
    event.setMessage("request");
    event.setKeyValuePairs(List.of(new KeyValuePair("status", 200)));
    event.setLoggerContext(context);

    assertEquals(
        """
        {"timestamp":7,"level":"INFO","loggerName":"agentsessions.one",\
        "kvpList": [{"status":"200"}],"formattedMessage":"request","throwable":null}
        """,
        new String(JsonLogs.encoder(context).encode(event), StandardCharsets.UTF_8));
  }

  @Test
  void aFileOfTestsCountsMore() {
    assertEquals(
        Configurator.ExecutionStatus.INVOKE_NEXT_IF_ANY, new JsonLogs().configure(context));
  }

  @Test
  void logbackFindsIt() {
    assertTrue(
        ServiceLoader.load(Configurator.class).stream()
            .anyMatch(found -> found.type() == JsonLogs.class));
  }
}
