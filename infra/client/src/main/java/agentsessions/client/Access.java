package agentsessions.client;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Where the service is, and the key to it.
///
/// The key is never an argument of the command, since every user of a machine can list those.
///
/// @param base with `/rest/v1`, without a slash at the end
record Access(URI base, String key) {
  private static final String PATH = "/rest/v1";
  private static final String USUAL = "http://127.0.0.1:8080" + PATH;
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");
  // What else it might be must not get into a header, nor into a message about one.
  private static final Pattern KEY = Pattern.compile("ask_[0-9A-Za-z_]+");

  /// From options, else the environment, else what scripts/start uses.
  ///
  /// @throws ChatFailure if there is no key, or either is malformed
  static Access of(@Nullable String url, @Nullable Path keyFile, Map<String, String> environment) {
    URI base = base(url != null ? url : environment.getOrDefault("AGENT_SESSIONS_URL", USUAL));
    String key = key(base, keyFile, environment).strip();
    if (!KEY.matcher(key).matches()) {
      throw new ChatFailure("That is not an API key: keys begin with ask_");
    }
    return new Access(base, key);
  }

  /// Whether the key may be sent there: it goes to the service and to nobody else.
  boolean covers(URI link) {
    return base.getScheme().equals(link.getScheme())
        && base.getRawAuthority().equals(link.getRawAuthority());
  }

  /// The key has no place in a message or a log.
  @Override
  public String toString() {
    return base.toString();
  }

  private static URI base(String text) {
    String plain = text.replaceAll("/+$", "");
    try {
      URI base = new URI(plain.endsWith(PATH) ? plain : plain + PATH);
      if (base.getHost() != null && Set.of("http", "https").contains(base.getScheme())) {
        return base;
      }
    } catch (java.net.URISyntaxException e) {
      // said below
    }
    throw new ChatFailure("Not a base URL: " + text + " (like " + USUAL + ")");
  }

  private static String key(URI base, @Nullable Path file, Map<String, String> environment) {
    @Nullable String key = environment.get("AGENT_SESSIONS_KEY");
    if (file == null && key != null && !key.isBlank()) {
      return key;
    }
    Path usual = usualFile(environment);
    if (file == null && (!LOOPBACK.contains(base.getHost()) || !Files.isReadable(usual))) {
      throw new ChatFailure("No API key: set AGENT_SESSIONS_KEY, or name a file with --key-file");
    }
    return read(Objects.requireNonNullElse(file, usual));
  }

  /// Where scripts/start keeps the key of its workspace, unless it is told another folder.
  private static Path usualFile(Map<String, String> environment) {
    String state = environment.getOrDefault("XDG_STATE_HOME", "");
    Path home = Path.of(System.getProperty("user.home"), ".local", "state");
    return (state.isBlank() ? home : Path.of(state)).resolve("agent-sessions", "local-key");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new ChatFailure("Cannot read the key file " + file);
    }
  }
}
