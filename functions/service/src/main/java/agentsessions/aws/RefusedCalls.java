package agentsessions.aws;

import agentsessions.table.NotAllowed;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.core.interceptor.SdkExecutionAttribute;

/// The log of calls for which the role lacks a permission: `aws.not_allowed` with the action and
/// AWS's words, a line that an alarm counts.
public final class RefusedCalls implements ExecutionInterceptor {
  private static final Logger LOG = LoggerFactory.getLogger(RefusedCalls.class);
  private static final ScopedValue<Boolean> EXPECTED = ScopedValue.newInstance();

  /// Does what may be refused: before a snapshot is taken a role may not have all its policies yet.
  public static void expected(Runnable act) {
    ScopedValue.where(EXPECTED, true).run(act);
  }

  @Override
  public void onExecutionFailure(Context.FailedExecution context, ExecutionAttributes attributes) {
    if (!EXPECTED.isBound() && NotAllowed.is(context.exception())) {
      LOG.atError()
          .addKeyValue("service", attributes.getAttribute(SdkExecutionAttribute.SERVICE_NAME))
          .addKeyValue("action", attributes.getAttribute(SdkExecutionAttribute.OPERATION_NAME))
          .addKeyValue("reason", context.exception().getMessage())
          .log("aws.not_allowed");
    }
  }
}
