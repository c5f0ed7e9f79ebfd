package agentsessions.agents.model;

/// The usage that an answer of the scripted model states, in tokens.
///
/// @param input tokens read that did not come from the cache
/// @param written tokens written to the cache, where the protocol has them
public record TokenUsage(long input, long output, long cached, long written, long thoughts) {
  public static final TokenUsage NONE = new TokenUsage(0, 0, 0, 0, 0);

  /// The usage of the mark `[[use INPUT OUTPUT CACHED WRITTEN THOUGHTS]]`.
  public static TokenUsage of(String mark) {
    String[] numbers = mark.split(" ", -1);
    return new TokenUsage(
        Long.parseLong(numbers[0]),
        Long.parseLong(numbers[1]),
        Long.parseLong(numbers[2]),
        Long.parseLong(numbers[3]),
        Long.parseLong(numbers[4]));
  }

  public TokenUsage plus(TokenUsage more) {
    return new TokenUsage(
        input + more.input,
        output + more.output,
        cached + more.cached,
        written + more.written,
        thoughts + more.thoughts);
  }

  /// All input tokens with the cached ones: the figure that most protocols state.
  long read() {
    return input + cached;
  }

  /// All output tokens with those of thoughts: the figure that most protocols state.
  public long wrote() {
    return output + thoughts;
  }
}
