package agentsessions.lambda;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;

/// The logs of a function: one JSON object a line. Where a file of Logback's says otherwise, as on
/// one machine, that file counts.
///
/// This is code and not such a file, since XML loads 411 classes at every cold start.
@ConfiguratorRank(ConfiguratorRank.CUSTOM_NORMAL_PRIORITY)
public final class JsonLogs extends ContextAwareBase implements Configurator {
  @Override
  public ExecutionStatus configure(LoggerContext context) {
    if (hasFile()) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    ConsoleAppender<ILoggingEvent> output = new ConsoleAppender<>();
    output.setContext(context);
    output.setEncoder(encoder(context));
    output.start();
    Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.WARN);
    root.addAppender(output);
    context.getLogger("agentsessions").setLevel(Level.INFO);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  static JsonEncoder encoder(LoggerContext context) {
    JsonEncoder encoder = new JsonEncoder();
    encoder.setContext(context);
    encoder.setWithSequenceNumber(false);
    encoder.setWithNanoseconds(false);
    encoder.setWithThreadName(false);
    encoder.setWithContext(false);
    encoder.setWithMarkers(false);
    encoder.setWithMDC(false);
    encoder.setWithArguments(false);
    encoder.setWithMessage(false);
    encoder.setWithFormattedMessage(true);
    encoder.start();
    return encoder;
  }

  private static boolean hasFile() {
    return System.getProperty("logback.configurationFile") != null
        || JsonLogs.class.getResource("/logback-test.xml") != null;
  }
}
