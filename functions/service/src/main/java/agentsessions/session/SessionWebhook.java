package agentsessions.session;

/// The webhook of a single session, as its client asks for it.
///
/// @param baseUrl the beginning of the links in its events
public record SessionWebhook(String url, String secret, String baseUrl) {
  /// Without the secret, so that no log can hold it.
  @Override
  public String toString() {
    return "webhook";
  }
}
