package agentsessions.client;

import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// The command behind scripts/chat: a conversation in a terminal, or, without one, a single
/// message.
public final class Chat {
  private static final int NOT_DONE = 2;

  private Chat() {}

  /// Exit code 0 if all went well, 1 if the turn did not complete, 2 for anything else.
  public static void main(String[] arguments) {
    System.exit(command().execute(arguments));
  }

  static CommandLine command() {
    CommandLine command =
        new CommandLine(CommandLine.getCommandMethods(Chat.class, "chat").getFirst());
    command.setUsageHelpWidth(100);
    command.setExecutionExceptionHandler((failure, line, result) -> refused(failure, line));
    return command;
  }

  @Command(
      name = "scripts/chat",
      mixinStandardHelpOptions = true,
      sortOptions = false,
      description = "Talks to a session of Agent Sessions.",
      footer = {
        "",
        "In a terminal it is a conversation: type a message, or /help. Otherwise it sends MESSAGE (or what",
        "comes on standard input), waits until the turn ends, and prints the transcript or, with --json, one",
        "object: session, thread, outcome, reply, error, plans.",
        "",
        "The key is taken from --key-file, else AGENT_SESSIONS_KEY, else, for a service on this machine,",
        "from the file that scripts/start keeps.",
        "",
        "Exit code: 0 the turn completed; 1 it failed, timed out or was interrupted; 2 anything else,",
        "such as a wrong option, a refused key, no answer."
      })
  static int chat(
      @Option(
              names = "--url",
              paramLabel = "BASE",
              description = "Base URL (AGENT_SESSIONS_URL, else http://127.0.0.1:8080/rest/v1).")
          @Nullable String url,
      @Option(names = "--key-file", paramLabel = "FILE", description = "File that holds the key.")
          @Nullable Path keyFile,
      @Option(
              names = "--agent",
              paramLabel = "NAME",
              description = "Agent of a new session (the only one there is).")
          @Nullable String agent,
      @Option(
              names = "--session",
              paramLabel = "ID",
              description = "Go on with this session instead of a new one.")
          @Nullable String session,
      @Option(names = "--json", description = "Print one JSON object; for scripts.") boolean json,
      @Parameters(arity = "0..1", paramLabel = "MESSAGE", description = "The message to send.")
          @Nullable String message)
      throws IOException {
    Api api = new Api(Access.of(url, keyFile, System.getenv()));
    if (!json && isTerminal()) {
      return converse(api, agent, session, message);
    }
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    return new Script(api, out, json).run(session, agent, message == null ? input() : message);
  }

  private static int converse(
      Api api, @Nullable String agent, @Nullable String session, @Nullable String message) {
    String chosen = session == null ? Talk.chosen(api, agent) : agent;
    try (Prompt prompt = new Prompt(api, chosen)) {
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

  private static int refused(Exception failure, CommandLine line) {
    line.getErr()
        .println("Error: " + (failure instanceof ChatFailure why ? why.reason() : failure));
    return NOT_DONE;
  }
}
