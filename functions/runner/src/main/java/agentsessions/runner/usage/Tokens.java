package agentsessions.runner.usage;

/// What a model read and wrote, in tokens; each token is in one kind only.
///
/// @param input what was read and not cached
/// @param output what was written, thoughts included
/// @param cacheRead what was read from a cache
/// @param cacheWrite what was written to a cache for five minutes
/// @param cacheWriteHour what was written to one for an hour
public record Tokens(
    long input, long output, long cacheRead, long cacheWrite, long cacheWriteHour) {
  public static final Tokens NONE = new Tokens(0, 0, 0, 0, 0);

  public Tokens plus(Tokens more) {
    return new Tokens(
        input + more.input,
        output + more.output,
        cacheRead + more.cacheRead,
        cacheWrite + more.cacheWrite,
        cacheWriteHour + more.cacheWriteHour);
  }

  public long total() {
    return input + output + cacheRead + cacheWrite + cacheWriteHour;
  }
}
