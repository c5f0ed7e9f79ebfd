package agentsessions.chat;

import agentsessions.chat.api.ChatFailure;
import agentsessions.chat.api.LocalFile;
import agentsessions.chat.api.MessageInputs;
import agentsessions.chat.api.RepositoryRequest;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The command-line options for a message's inputs: repositories, files, variables, secrets, model,
/// and whether the agent asks.
final class InputOptions {
  private static final Pattern SECRET = Pattern.compile("[A-Z][A-Z0-9_]{0,63}");

  @Option(
      names = "--repository",
      paramLabel = "URL[#REF]",
      description = "A new session starts with this repository; REF is a branch, tag or commit.")
  private List<String> repositories = new ArrayList<>();

  @Option(
      names = "--credential",
      paramLabel = "SECRET",
      description = "The workspace's secret that opens the first repository.")
  private @Nullable String credential;

  @Mixin private PushOptions pushing = new PushOptions();

  @Option(
      names = "--file",
      paramLabel = "PATH[:TARGET]",
      description = "The message brings this file; TARGET is where in the agent's /workspace.")
  private List<String> files = new ArrayList<>();

  @Option(
      names = "--env",
      paramLabel = "NAME[=VALUE]",
      description =
          "A new session's agent has this variable; without VALUE, with the value it has here.")
  private List<String> variables = new ArrayList<>();

  @Option(
      names = "--secret",
      paramLabel = "NAME",
      description = "A new session's agent has this secret of the workspace as a variable.")
  private List<String> secrets = new ArrayList<>();

  @Option(
      names = "--model",
      paramLabel = "NAME",
      description = "One of the agent's models, from this message on.")
  private @Nullable String model;

  @Option(
      names = "--ask",
      description =
          "A new session's agent asks before each call that does more than read or search.")
  private boolean asks;

  /// The inputs that the options state.
  ///
  /// @param session the session to continue, if any
  /// @param environment the variables of this process
  /// @throws ChatFailure for contradictory options; its text contains no variable's value
  MessageInputs read(@Nullable String session, Map<String, String> environment) {
    if (session != null) {
      refuseForSession();
    }
    if (repositories.isEmpty()) {
      refuseForNoRepository();
    }
    return new MessageInputs(
        checkouts(),
        files.stream().map(LocalFile::of).toList(),
        variables(environment),
        secrets(),
        asks,
        model);
  }

  private void refuseForNoRepository() {
    List<String> given = new ArrayList<>(pushing.names());
    if (credential != null) {
      given.add("--credential");
    }
    if (!given.isEmpty()) {
      throw new ChatFailure(given.getFirst() + " needs a repository: --repository URL");
    }
  }

  private void refuseForSession() {
    Map<String, Boolean> given = new LinkedHashMap<>();
    given.put("--repository", !repositories.isEmpty());
    given.put("--credential", credential != null);
    pushing.names().forEach(name -> given.put(name, true));
    given.put("--env", !variables.isEmpty());
    given.put("--secret", !secrets.isEmpty());
    given.put("--ask", asks);
    List<String> wrong = given.keySet().stream().filter(given::get).toList();
    if (!wrong.isEmpty()) {
      throw new ChatFailure(
          String.join(", ", wrong) + " can only be given to a new session, without --session");
    }
  }

  private List<RepositoryRequest> checkouts() {
    List<RepositoryRequest> checkouts = new ArrayList<>();
    for (String each : repositories) {
      checkouts.add(checkout(each, checkouts.isEmpty()));
    }
    return checkouts;
  }

  private RepositoryRequest checkout(String argument, boolean first) {
    int hash = argument.indexOf('#');
    String url = hash < 0 ? argument : argument.substring(0, hash);
    String ref = hash < 0 ? null : argument.substring(hash + 1);
    if (!isAddress(url) || "".equals(ref)) {
      throw new ChatFailure(
          "--repository takes an address like https://git.example.org/team/app.git, and after #,"
              + " if at all, a branch, tag or commit; no user name, no password");
    }
    return new RepositoryRequest(
        url, ref, first ? secret("--credential", credential) : null, first ? pushing.read() : null);
  }

  /// Whether a text is a URL without user information, which could contain a password and must not
  /// leave this machine.
  private static boolean isAddress(String text) {
    try {
      URI url = new URI(text);
      return url.getHost() != null && url.getRawUserInfo() == null;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private Map<String, String> variables(Map<String, String> environment) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String each : variables) {
      int equals = each.indexOf('=');
      String name = equals < 0 ? each : each.substring(0, equals);
      @Nullable String value = equals < 0 ? environment.get(each) : each.substring(equals + 1);
      if (name.isEmpty()) {
        throw new ChatFailure("--env takes NAME=VALUE, or a NAME that has a value here");
      }
      if (value == null) {
        throw new ChatFailure("--env " + name + ": there is no such variable here");
      }
      values.put(name, value);
    }
    return values;
  }

  private List<String> secrets() {
    return secrets.stream().map(name -> String.valueOf(secret("--secret", name))).toList();
  }

  /// Checks a secret's name. A malformed name may be the secret itself, so the error does not
  /// repeat it.
  private static @Nullable String secret(String option, @Nullable String name) {
    if (name != null && !SECRET.matcher(name).matches()) {
      throw new ChatFailure(
          option
              + " takes the name of a secret of the workspace, such as GIT_TOKEN, not its value");
    }
    return name;
  }
}
