package agentsessions.api.workspace;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.micronaut.serde.annotation.Serdeable;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The usage of one group of turns, as the API shows it. A column that is not grouped by, or has no
/// value, is left out.
@Serdeable
record UsageRow(
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String day,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String agentName,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String model,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String keyId,
    long turns,
    long modelRequests,
    long inputTokens,
    long outputTokens,
    long cacheReadTokens,
    long cacheWriteTokens,
    BigDecimal activeSeconds,
    @Nullable BigDecimal costUsd,
    BigDecimal knownCostUsd,
    boolean complete) {

  /// @param group the values that its turns have in common
  static UsageRow of(Map<UsageQuery.Group, String> group, long turns, UsageBody used) {
    return new UsageRow(
        named(group, UsageQuery.Group.DAY),
        named(group, UsageQuery.Group.AGENT),
        named(group, UsageQuery.Group.MODEL),
        named(group, UsageQuery.Group.KEY),
        turns,
        used.modelRequests(),
        used.inputTokens(),
        used.outputTokens(),
        used.cacheReadTokens(),
        used.cacheWriteTokens(),
        used.activeSeconds(),
        used.costUsd(),
        used.knownCostUsd(),
        used.complete());
  }

  private static @Nullable String named(Map<UsageQuery.Group, String> group, UsageQuery.Group by) {
    String name = group.getOrDefault(by, "");
    return name.isEmpty() ? null : name;
  }
}
