package agentsessions.chat;

import agentsessions.chat.api.Access;
import agentsessions.chat.api.Api;
import agentsessions.chat.api.ChatFailure;
import agentsessions.chat.api.ClientVersion;
import agentsessions.chat.api.MessageInputs;
import agentsessions.chat.conversation.LastAgent;
import agentsessions.chat.terminal.Prompt;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/// The command behind scripts/chat and agent-sessions-chat: a conversation in a terminal, or a
/// single message without one.
public final class Chat {
  private static final int NOT_DONE = 2;

  private Chat() {}

  /// Exits with 0 on success, with 1 if the turn did not complete, with 3 if it waits for a
  /// decision, with 2 for any other failure.
  public static void main(String[] arguments) {
    System.exit(command().execute(arguments));
  }

  static CommandLine command() {
    CommandLine command =
        new CommandLine(CommandLine.getCommandMethods(Chat.class, "chat").getFirst());
    command.setCommandName(ClientVersion.command());
    command.setUsageHelpWidth(100);
    command.setExecutionExceptionHandler((failure, line, result) -> refused(failure, line));
    command.setParameterExceptionHandler((mistake, arguments) -> misunderstood(mistake));
    return command;
  }

  @Command(
      mixinStandardHelpOptions = true,
      versionProvider = ClientVersion.class,
      sortOptions = false,
      description = "Talks to a session of Agent Sessions.",
      footer = {
        "",
        "In a terminal it is a conversation: type a message, or /help. Otherwise it sends MESSAGE (or what",
        "comes on standard input), waits until the turn ends, and prints the transcript or, with --json, one",
        "object: session, thread, outcome, reply, error, plans, repositories, pull_requests, patches.",
        "",
        "--repository, --file, --env and --secret may be repeated. Others on this machine can read what a",
        "command was started with: a value that they must not see is for a secret, or for --env NAME.",
        "",
        "The key is taken from --key-file, else from the folder --data, else AGENT_SESSIONS_KEY, else,",
        "for a service on this machine, from the folder that scripts/start keeps by default.",
        "While AWS_ENDPOINT_URL leads to a LocalStack of scripts/localstack, it and the base URL are those of",
        "the stack there, once scripts/keys has made one.",
        "",
        "Exit code: 0 the turn completed; 1 it failed, timed out or was interrupted; 2 anything else,",
        "such as a wrong option, a refused key, no answer; 3 the agent asks for a decision: it says how to",
        "decide and leaves, and the turn goes on. With --json it says so on standard error and waits."
      })
  static int chat(
      @Option(
              names = "--url",
              paramLabel = "BASE",
              description =
                  "Base URL (AGENT_SESSIONS_URL, else that of the service on this machine).")
          @Nullable String url,
      @Option(names = "--key-file", paramLabel = "FILE", description = "File that holds the key.")
          @Nullable Path keyFile,
      @Option(
              names = "--data",
              paramLabel = "DIR",
              description =
                  "The service on this machine that keeps its data there, as scripts/start --data.")
          @Nullable Path data,
      @Option(
              names = "--agent",
              paramLabel = "NAME",
              description =
                  "Agent of a new session (the only one; in a terminal the last one, or it asks).")
          @Nullable String agent,
      @Option(
              names = "--session",
              paramLabel = "ID|last",
              description = "Go on with this session, or the last one, instead of a new one.")
          @Nullable String session,
      @Mixin InputOptions along,
      @Option(names = "--json", description = "Print one JSON object; for scripts.") boolean json,
      @Parameters(arity = "0..1", paramLabel = "MESSAGE", description = "The message to send.")
          @Nullable String message)
      throws IOException {
    MessageInputs inputs = along.read(session, System.getenv());
    Access access = Access.of(new Access.Options(url, keyFile, data), System.getenv());
    if (!json && isTerminal()) {
      return converse(access, agent, session, message, inputs);
    }
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter errors = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    return new SingleMessage(new Api(access, errors::println), out, errors, json)
        .run(session, agent, message == null ? input() : message, inputs);
  }

  private static int converse(
      Access access,
      @Nullable String agent,
      @Nullable String session,
      @Nullable String message,
      MessageInputs inputs) {
    LastAgent last = LastAgent.of(System.getenv());
    try (Prompt prompt = new Prompt(Prompt.terminal(), access, agent, last, inputs)) {
      prompt.run(session, message);
    }
    return 0;
  }

  private static boolean isTerminal() {
    return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
  }

  private static String input() throws IOException {
    String text = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
    if (text.isBlank()) {
      throw new ChatFailure("No message: give it as an argument or on standard input");
    }
    return text;
  }

  private static int misunderstood(ParameterException mistake) {
    PrintWriter errors = mistake.getCommandLine().getErr();
    errors.println("Error: " + mistake.getMessage());
    errors.println("See " + mistake.getCommandLine().getCommandName() + " --help");
    return NOT_DONE;
  }

  private static int refused(Exception failure, CommandLine line) {
    line.getErr()
        .println("Error: " + (failure instanceof ChatFailure why ? why.reason() : failure));
    return NOT_DONE;
  }
}
