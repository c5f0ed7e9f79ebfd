package agentsessions.session;

import agentsessions.session.input.ToolPermissions;
import agentsessions.session.usage.Ceilings;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// New sessions of the agent `shell` that are more than a bare message.
public final class NewSessions {
  public static NewSession with(SessionInputs inputs) {
    return with(inputs, null, "key");
  }

  /// With such permissions, null for none, asked for by a key.
  public static NewSession with(@Nullable ToolPermissions permissions, String keyId) {
    return with(SessionInputs.NONE, permissions, keyId);
  }

  public static NewSession with(
      SessionInputs inputs, @Nullable ToolPermissions permissions, String keyId) {
    return new NewSession(
        "shell", "hi", null, Map.of(), inputs, null, Ceilings.OfSession.NONE, permissions, keyId);
  }

  private NewSessions() {}
}
