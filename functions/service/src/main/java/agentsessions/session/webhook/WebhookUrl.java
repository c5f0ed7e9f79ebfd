package agentsessions.session.webhook;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/// The rules for the URL of a webhook: https, or http where the operator allows it.
public final class WebhookUrl {
  private static final int MOST = 2_000;
  private static final int LAST_PORT = 65_535;

  /// The fault of a URL, if it has one that shows without resolving its host.
  ///
  /// @param plain whether http is allowed, too
  public static Optional<String> fault(String text, boolean plain) {
    if (text.length() > MOST) {
      return Optional.of("must be at most 2,000 characters");
    }
    return read(text).filter(url -> isGood(url, plain)).isPresent()
        ? Optional.empty()
        : Optional.of(
            "must be an %s URL, without user name and fragment"
                .formatted(plain ? "http or https" : "https"));
  }

  private static Optional<URI> read(String text) {
    try {
      return Optional.of(new URI(text));
    } catch (URISyntaxException malformed) {
      return Optional.empty();
    }
  }

  private static boolean isGood(URI url, boolean plain) {
    String scheme = String.valueOf(url.getScheme()).toLowerCase(Locale.ROOT);
    return (scheme.equals("https") || (plain && scheme.equals("http")))
        && url.getHost() != null
        && url.getHost().indexOf('%') < 0 // a zone id: a network interface of the client's machine
        && url.getRawUserInfo() == null
        && url.getRawFragment() == null
        && url.getPort() != 0
        && url.getPort() <= LAST_PORT;
  }

  private WebhookUrl() {}
}
