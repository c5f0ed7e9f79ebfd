package agentsessions.local.front;

import agentsessions.local.front.HttpMessage.Answer;

/// What the caches and pages of browsers are told of every answer, also of the gateway's own.
///
/// @param corsOrigin the origin whose pages may read answers, or `*`; empty: none
record Browsers(String corsOrigin) {
  private static final String EXPOSED =
      "Retry-After, X-Request-Id, Location, RateLimit-Policy, Idempotent-Replayed";

  Answer told(Answer answer) {
    Answer fresh = answer.with("Cache-Control", "no-store");
    return corsOrigin.isEmpty()
        ? fresh
        : fresh
            .with("Access-Control-Allow-Origin", corsOrigin)
            .with("Access-Control-Expose-Headers", EXPOSED);
  }
}
