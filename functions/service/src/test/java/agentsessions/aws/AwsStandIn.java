package agentsessions.aws;

import software.amazon.awssdk.core.SdkClient;

/// The common base of stand-ins for AWS clients: they have no connection to close.
public interface AwsStandIn extends SdkClient {
  @Override
  default String serviceName() {
    return getClass().getSimpleName();
  }

  @Override
  default void close() {}
}
