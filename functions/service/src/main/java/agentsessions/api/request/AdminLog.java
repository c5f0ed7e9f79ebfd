package agentsessions.api.request;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The lines of the log that say who changed the keys and secrets of a workspace.
public final class AdminLog {
  private static final Logger LOG = LoggerFactory.getLogger(AdminLog.class);

  private AdminLog() {}

  /// Writes such a line.
  ///
  /// @param what happened, as the line's message
  /// @param field by what the thing is named: `id` or `name`
  public static void log(String what, Call call, String field, String value) {
    LOG.atInfo()
        .addKeyValue("workspace", call.workspace())
        .addKeyValue("by", call.keyId())
        .addKeyValue(field, value)
        .log(what);
  }
}
