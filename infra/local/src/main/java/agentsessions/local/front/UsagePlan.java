package agentsessions.local.front;

import agentsessions.local.machine.SamTemplate;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.TimeMeter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The rate limit of each key, from the usage plan of `template.yaml`: a token bucket of 100
/// requests, refilled at 100 a minute.
final class UsagePlan {
  static final String POLICY = GatewayResponse.header("THROTTLED", "RateLimit-Policy").value();
  private static final long REQUESTS =
      SamTemplate.properties("UsagePlan").path("Throttle").path("BurstLimit").asLong();
  private static final Duration WINDOW = Duration.ofMinutes(1);

  private final TimeMeter time;
  private final Map<String, Bucket> buckets = new ConcurrentHashMap<>();

  UsagePlan(TimeMeter time) {
    this.time = time;
  }

  /// Takes one token from the key's bucket.
  ///
  /// @throws GatewayResponse 429 if the bucket is empty
  void spend(String key) {
    ConsumptionProbe probe =
        buckets.computeIfAbsent(key, fresh -> bucket()).tryConsumeAndReturnRemaining(1);
    if (!probe.isConsumed()) {
      long seconds =
          Duration.ofNanos(probe.getNanosToWaitForRefill()).plusNanos(999_999_999).toSeconds();
      throw GatewayResponse.rateLimited(Math.max(1, seconds));
    }
  }

  private Bucket bucket() {
    return Bucket.builder()
        .addLimit(limit -> limit.capacity(REQUESTS).refillGreedy(REQUESTS, WINDOW))
        .withCustomTimePrecision(time)
        .build();
  }
}
