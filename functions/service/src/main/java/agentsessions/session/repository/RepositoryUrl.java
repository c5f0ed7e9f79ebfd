package agentsessions.session.repository;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The URL of a repository: https, or http where the operator allows it.
public record RepositoryUrl(URI uri) {
  private static final int MOST = 2_000;
  private static final int LAST_PORT = 65_535;

  /// The fault of a URL, if it has one.
  ///
  /// @param plain whether http is allowed, too
  public static Optional<String> fault(String text, boolean plain) {
    if (text.length() > MOST) {
      return Optional.of("must be at most 2,000 characters");
    }
    return read(text).filter(url -> url.isOf(plain)).isPresent()
        ? Optional.empty()
        : Optional.of(
            "must be an %s URL of a repository, without user name, query and fragment"
                .formatted(plain ? "http or https" : "https"));
  }

  /// The URL of a text in which [#fault] finds nothing wrong.
  public static RepositoryUrl of(String text) {
    return new RepositoryUrl(URI.create(text));
  }

  /// The host in lower case, without its port.
  public String host() {
    return String.valueOf(uri.getHost()).toLowerCase(Locale.ROOT);
  }

  /// The name of its folder, as `git clone` chooses it.
  public String name() {
    String last = parts().isEmpty() ? "" : parts().getLast();
    return last.endsWith(".git") ? last.substring(0, last.length() - ".git".length()) : last;
  }

  private static Optional<RepositoryUrl> read(String text) {
    try {
      return Optional.of(new RepositoryUrl(new URI(text)));
    } catch (URISyntaxException malformed) {
      return Optional.empty();
    }
  }

  private boolean isOf(boolean plain) {
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    return (scheme.equals("https") || (plain && scheme.equals("http")))
        && uri.getHost() != null
        && uri.getHost().indexOf('%') < 0 // a zone id: a network interface of the client's machine
        && uri.getRawUserInfo() == null
        && uri.getRawQuery() == null
        && uri.getRawFragment() == null
        && uri.getPort() != 0
        && uri.getPort() <= LAST_PORT
        && !name().isEmpty()
        && List.of(uri.getPath().split("/")).stream().noneMatch(RepositoryUrl::leadsElsewhere);
  }

  private static boolean leadsElsewhere(String part) {
    return part.equals(".") || part.equals("..") || part.indexOf('\\') >= 0;
  }

  private List<String> parts() {
    return List.of(String.valueOf(uri.getRawPath()).split("/")).stream()
        .filter(part -> !part.isEmpty())
        .toList();
  }
}
