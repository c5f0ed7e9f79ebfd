package agentsessions.session;

/// What a turn used of one model, in tokens; each token is in one kind only.
///
/// @param input what was read and not cached
/// @param output what was written, thoughts included
/// @param cacheRead what was read from a cache
/// @param cacheWrite what was written to a cache for five minutes
/// @param cacheWriteHour what was written to one for an hour
public record UsedTokens(
    long input, long output, long cacheRead, long cacheWrite, long cacheWriteHour) {

  public long total() {
    return input + output + cacheRead + cacheWrite + cacheWriteHour;
  }
}
