package agentsessions.api.request;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The audit log: one line for each decision, and for each change of a workspace's keys, secrets,
/// limits or webhooks, with the key that made it; and for each of these that was refused since the
/// key had ended (`key.refused`).
public final class AuditLog {
  private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);

  private AuditLog() {}

  /// Writes one line.
  ///
  /// @param what the event, such as `key.created`, as the line's message
  /// @param field the attribute of the changed thing: `id`, `name` or `limits`
  public static void log(String what, Call call, String field, String value) {
    LOG.atInfo()
        .addKeyValue("workspace", call.workspace())
        .addKeyValue("by", call.keyId())
        .addKeyValue(field, value)
        .log(what);
  }
}
