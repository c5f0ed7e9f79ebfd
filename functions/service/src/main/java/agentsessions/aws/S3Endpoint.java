package agentsessions.aws;

import java.net.URI;
import java.util.Optional;

/// Where S3 is, when it is not AWS: read from the SDK's own settings, because the presigner does
/// not look at them.
final class S3Endpoint {
  static Optional<URI> overridden() {
    return setting("aws.endpointUrlS3", "AWS_ENDPOINT_URL_S3")
        .or(() -> setting("aws.endpointUrl", "AWS_ENDPOINT_URL"))
        .map(URI::create);
  }

  private static Optional<String> setting(String property, String variable) {
    return Optional.ofNullable(System.getProperty(property))
        .or(() -> Optional.ofNullable(System.getenv(variable)))
        .filter(value -> !value.isBlank());
  }

  private S3Endpoint() {}
}
