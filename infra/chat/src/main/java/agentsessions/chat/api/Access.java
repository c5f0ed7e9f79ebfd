package agentsessions.chat.api;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The service's address and the API key for it.
///
/// The key is never an argument of the command, since every local user can list those.
///
/// @param base the URL with `/rest/v1`, without a slash at the end
/// @param origin a sentence for people about the key's source
/// @param options the options that chose this access, to be typed again: `--data DIR`
/// @param named the base URL that the service's links begin with, where it is another than `base`:
///   a service on this machine that others reach by a public one
public record Access(URI base, String key, String origin, List<String> options, URI named) {
  private static final String PATH = "/rest/v1";
  private static final String USUAL = "http://127.0.0.1:8080" + PATH;
  private static final String NO_KEY =
      "No API key: set AGENT_SESSIONS_KEY, name a file with --key-file, or the folder of a service on"
          + " this machine with --data";
  private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "[::1]");
  // Any other text must not get into a header, nor into an error message about one.
  private static final Pattern KEY = Pattern.compile("ask_[0-9A-Za-z_]+");
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9/._:-]+");

  public Access(URI base, String key, String origin, List<String> options) {
    this(base, key, origin, options, base);
  }

  /// The options of the command that choose an access.
  ///
  /// @param data the data folder of a service on this machine, which has its address and a key
  public record Options(@Nullable String url, @Nullable Path keyFile, @Nullable Path data) {
    /// The options as words of a shell.
    List<String> typed() {
      List<String> words = new ArrayList<>();
      add(words, "--url", url);
      add(words, "--key-file", keyFile);
      add(words, "--data", data);
      return words;
    }

    private static void add(List<String> words, String option, @Nullable Object value) {
      if (value != null) {
        words.addAll(List.of(option, quoted(value.toString())));
      }
    }

    private static String quoted(String text) {
      return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
  }

  /// Reads the options, else the environment, else the data folder of scripts/start: the one in
  /// `AGENT_SESSIONS_DATA`, or the default.
  ///
  /// @throws ChatFailure if there is no key, or address or key is malformed
  public static Access of(Options options, Map<String, String> environment) {
    Folder folder = new Folder(options.data(), environment);
    URI base = base(url(options, folder, environment));
    Access found = key(options, folder, base, environment);
    Access access =
        new Access(base, found.key(), found.origin(), found.options(), folder.named(base));
    if (!KEY.matcher(access.key()).matches()) {
      throw new ChatFailure("That is not an API key: keys begin with ask_");
    }
    return access;
  }

  /// A link of the service by the address that this client uses.
  public URI here(URI link) {
    return isOf(named, link)
        ? URI.create(link.toString().replaceFirst("^[^/]+//[^/?#]+", origin(base)))
        : link;
  }

  /// Whether a link has the service's origin; the key is sent nowhere else.
  boolean covers(URI link) {
    return isOf(base, link);
  }

  private static boolean isOf(URI base, URI link) {
    return base.getScheme().equals(link.getScheme())
        && base.getRawAuthority().equals(link.getRawAuthority());
  }

  private static String origin(URI base) {
    return base.getScheme() + "://" + base.getRawAuthority();
  }

  /// Leaves the key out, so that no message or log can hold it.
  @Override
  public String toString() {
    return base.toString();
  }

  /// The folder for the state of this user's programs (`XDG_STATE_HOME`).
  public static Path stateFolder(Map<String, String> environment) {
    String state = environment.getOrDefault("XDG_STATE_HOME", "");
    return state.isBlank()
        ? Path.of(System.getProperty("user.home"), ".local", "state")
        : Path.of(state);
  }

  private static String url(Options options, Folder folder, Map<String, String> environment) {
    if (options.url() != null) {
      return options.url();
    }
    Optional<String> known = folder.text("local-url").or(() -> folder.text("base-url"));
    String set = folder.isNamed() ? "" : environment.getOrDefault("AGENT_SESSIONS_URL", "");
    return set.isBlank() ? known.orElse(USUAL) : set;
  }

  private static URI base(String text) {
    String plain = text.replaceAll("/+$", "");
    try {
      URI base = new URI(plain.endsWith(PATH) ? plain : plain + PATH);
      if (base.getHost() != null && Set.of("http", "https").contains(base.getScheme())) {
        return base;
      }
    } catch (URISyntaxException e) {
      // refused below
    }
    throw new ChatFailure("Not a base URL: " + text + " (like " + USUAL + ")");
  }

  private static Access key(
      Options options, Folder folder, URI base, Map<String, String> environment) {
    String set = environment.getOrDefault("AGENT_SESSIONS_KEY", "").strip();
    if (options.keyFile() != null) {
      String origin = "The key is from " + options.keyFile();
      return new Access(base, read(options.keyFile()), origin, options.typed());
    }
    if (!folder.isNamed() && !set.isEmpty()) {
      return new Access(base, set, "The key is from AGENT_SESSIONS_KEY", options.typed());
    }
    return new Access(base, folder.key(base), folder.origin(), options.typed());
  }

  private static String read(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException e) {
      throw new ChatFailure("Cannot read the key file " + file);
    }
  }

  /// The data folder of scripts/start, which has the service's address and key.
  private record Folder(@Nullable Path named, Map<String, String> environment) {
    boolean isNamed() {
      return named != null;
    }

    Path path() {
      String set = environment.getOrDefault("AGENT_SESSIONS_DATA", "");
      Path usual =
          set.isBlank() ? stateFolder(environment).resolve("agent-sessions") : Path.of(set);
      return named == null ? usual : named;
    }

    Optional<String> text(String name) {
      Path file = path().resolve(name);
      return Files.isReadable(file) ? Optional.of(Access.read(file)) : Optional.empty();
    }

    /// The base URL in the links of the service, if it is this one's.
    URI named(URI base) {
      boolean own = text("local-url").filter(base.toString()::equals).isPresent();
      return own ? text("base-url").map(Access::base).orElse(base) : base;
    }

    /// The key in the folder, only for the service that wrote it: it must not be sent to another
    /// one.
    String key(URI base) {
      boolean here =
          isNamed()
              || LOOPBACK.contains(base.getHost())
              || text("base-url").filter(base.toString()::equals).isPresent();
      return (here ? text("local-key") : Optional.<String>empty())
          .orElseThrow(() ->
              new ChatFailure(
                  isNamed() ? "No service has run on the data folder " + named : NO_KEY));
    }

    String origin() {
      String hint = isNamed() ? "" : "; of a start with another --data, name that here too";
      return "The key is from " + path().resolve("local-key") + hint;
    }
  }
}
