package agentsessions.chat.terminal;

import agentsessions.chat.api.Access;
import agentsessions.chat.api.Api;
import agentsessions.chat.api.ChatFailure;
import agentsessions.chat.api.MessageInputs;
import agentsessions.chat.api.PendingRequest;
import agentsessions.chat.conversation.AgentChoice;
import agentsessions.chat.conversation.CurrentConversation;
import agentsessions.chat.conversation.LastAgent;
import agentsessions.chat.conversation.SessionConversation;
import agentsessions.chat.transcript.ShownRequest;
import agentsessions.chat.transcript.TranscriptPrinter;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.completer.StringsCompleter;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/// The interactive terminal: the transcript grows above the input line, and a progress line between
/// them shows that the agent works.
public final class Prompt implements AutoCloseable {
  private static final String QUIET = "> ";
  private static final String SPINNER = "|/-\\";
  private static final Duration TICK = Duration.ofMillis(250);

  private final Terminal terminal;
  private final ResizableReader reader;
  private final TranscriptPrinter transcript;
  private final AgentChoice agent;
  private final CurrentConversation talk;
  private final Api api;
  private final SlashCommands commands;
  private final Thread ticker;
  private volatile String shown = QUIET;
  private String draft = "";

  /// @param name the agent of new sessions that the user has named; null: none
  /// @param inputs the inputs of new sessions
  public Prompt(
      Terminal terminal,
      Access access,
      @Nullable String name,
      LastAgent last,
      MessageInputs inputs) {
    this.terminal = terminal;
    reader = reader(terminal);
    transcript = new TranscriptPrinter(reader::printAbove);
    api = new Api(access, transcript::note);
    agent = new AgentChoice(api, name, last, transcript::note, () -> reader.readLine("Agent: "));
    talk = new CurrentConversation(api, transcript, agent, inputs);
    commands = new SlashCommands(api, transcript, talk);
    ticker = Thread.ofVirtual().name("ticker").unstarted(this::tick);
  }

  /// The terminal that this process was started in.
  public static Terminal terminal() {
    try {
      return TerminalBuilder.builder().system(true).dumb(true).build();
    } catch (IOException e) {
      throw new ChatFailure("Cannot use the terminal: " + e.getMessage());
    }
  }

  /// Runs the conversation until the user leaves.
  ///
  /// @param session the session to continue; null: a new one
  /// @param message the first message; null: the user types it
  public void run(@Nullable String session, @Nullable String message) {
    try {
      begin(session, message);
    } catch (UserInterruptException | EndOfFileException e) {
      return; // left before the first message
    }
    if (!terminal.getType().startsWith(Terminal.TYPE_DUMB)) {
      ticker.start();
    }
    while (step()) {
      // all work is in the condition
    }
    goodbye();
  }

  @Override
  public void close() {
    ticker.interrupt();
    talk.leave();
    try {
      terminal.close();
    } catch (IOException e) {
      // the terminal is no longer used
    }
  }

  private void begin(@Nullable String session, @Nullable String message) {
    if (session == null) {
      String _ = agent.name(); // the first call to the service: its errors come before any input
    } else {
      talk.resume(session);
    }
    transcript.note("Type a message, or /help.");
    if (message != null) {
      say(message);
    }
  }

  private boolean step() {
    try {
      shown = prompt(0);
      String begun = draft;
      draft = "";
      Optional<String> asked = asked();
      return entered(reader.readLine(shown, null, (Character) null, begun), asked);
    } catch (UserInterruptException e) {
      return interrupted(e.getPartialLine());
    } catch (EndOfFileException e) {
      return false;
    } catch (ChatFailure e) {
      transcript.failure(e.reason());
      return true;
    }
  }

  /// @param asked the request that waited when the line was begun: it is no answer to another
  private boolean entered(String line, Optional<String> asked) {
    if (SlashCommands.isCommand(line)) {
      return commands.run(line);
    }
    if (!line.isBlank() && asked.isPresent() && !asked().equals(asked)) {
      draft = CurrentConversation.isDecision(line) ? "" : line;
      transcript.note("That was decided meanwhile, and this was not sent.");
    } else if (!line.isBlank() && talk.asked().isPresent()) {
      answer(line);
    } else if (talk.isWorking() && CurrentConversation.isDecision(line)) {
      transcript.note("Nothing waits for a decision, and this was not sent.");
    } else if (!line.isBlank()) {
      say(line.strip());
    }
    return true;
  }

  private Optional<String> asked() {
    return talk.asked().map(PendingRequest::id);
  }

  private void answer(String line) {
    if (!talk.answer(line)) {
      String letters = talk.asked().map(ShownRequest::letters).orElse("a message");
      transcript.note("The agent waits for %s, or Ctrl-C for another message.".formatted(letters));
    }
  }

  private void say(String message) {
    transcript.sent(message);
    talk.say(message);
  }

  /// Handles Ctrl-C: it interrupts the turn and keeps what was typed; without a turn it clears the
  /// line; on an empty line it leaves.
  private boolean interrupted(String line) {
    try {
      boolean isInterrupted = talk.interrupt();
      draft = isInterrupted ? line : "";
      return isInterrupted || !line.isEmpty();
    } catch (ChatFailure e) {
      draft = line;
      transcript.failure(e.reason());
      return true;
    }
  }

  private void goodbye() {
    @Nullable SessionConversation conversation = talk.conversation();
    if (conversation != null) {
      transcript.note("To go on: " + api.again(conversation.sessionId()));
    }
  }

  /// Keeps the progress line moving.
  private void tick() {
    for (int beat = 0; !Thread.currentThread().isInterrupted(); beat++) {
      String prompt = prompt(beat);
      if (!prompt.equals(shown) && reader.changePrompt(prompt)) {
        shown = prompt;
      }
      LockSupport.parkNanos(TICK.toNanos());
    }
  }

  private String prompt(int beat) {
    @Nullable SessionConversation conversation = talk.conversation();
    if (conversation == null || !conversation.isWorking()) {
      return QUIET;
    }
    return String.format(
        "%c %s, %d s (Ctrl-C interrupts)%n%s",
        SPINNER.charAt(beat % SPINNER.length()),
        talk.asked().map(asked -> "waiting for " + ShownRequest.letters(asked)).orElse("working"),
        conversation.elapsed().toSeconds(),
        QUIET);
  }

  /// A reader that erases the input line after Enter, since the message is printed again as part of
  /// the transcript, without the progress line.
  private static ResizableReader reader(Terminal terminal) {
    ResizableReader reader = new ResizableReader(terminal);
    reader.setCompleter(new StringsCompleter(SlashCommands.NAMES));
    reader.option(LineReader.Option.DISABLE_EVENT_EXPANSION, true);
    reader.option(LineReader.Option.ERASE_LINE_ON_FINISH, true);
    reader.option(LineReader.Option.HISTORY_IGNORE_SPACE, false);
    return reader;
  }
}
