package agentsessions.client;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.LineReaderImpl;
import org.jline.reader.impl.completer.StringsCompleter;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;

/// The conversation in a terminal: the transcript grows above the line that is typed, and while the
/// agent works a line between them says so.
final class Prompt implements AutoCloseable {
  private static final String QUIET = "> ";
  private static final String SPINNER = "|/-\\";
  private static final Duration TICK = Duration.ofMillis(250);

  private final Terminal terminal;
  private final LineReaderImpl reader;
  private final Transcript transcript;
  private final Talk talk;
  private final Commands commands;
  private final Thread ticker;
  private volatile String shown = QUIET;

  Prompt(Api api, @Nullable String agent) {
    terminal = open();
    reader = reader(terminal);
    transcript = new Transcript(reader::printAbove);
    talk = new Talk(api, transcript, agent);
    commands = new Commands(api, transcript, talk);
    ticker = Thread.ofVirtual().name("ticker").unstarted(this::tick);
  }

  /// Talks until the user leaves.
  ///
  /// @param session to go on with, else a new one
  /// @param message to begin with
  void run(@Nullable String session, @Nullable String message) {
    if (session != null) {
      talk.resume(session);
    }
    transcript.note("Type a message, or /help.");
    if (message != null) {
      say(message);
    }
    if (!terminal.getType().startsWith(Terminal.TYPE_DUMB)) {
      ticker.start();
    }
    while (step()) {
      // each step says whether to go on
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
      // it is ours no more either way
    }
  }

  private boolean step() {
    try {
      shown = prompt(0);
      return entered(reader.readLine(shown));
    } catch (UserInterruptException e) {
      return interrupted(e.getPartialLine());
    } catch (EndOfFileException e) {
      return false;
    } catch (ChatFailure e) {
      transcript.failure(e.reason());
      return true;
    }
  }

  private boolean entered(String line) {
    if (Commands.isCommand(line)) {
      return commands.run(line);
    }
    if (!line.isBlank()) {
      say(line.strip());
    }
    return true;
  }

  private void say(String message) {
    transcript.sent(message);
    talk.say(message);
  }

  /// Ctrl-C: interrupts the turn; else gives up the line; else leaves.
  private boolean interrupted(String line) {
    try {
      return talk.interrupt() || !line.isEmpty();
    } catch (ChatFailure e) {
      transcript.failure(e.reason());
      return true;
    }
  }

  private void goodbye() {
    @Nullable Conversation conversation = talk.conversation();
    if (conversation != null) {
      transcript.note("To go on: scripts/chat --session " + conversation.sessionId());
    }
  }

  /// Keeps the progress line moving.
  private void tick() {
    for (int beat = 0; !Thread.currentThread().isInterrupted(); beat++) {
      String prompt = prompt(beat);
      if (reader.isReading() && !prompt.equals(shown)) {
        reader.setPrompt(prompt);
        reader.redisplay();
        shown = prompt;
      }
      LockSupport.parkNanos(TICK.toNanos());
    }
  }

  private String prompt(int beat) {
    @Nullable Conversation conversation = talk.conversation();
    if (conversation == null || !conversation.isWorking()) {
      return QUIET;
    }
    return String.format(
        "%c working, %d s (Ctrl-C interrupts)%n%s",
        SPINNER.charAt(beat % SPINNER.length()), conversation.elapsed().toSeconds(), QUIET);
  }

  private static Terminal open() {
    try {
      return TerminalBuilder.builder().system(true).dumb(true).build();
    } catch (IOException e) {
      throw new ChatFailure("Cannot use the terminal: " + e.getMessage());
    }
  }

  /// What is entered vanishes and comes back as part of the transcript, without the progress line.
  private static LineReaderImpl reader(Terminal terminal) {
    return (LineReaderImpl)
        LineReaderBuilder.builder()
            .terminal(terminal)
            .completer(new StringsCompleter(Commands.NAMES))
            .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
            .option(LineReader.Option.ERASE_LINE_ON_FINISH, true)
            .option(LineReader.Option.HISTORY_IGNORE_SPACE, false)
            .build();
  }
}
