package agentsessions.agents.model;

/// What an answer of the scripted model says that it used, in tokens.
///
/// @param input what was read and not cached
/// @param written to the cache, where the dialect knows of that
public record Used(long input, long output, long cached, long written, long thoughts) {
  public static final Used NONE = new Used(0, 0, 0, 0, 0);

  /// As the mark `[[use INPUT OUTPUT CACHED WRITTEN THOUGHTS]]` has it.
  public static Used of(String mark) {
    String[] numbers = mark.split(" ", -1);
    return new Used(
        Long.parseLong(numbers[0]),
        Long.parseLong(numbers[1]),
        Long.parseLong(numbers[2]),
        Long.parseLong(numbers[3]),
        Long.parseLong(numbers[4]));
  }

  public Used plus(Used more) {
    return new Used(
        input + more.input,
        output + more.output,
        cached + more.cached,
        written + more.written,
        thoughts + more.thoughts);
  }

  /// With what was cached, as most dialects say it.
  long read() {
    return input + cached;
  }

  /// With the thoughts, as most dialects say it.
  public long wrote() {
    return output + thoughts;
  }
}
