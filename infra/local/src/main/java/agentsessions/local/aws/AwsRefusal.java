package agentsessions.local.aws;

/// An error response of an AWS service.
final class AwsRefusal extends RuntimeException {
  private final String type;

  /// @param type the error code, without a namespace
  AwsRefusal(String type, String message) {
    super(message);
    this.type = type;
  }

  String type() {
    return type;
  }
}
