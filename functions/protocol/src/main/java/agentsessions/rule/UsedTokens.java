package agentsessions.rule;

/// The tokens that a turn used of one model; each token is counted in one kind only.
///
/// @param input tokens that were read, but not from a cache
/// @param output tokens that were written, thinking included
/// @param cacheRead tokens that were read from a cache
/// @param cacheWrite tokens that were written to a cache for five minutes
/// @param cacheWriteHour tokens that were written to a cache for an hour
public record UsedTokens(
    long input, long output, long cacheRead, long cacheWrite, long cacheWriteHour) {
  public static final UsedTokens NONE = new UsedTokens(0, 0, 0, 0, 0);

  public long total() {
    return input + output + cacheRead + cacheWrite + cacheWriteHour;
  }

  /// All tokens that were written to a cache, for either time.
  public long cacheWrites() {
    return cacheWrite + cacheWriteHour;
  }

  public UsedTokens plus(UsedTokens more) {
    return new UsedTokens(
        input + more.input,
        output + more.output,
        cacheRead + more.cacheRead,
        cacheWrite + more.cacheWrite,
        cacheWriteHour + more.cacheWriteHour);
  }

  /// The greater figure of each kind; figures of one response only grow.
  public UsedTokens most(UsedTokens other) {
    return new UsedTokens(
        Math.max(input, other.input),
        Math.max(output, other.output),
        Math.max(cacheRead, other.cacheRead),
        Math.max(cacheWrite, other.cacheWrite),
        Math.max(cacheWriteHour, other.cacheWriteHour));
  }
}
