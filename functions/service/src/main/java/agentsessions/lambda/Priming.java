package agentsessions.lambda;

import agentsessions.aws.Executions;
import agentsessions.aws.RunnerFunction;
import agentsessions.session.id.SessionId;
import agentsessions.session.id.SessionKey;
import agentsessions.session.id.Stamp;
import agentsessions.session.id.TurnId;
import agentsessions.session.id.TurnKey;
import agentsessions.session.id.Workspace;
import agentsessions.table.Layout;
import agentsessions.table.Table;
import agentsessions.table.TimeOrderedIds;
import agentsessions.table.item.IdempotencyItem;
import agentsessions.table.item.MessageItem;
import agentsessions.table.item.SandboxLockItem;
import agentsessions.table.item.SessionItem;
import agentsessions.table.item.TurnItem;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import io.micronaut.context.ApplicationContext;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The acts of a function before its snapshot is taken, so that its first event need not load the
/// classes for them. They change nothing: the turn they name is not there.
///
/// What fails is left out, as where the table or a permission is not there yet.
final class Priming {
  static final String SESSION = "00000000-0000-4000-8000-000000000000";
  static final String ONE = "00000000-0000-7000-8000-000000000000";

  /// Of a workspace that no key can be made for.
  static final TurnKey TURN =
      new SessionKey(new Workspace("-"), SessionId.parse(SESSION).orElseThrow())
          .turn(TurnId.parse(ONE).orElseThrow());

  private static final Layout.Key NOTHING = Layout.standby(TURN.sessionKey());
  private static final Logger LOG = LoggerFactory.getLogger(Priming.class);

  private static final List<Class<?>> ITEMS =
      List.of(
          SessionItem.class,
          TurnItem.class,
          MessageItem.class,
          IdempotencyItem.class,
          SandboxLockItem.class);

  @FunctionalInterface
  private interface Act {
    void run() throws IOException, IllegalAccessException;
  }

  /// Handles an event that is about nothing.
  static void event(RequestStreamHandler handler, String event) {
    attempt(() ->
        handler.handleRequest(
            new ByteArrayInputStream(event.getBytes(StandardCharsets.UTF_8)),
            OutputStream.nullOutputStream(),
            null));
  }

  /// Initializes the classes of what nearly every function reads or writes.
  static void load() {
    attempt(() -> {
      for (Class<?> item : ITEMS) {
        MethodHandles.lookup().ensureInitialized(item);
      }
      TurnId _ = TimeOrderedIds.turn(Stamp.of(Instant.EPOCH));
    });
  }

  /// Looks for what is not there.
  static void query(ApplicationContext application) {
    attempt(() -> application.getBean(Table.class).keys(NOTHING.pk(), 1));
  }

  /// Removes what is not there, in a transaction.
  static void write(ApplicationContext application) {
    attempt(() -> application.getBean(Table.class).prime(NOTHING));
  }

  /// Calls Step Functions for nothing.
  static void start(ApplicationContext application) {
    attempt(() -> application.getBean(Executions.class).prime());
  }

  /// Calls Lambda for nothing.
  static void launch(ApplicationContext application) {
    attempt(() -> application.getBean(RunnerFunction.class).prime());
  }

  private static void attempt(Act act) {
    try {
      act.run();
    } catch (IOException | IllegalAccessException | RuntimeException fault) {
      LOG.atInfo().addKeyValue("fault", fault.toString()).log("function.not_primed");
    }
  }

  private Priming() {}
}
