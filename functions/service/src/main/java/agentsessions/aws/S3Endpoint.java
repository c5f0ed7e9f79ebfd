package agentsessions.aws;

import java.net.URI;
import java.util.Optional;

/// The endpoint of S3 where it is not AWS's own: read from the SDK's settings here, because the
/// presigner does not read them.
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
