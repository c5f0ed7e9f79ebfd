package agentsessions.contract;

import agentsessions.talk.TurnHandle;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.platform.commons.support.ReflectionSupport;

/// The classes of the contract suite, and the record of those that have ended. A check that fails
/// says how the turn was that it has looked at last.
final class Suite implements AfterAllCallback, BeforeEachCallback, TestExecutionExceptionHandler {
  private static final Set<Class<?>> ended = ConcurrentHashMap.newKeySet();

  /// All classes, in the order of the specification.
  static List<Class<?>> classes() {
    return ReflectionSupport.findAllClassesInPackage(
            Suite.class.getPackageName(),
            type -> type.isAnnotationPresent(Section.class),
            name -> name.endsWith("Test"))
        .stream()
        .sorted(Comparator.comparing(type -> section(type).number() + section(type).title()))
        .toList();
  }

  static Section section(Class<?> type) {
    return type.getAnnotation(Section.class);
  }

  /// The classes that have not ended, or were not run at all.
  static List<String> missing() {
    return classes().stream()
        .filter(type -> !ended.contains(type))
        .map(Class::getSimpleName)
        .toList();
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    TurnHandle.forgetLast();
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    TurnHandle.last()
        .ifPresent(turn -> failure.addSuppressed(new AssertionError("The last turn: " + turn)));
    throw failure;
  }

  @Override
  public void afterAll(ExtensionContext context) {
    ended.add(context.getRequiredTestClass());
  }
}
