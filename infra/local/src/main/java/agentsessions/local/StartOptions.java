package agentsessions.local;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// The options of scripts/start.
@Command(
    name = "scripts/start",
    mixinStandardHelpOptions = true,
    versionProvider = ServiceVersion.class,
    description = "Serves the Agent Session API on this machine, until Ctrl-C or TERM.")
interface StartOptions {
  @Option(
      names = "--port",
      defaultValue = "8080",
      paramLabel = "PORT",
      description = "Port of the API (${DEFAULT-VALUE}).")
  int port();

  @Option(
      names = "--s3-port",
      paramLabel = "PORT",
      description = "Port of the downloads (the API's + 1). Links hold it, so keep it.")
  @Nullable Integer s3Port();

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Address of this machine to listen on, for use by others; with --public-url.")
  @Nullable String host();

  @Option(
      names = "--public-url",
      paramLabel = "URL",
      description =
          "What others call the service, like https://agents.example.org: a host of its own, no path;"
              + " with --host.")
  @Nullable URI publicUrl();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description =
          "Folder that keeps all data (~/.local/state/agent-sessions, or below $$XDG_STATE_HOME).")
  @Nullable Path data();

  @Option(
      names = "--tools",
      defaultValue = "${env:AGENT_SESSIONS_TOOLS:-" + Option.NULL_VALUE + "}",
      paramLabel = "DIR",
      description =
          "Folder with installed agents (bin or node_modules/.bin), beside the system's own"
              + " ($$AGENT_SESSIONS_TOOLS).")
  @Nullable Path tools();

  @Option(
      names = "--engine",
      defaultValue = "process",
      paramLabel = "ENGINE",
      description =
          "What runs turns: process, or container: each session's in Docker containers of its own"
              + " (${DEFAULT-VALUE}).")
  String engine();

  @Option(
      names = "--image",
      paramLabel = "NAME",
      description = "What the containers are made of, see scripts/image (agent-sessions-task).")
  @Nullable String image();

  @Option(
      names = "--agents",
      paramLabel = "FILE",
      description = "A catalogue of your own instead of infra/agents.yaml.")
  @Nullable Path agents();

  @Option(
      names = "--prices",
      paramLabel = "FILE",
      description = "Prices of models of your own, before those of infra/prices.yaml.")
  @Nullable Path prices();

  @Option(
      names = "--turn-memory",
      paramLabel = "MIB",
      description = "Memory of one turn's processes together (4096).")
  @Nullable Integer turnMemory();

  @Option(
      names = "--session-disk",
      paramLabel = "MIB",
      description = "Disk of one session (a quarter of what is free at the start, 10240 at most).")
  @Nullable Integer sessionDisk();

  @Option(
      names = "--max-live-turns",
      paramLabel = "N",
      description = "Turns of one workspace that may wait or run at once (100).")
  @Nullable Integer maxLiveTurns();

  @Option(
      names = "--trust",
      split = ",",
      paramLabel = "AGENT",
      description = "Offers this agent also where no sandbox can be made; more: a,b.")
  @Nullable List<String> trust();

  @Option(
      names = "--allow-hosts",
      split = ",",
      paramLabel = "HOST",
      description =
          "Lets every agent reach this host by https; *.HOST means all below it, HOST:PORT another"
              + " port; more: a,b.")
  @Nullable List<String> allowHosts();

  @Option(
      names = "--allow-private",
      description =
          "Takes private and loopback addresses, and plain http, for repositories and webhooks, and lets"
              + " agents reach them where hosts are allowed.")
  boolean allowPrivate();

  @Option(
      names = "--trust-secrets",
      description = "Gives secrets and credentials also to agents that nothing confines.")
  boolean trustSecrets();

  @Option(
      names = "--cors-origin",
      defaultValue = "",
      paramLabel = "ORIGIN",
      description = "The origin whose pages may use the API, such as https://example.com, or *.")
  String corsOrigin();

  @Option(names = "--quiet", description = "Print no key, no link, and nothing to paste.")
  boolean quiet();

  /// This option and the next are handled by scripts/start, which passes them to the JVM.
  @Option(
      names = "--debug",
      description =
          "Let a debugger come to 127.0.0.1:5005. So may others of this machine, who can then do all"
              + " that the service can.")
  boolean debug();

  @Option(names = "--debug-wait", description = "The same, and begin only when one has come.")
  boolean debugWait();

  @Option(names = "--verbose", description = "Log each request and each step of a turn.")
  boolean verbose();
}
