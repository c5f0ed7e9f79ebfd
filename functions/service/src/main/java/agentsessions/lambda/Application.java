package agentsessions.lambda;

import agentsessions.table.ChangeSignal;
import agentsessions.turn.catalogue.PriceList;
import io.micronaut.context.ApplicationContext;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The one Micronaut context of this process. Beans are built when first used: a function then pays
/// only for what it calls.
public final class Application {
  private static @Nullable ApplicationContext context;

  /// The context; `settings` add to the environment the first time, and are ignored later.
  public static synchronized ApplicationContext start(Map<String, Object> settings) {
    ApplicationContext running = context;
    if (running == null) {
      running =
          ApplicationContext.builder()
              .environments("function", "lambda")
              .banner(false)
              .eagerInitSingletons(false)
              .eagerInitConfiguration(false)
              .properties(settings)
              .start();
      context = running;
    }
    return running;
  }

  /// The mistake, if any, in a file that these settings name and that only a later request would
  /// read: the price list.
  public static Optional<String> mistake(Map<String, Object> settings) {
    Object prices = settings.get("prices.file");
    return PriceList.mistake(prices == null ? null : prices.toString());
  }

  /// Ends all waits for a change of a session now, as before a stop.
  public static synchronized void endWaits() {
    if (context != null) {
      context.getBean(ChangeSignal.class).close();
    }
  }

  /// Closes the context; the next start makes a new one.
  public static synchronized void stop() {
    if (context != null) {
      context.close();
      context = null;
    }
  }

  private Application() {}
}
