package agentsessions.browser;

import agentsessions.talk.Client;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestInstantiationAwareExtension;

/// The JUnit extension of the console's tests: gives each test a workspace of its own on the one
/// stage of the process, and closes its windows afterwards. Without a browser the tests are
/// skipped, with a message.
final class Visits
    implements ExecutionCondition,
        TestInstantiationAwareExtension,
        ParameterResolver,
        AfterEachCallback {
  private static final Namespace OWN = Namespace.create(Visits.class);
  private static final Set<Class<?>> GIVEN = Set.of(Stage.class, Client.class, Visitor.class);

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return Stage.chromium().isPresent()
        ? ConditionEvaluationResult.enabled("Chromium is here")
        : ConditionEvaluationResult.disabled(
            "needs Chromium: .ci/install gets it, or apt-get install chromium");
  }

  /// The constructor's arguments belong to one test, not to its class.
  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
    return ExtensionContextScope.TEST_METHOD;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return GIVEN.contains(parameter.getParameter().getType());
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    Stage stage = stage(context);
    if (type == Stage.class) {
      return stage;
    }
    // A key of its own, so that the test's client does not use up the page's rate limit.
    String key = stage.newKey(workspace(context, stage));
    return type == Client.class ? stage.client(key) : stage.signedIn(key);
  }

  private static Stage stage(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(OWN)
        .getOrComputeIfAbsent(Stage.class, _ -> Stage.open(), Stage.class);
  }

  private static String workspace(ExtensionContext context, Stage stage) {
    return context
        .getStore(OWN)
        .getOrComputeIfAbsent(String.class, _ -> stage.newWorkspace(), String.class);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    stage(context).seeOut();
  }
}
