package agentsessions.runner.usage;

import agentsessions.runner.agent.Dialect;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One call of a turn to its model, followed as its bytes pass. Nothing it finds or misses in them
/// makes the call fail.
public final class ModelCall {
  private static final Pattern IN_PATH = Pattern.compile("/models/([^/:]+):");
  private static final String MODEL = "/model";
  private static final String PLAIN = "identity";
  private static final int BYTES_A_TOKEN = 4;

  private final Dialect dialect;
  private final Answer answer;
  private final Pointers request;
  private @Nullable UsageEvent usageEvent;
  private @Nullable Inflated inflated;
  private @Nullable String model;
  private long asked;
  private Stage stage = Stage.KEPT;

  private enum Stage {
    /// Nothing has gone to the model yet.
    KEPT,
    SENT,
    ANSWERED,
    /// In a coding that is not read.
    UNREADABLE,
    /// For nothing: a model charges for what it answers well.
    REFUSED
  }

  /// What one call used.
  ///
  /// @param tokens as the model said
  /// @param estimate what it may have used, where that was not said to the end; else the same
  record Used(String model, Tokens tokens, Tokens estimate, boolean isComplete) {}

  ModelCall(Dialect dialect, String path) {
    this.dialect = dialect;
    this.answer = new Answer(dialect);
    this.request = new Pointers(Set.of(MODEL), Set.of(), this::hear);
    Matcher inPath = IN_PATH.matcher(path);
    this.model = dialect == Dialect.GEMINI && inPath.find() ? inPath.group(1) : null;
  }

  public Dialect dialect() {
    return dialect;
  }

  /// Whether the request has to be whole before it goes on, because it may have to ask for the
  /// usage.
  public boolean mayLackUsage() {
    return dialect == Dialect.CHAT;
  }

  /// The request that asks for the usage, if it does not yet; what answers that is then left out of
  /// what the agent sees.
  public synchronized Optional<byte[]> askingForUsage(byte[] body) {
    Optional<byte[]> asking = mayLackUsage() ? UsageOption.added(body) : Optional.empty();
    asking.ifPresent(_ -> usageEvent = new UsageEvent(answer));
    return asking;
  }

  /// The model that a request asks for; empty where it says none.
  public synchronized String asked(byte[] body) {
    Pointers read = new Pointers(Set.of(MODEL), Set.of(), this::hear);
    for (byte each : body) {
      read.accept(each);
    }
    boolean _ = read.isWhole();
    read.close();
    return asked();
  }

  /// The same as far as it is known before the body is.
  public synchronized String asked() {
    return model == null ? "" : model;
  }

  /// A piece of the request goes to the model.
  public synchronized void asks(ByteBuffer bytes) {
    asked += bytes.remaining();
    while (bytes.hasRemaining()) {
      request.accept(bytes.get());
    }
  }

  /// From now on the model may have begun to work.
  public synchronized void sent() {
    stage = Stage.SENT;
  }

  /// The model begins to answer.
  ///
  /// @param coding how the answer is compressed, if it is
  public synchronized void begun(int status, @Nullable String coding) {
    String named = coding == null ? PLAIN : coding.toLowerCase(Locale.ROOT);
    stage =
        switch (named) {
          case PLAIN, "gzip" -> status / 100 == 2 ? Stage.ANSWERED : Stage.REFUSED;
          default -> status / 100 == 2 ? Stage.UNREADABLE : Stage.REFUSED;
        };
    inflated = named.equals("gzip") ? new Inflated(this::read) : null;
    usageEvent = stage == Stage.ANSWERED && inflated == null ? usageEvent : null;
  }

  /// Whether the agent sees less than what comes.
  public synchronized boolean isShortened() {
    return usageEvent != null;
  }

  /// A piece of the answer has come; gives what the agent sees of it.
  public synchronized ByteBuffer answers(ByteBuffer bytes) {
    if (usageEvent != null) {
      return usageEvent.without(bytes);
    }
    if (stage == Stage.ANSWERED) {
      count(bytes.slice());
    }
    return bytes;
  }

  /// The answer has come to its end; gives what the agent has not seen of it.
  public synchronized ByteBuffer ends() {
    if (stage == Stage.ANSWERED) {
      answer.end();
    }
    return usageEvent == null ? ByteBuffer.allocate(0) : usageEvent.rest();
  }

  synchronized void close() {
    request.close();
    answer.close();
    if (inflated != null) {
      inflated.close();
    }
  }

  /// Nothing for a call that never came to the model.
  synchronized Optional<Used> used() {
    return stage == Stage.KEPT ? Optional.empty() : Optional.of(found());
  }

  private Used found() {
    boolean complete = stage == Stage.REFUSED || answer.isComplete();
    Tokens tokens = answer.tokens();
    return new Used(name(), tokens, complete ? tokens : estimate(tokens), complete);
  }

  private void count(ByteBuffer bytes) {
    if (inflated != null) {
      inflated.accept(bytes);
    } else {
      read(bytes);
    }
  }

  private void read(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      answer.accept(bytes.get());
    }
  }

  /// What the model said counts where it is more.
  private Tokens estimate(Tokens said) {
    boolean hasRead = said.total() > said.output();
    long written = Math.max(said.output(), answer.text() / BYTES_A_TOKEN);
    Tokens read = hasRead ? said : new Tokens(asked / BYTES_A_TOKEN, 0, 0, 0, 0);
    return new Tokens(
        read.input(), written, read.cacheRead(), read.cacheWrite(), read.cacheWriteHour());
  }

  /// Gemini's is in the path, whatever the body says.
  private void hear(Found body) {
    if (dialect != Dialect.GEMINI) {
      model = body.word(MODEL);
    }
  }

  /// As the agent asked for it: that is the name that has a price.
  private String name() {
    request.current();
    return Optional.ofNullable(model).or(answer::model).orElse("");
  }
}
