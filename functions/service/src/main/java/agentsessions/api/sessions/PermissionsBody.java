package agentsessions.api.sessions;

import agentsessions.session.input.ToolPermissions;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The permissions of a session as the API shows them.
@Serdeable
record PermissionsBody(
    @JsonProperty("default") String byDefault,
    List<Rule> rules,
    String plan,
    String questions,
    boolean fourEyes,
    int holdSeconds,
    int expiresInDays) {
  /// A rule; what it does not name is null.
  @Serdeable
  record Rule(
      @Nullable String kind, @Nullable String tool, @Nullable String match, String policy) {}

  static PermissionsBody of(ToolPermissions permissions) {
    return new PermissionsBody(
        permissions.byDefault().word(),
        permissions.rules().stream().map(PermissionsBody::rule).toList(),
        permissions.asking().plan() ? "approve" : "none",
        permissions.asking().questions() ? "ask" : "refuse",
        permissions.asking().fourEyes(),
        permissions.asking().holdSeconds(),
        permissions.asking().expiresInDays());
  }

  private static Rule rule(ToolPermissions.Rule rule) {
    return new Rule(
        rule.kind() == null ? null : rule.kind().word(),
        rule.tool(),
        rule.match(),
        rule.policy().word());
  }
}
