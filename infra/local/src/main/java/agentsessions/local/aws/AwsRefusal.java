package agentsessions.local.aws;

/// An error in AWS's words.
final class AwsRefusal extends RuntimeException {
  private final String type;

  /// @param type the error's name, without a namespace
  AwsRefusal(String type, String message) {
    super(message);
    this.type = type;
  }

  String type() {
    return type;
  }
}
