package agentsessions.contract;

import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.ReflectionSupport;

/// The classes of the contract suite, and which of them have begun.
final class Suite implements BeforeAllCallback {
  private static final Set<Class<?>> begun = ConcurrentHashMap.newKeySet();

  /// All of them, in the order of the specification.
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

  /// Whether all of it is run, not some classes only.
  static boolean isWhole() {
    return begun.containsAll(classes());
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    begun.add(context.getRequiredTestClass());
  }
}
