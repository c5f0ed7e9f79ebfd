package agentsessions.session.usage;

/// What a turn used of one model, in tokens; each token is in one kind only.
///
/// @param input what was read and not cached
/// @param output what was written, thoughts included
/// @param cacheRead what was read from a cache
/// @param cacheWrite what was written to a cache for five minutes
/// @param cacheWriteHour what was written to one for an hour
public record UsedTokens(
    long input, long output, long cacheRead, long cacheWrite, long cacheWriteHour) {
  public static final UsedTokens NONE = new UsedTokens(0, 0, 0, 0, 0);

  public long total() {
    return input + output + cacheRead + cacheWrite + cacheWriteHour;
  }

  /// What was written to a cache, for however long.
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

  /// The greater figure of each kind.
  UsedTokens most(UsedTokens other) {
    return new UsedTokens(
        Math.max(input, other.input),
        Math.max(output, other.output),
        Math.max(cacheRead, other.cacheRead),
        Math.max(cacheWrite, other.cacheWrite),
        Math.max(cacheWriteHour, other.cacheWriteHour));
  }
}
