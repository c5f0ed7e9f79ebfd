package agentsessions.aws;

import software.amazon.awssdk.core.SdkClient;

/// The part that all stand-ins for clients of AWS share: they have no connection to close.
public interface AwsStandIn extends SdkClient {
  @Override
  default String serviceName() {
    return getClass().getSimpleName();
  }

  @Override
  default void close() {}
}
