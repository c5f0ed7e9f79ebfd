package agentsessions.runner.usage;

import agentsessions.rule.UsedTokens;
import agentsessions.runner.agent.Dialect;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One call of a turn to its model, whose usage is read as its bytes pass. Errors in reading never
/// make the call fail.
public final class ModelCall {
  private static final Pattern IN_PATH = Pattern.compile("/models/([^/:]+):");
  private static final String MODEL = "/model";
  private static final String PLAIN = "identity";
  private static final int BYTES_A_TOKEN = 4;

  private final Dialect dialect;
  private final ModelUsageReader answer;
  private final JsonExtractor request;
  private @Nullable UsageEventFilter usageEvent;
  private @Nullable GzipDecoder inflated;
  private @Nullable String model;
  private long requestBytes;
  private Stage stage = Stage.KEPT;

  private enum Stage {
    /// Nothing has been sent to the model yet.
    KEPT,
    SENT,
    ANSWERED,
    /// A response in a content encoding that is not supported.
    UNREADABLE,
    /// Refused, so free of charge: models charge for successful responses only.
    REFUSED
  }

  /// The usage of one call.
  ///
  /// @param tokens the usage that the model stated
  /// @param estimate an estimate of the full usage, if the response was cut; otherwise equal to
  ///   `tokens`
  record Used(String model, UsedTokens tokens, UsedTokens estimate, boolean isComplete) {}

  ModelCall(Dialect dialect, String path) {
    this.dialect = dialect;
    this.answer = new ModelUsageReader(dialect);
    this.request = new JsonExtractor(Set.of(MODEL), Set.of(), this::hear);
    Matcher inPath = IN_PATH.matcher(path);
    this.model = dialect == Dialect.GEMINI && inPath.find() ? inPath.group(1) : null;
  }

  public Dialect dialect() {
    return dialect;
  }

  /// Whether the whole body must be read before the request is forwarded, to add the option for
  /// usage.
  public boolean mayLackUsage() {
    return dialect == Dialect.CHAT;
  }

  /// The body with the option for usage added, if it lacks it; the usage event is then hidden from
  /// the agent.
  public synchronized Optional<byte[]> withUsage(byte[] body) {
    Optional<byte[]> changed = mayLackUsage() ? UsageOption.added(body) : Optional.empty();
    changed.ifPresent(_ -> usageEvent = new UsageEventFilter(answer));
    return changed;
  }

  /// Reads the requested model from the body; empty if it names none.
  public synchronized String model(byte[] body) {
    JsonExtractor read = new JsonExtractor(Set.of(MODEL), Set.of(), this::hear);
    for (byte each : body) {
      read.accept(each);
    }
    boolean _ = read.isWhole();
    read.close();
    return model();
  }

  /// The requested model as far as it is known without the body.
  public synchronized String model() {
    return model == null ? "" : model;
  }

  /// Counts a piece of the request that is sent to the model.
  public synchronized void asks(ByteBuffer bytes) {
    requestBytes += bytes.remaining();
    while (bytes.hasRemaining()) {
      request.accept(bytes.get());
    }
  }

  /// Notes that the model may have begun to work.
  public synchronized void sent() {
    stage = Stage.SENT;
  }

  /// Notes the beginning of the response.
  ///
  /// @param coding the content encoding; null: none
  public synchronized void begun(int status, @Nullable String coding) {
    String named = coding == null ? PLAIN : coding.toLowerCase(Locale.ROOT);
    stage =
        switch (named) {
          case PLAIN, "gzip" -> status / 100 == 2 ? Stage.ANSWERED : Stage.REFUSED;
          default -> status / 100 == 2 ? Stage.UNREADABLE : Stage.REFUSED;
        };
    inflated = named.equals("gzip") ? new GzipDecoder(this::read) : null;
    usageEvent = stage == Stage.ANSWERED && inflated == null ? usageEvent : null;
  }

  /// Whether the usage event is hidden from the agent.
  public synchronized boolean isShortened() {
    return usageEvent != null;
  }

  /// Reads a piece of the response, and returns the part that the agent sees.
  public synchronized ByteBuffer answers(ByteBuffer bytes) {
    if (usageEvent != null) {
      return usageEvent.without(bytes);
    }
    if (stage == Stage.ANSWERED) {
      count(bytes.slice());
    }
    return bytes;
  }

  /// Ends the response, and returns the rest that the agent has not seen.
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

  /// The usage; empty for a call that was never sent to the model.
  synchronized Optional<Used> used() {
    return stage == Stage.KEPT ? Optional.empty() : Optional.of(found());
  }

  private Used found() {
    boolean complete = stage == Stage.REFUSED || answer.isComplete();
    UsedTokens tokens = answer.tokens();
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

  /// The estimate for a response that was cut, by lengths of texts. Figures that the model stated
  /// take precedence, the output only if it is greater.
  private UsedTokens estimate(UsedTokens reported) {
    boolean hasRead = reported.total() > reported.output();
    long written = Math.max(reported.output(), answer.text() / BYTES_A_TOKEN);
    UsedTokens read = hasRead ? reported : new UsedTokens(requestBytes / BYTES_A_TOKEN, 0, 0, 0, 0);
    return new UsedTokens(
        read.input(), written, read.cacheRead(), read.cacheWrite(), read.cacheWriteHour());
  }

  /// Gemini's API has the model in the path, whatever the body says.
  private void hear(ExtractedFields body) {
    if (dialect != Dialect.GEMINI) {
      model = body.word(MODEL);
    }
  }

  /// The model's name as the agent requested it, since prices are given for that name.
  private String name() {
    request.current();
    return Optional.ofNullable(model).or(answer::model).orElse("");
  }
}
