package agentsessions.session;

/// Where a session alone wants its events sent, as its client asks for it.
///
/// @param baseUrl what links in its events begin with
public record OwnWebhook(String url, String secret, String baseUrl) {
  /// Without the secret, so that no log can hold it.
  @Override
  public String toString() {
    return "webhook";
  }
}
