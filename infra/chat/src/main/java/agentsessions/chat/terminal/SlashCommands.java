package agentsessions.chat.terminal;

import agentsessions.chat.api.Api;
import agentsessions.chat.api.ApiModel.Artifact;
import agentsessions.chat.api.ApiModel.Session;
import agentsessions.chat.api.ChatFailure;
import agentsessions.chat.conversation.CurrentConversation;
import agentsessions.chat.conversation.SessionConversation;
import agentsessions.chat.transcript.ArtifactDownloads;
import agentsessions.chat.transcript.DiffPrinter;
import agentsessions.chat.transcript.TranscriptPrinter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The slash commands of the terminal, such as `/files`.
final class SlashCommands {
  static final List<String> NAMES =
      List.of(
          "/plans",
          "/plan",
          "/files",
          "/file",
          "/diff",
          "/sessions",
          "/session",
          "/new",
          "/quit",
          "/help");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,4}");
  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm").withZone(ZoneId.systemDefault());
  private static final Pattern COMMAND = Pattern.compile("/[a-z]+( .*)?");
  private static final String HELP =
      """
      /plans                  the session's plans        /plan N|ID [FILE]   download one
      /files                  the session's files        /file N|ID [FILE]   download one
      /diff                   what was changed in the session's repositories, as a patch
      /sessions               the newest sessions        /session N|ID       go on with one
      /new                    the next message begins a new session
      /quit                   leave; the session stays, and its turn goes on
      When the agent asks: a allows once, s for this session, d [NOTE] denies and tells it why.
      A question is answered by numbers, names or words; a plan by a, or d NOTE to have it changed.
      A message sent while the agent works interrupts it; so does Ctrl-C. A second Ctrl-C leaves.\
      """;

  private final Api api;
  private final ArtifactDownloads artifacts;
  private final TranscriptPrinter transcript;
  private final CurrentConversation talk;
  private List<Session> listed = List.of();

  SlashCommands(Api api, TranscriptPrinter transcript, CurrentConversation talk) {
    this.api = api;
    this.artifacts = new ArtifactDownloads(api);
    this.transcript = transcript;
    this.talk = talk;
  }

  /// Whether a line is a command. One that begins with a blank is always a message.
  static boolean isCommand(String line) {
    return COMMAND.matcher(line).matches();
  }

  /// Executes a command.
  ///
  /// @return false to leave the conversation
  boolean run(String line) {
    String[] words = line.strip().split("\\s+", 3);
    switch (words[0]) {
      case "/plans" -> list("plan");
      case "/files" -> list("file");
      case "/plan" -> download("plan", words);
      case "/file" -> download("file", words);
      case "/sessions" -> sessions();
      case "/session" -> talk.resume(id(argument(words, "a number, as in /sessions, or an id")));
      case "/diff" -> diff();
      case "/new" -> talk.anew();
      case "/help" -> transcript.note(HELP);
      case "/quit" -> {
        return false;
      }
      default -> throw new ChatFailure("No such command: " + words[0] + ". See /help");
    }
    return true;
  }

  private void sessions() {
    listed = api.sessions();
    if (listed.isEmpty()) {
      transcript.note("No sessions yet.");
    }
    for (int number = 1; number <= listed.size(); number++) {
      transcript.note(row(number, listed.get(number - 1)));
    }
  }

  /// The id of a session, by its number in the list shown last or by the id itself.
  private String id(String named) {
    if (!NUMBER.matcher(named).matches()) {
      return named;
    }
    int number = Integer.parseInt(named);
    if (number < 1 || number > listed.size()) {
      throw new ChatFailure("No session " + named + ": /sessions lists them");
    }
    return listed.get(number - 1).id();
  }

  private void list(String kind) {
    List<Artifact> all = artifacts.latest(sessionId(), kind);
    if (all.isEmpty()) {
      transcript.note("No " + kind + "s yet.");
    }
    for (int number = 1; number <= all.size(); number++) {
      transcript.note(row(number, all.get(number - 1)));
    }
  }

  private void download(String kind, String[] words) {
    Artifact artifact =
        artifacts.find(
            sessionId(), kind, argument(words, "a number, as in /" + kind + "s, or an id"));
    transcript.note("Saved " + artifacts.save(artifact, words.length > 2 ? words[2] : null));
  }

  private void diff() {
    String id = sessionId();
    if (talk.isWorking() && api.turns(id) > 1) {
      transcript.note("The turn goes on: this is how the one before it ended.");
    }
    new DiffPrinter(api, artifacts, transcript).show(id);
  }

  private String sessionId() {
    @Nullable SessionConversation conversation = talk.conversation();
    if (conversation == null) {
      throw new ChatFailure("There is no session yet: send a message");
    }
    return conversation.sessionId();
  }

  private static String argument(String[] words, String what) {
    if (words.length < 2) {
      throw new ChatFailure(words[0] + " needs " + what);
    }
    return words[1];
  }

  private static String row(int number, Artifact each) {
    return String.format(
        Locale.ROOT,
        "%3d  %s  %s  %s  %s",
        number,
        each.filePath(),
        size(each),
        time(each.createdAt()),
        each.id());
  }

  private static String size(Artifact each) {
    double kilobytes = each.fileSizeInKb();
    return kilobytes < 1
        ? Math.round(kilobytes * 1024) + " B"
        : String.format(Locale.ROOT, "%.1f KB", kilobytes);
  }

  private static String row(int number, Session each) {
    return String.format(
        Locale.ROOT,
        "%3d  %s  %-15s  %-8s  %s  %s",
        number,
        each.id(),
        each.status(),
        each.agentName(),
        time(each.updatedAt()),
        Objects.requireNonNullElse(each.title(), ""));
  }

  /// A time in this machine's time zone, to the minute.
  private static String time(String instant) {
    return MINUTE.format(Instant.parse(instant));
  }
}
