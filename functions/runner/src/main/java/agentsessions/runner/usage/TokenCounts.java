package agentsessions.runner.usage;

/// A count of tokens by kind; each token is in one kind only.
///
/// @param input tokens read, without those from a cache
/// @param output tokens written, thinking included
/// @param cacheRead tokens read from a cache
/// @param cacheWrite tokens written to a cache for five minutes
/// @param cacheWriteHour tokens written to a cache for an hour
public record TokenCounts(
    long input, long output, long cacheRead, long cacheWrite, long cacheWriteHour) {
  public static final TokenCounts NONE = new TokenCounts(0, 0, 0, 0, 0);

  public TokenCounts plus(TokenCounts more) {
    return new TokenCounts(
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
