package agentsessions.runner.agent.tool;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The mode of a turn that is only to plan: calls that change something are denied, but for those
/// that write a plan.
///
/// @param isPlan whether the file of a path is a plan
public record PlanMode(Entry entry, Predicate<String> isPlan) {
  static final String EDIT = "edit";
  private static final Set<String> CHANGES = Set.of(EDIT, "delete", "move", "execute");

  /// The part of a catalogue entry that says how the agent is made to plan only.
  ///
  /// @param command in place of that of the entry
  /// @param path JSON pointer to the file in the input of a tool that edits; null: no tool may edit
  public record Entry(List<String> command, @Nullable String path) {}

  /// Whether a call is denied.
  boolean denies(Collection<String> kinds, AgentToolCall call) {
    return kinds.stream()
        .anyMatch(kind -> CHANGES.contains(kind) && !(kind.equals(EDIT) && writesPlan(call)));
  }

  /// Whether a call writes a plan in HOME.
  boolean writesPlanOutsideOf(WorkspaceFolder workspace, AgentToolCall call) {
    return writesPlan(call) && !workspace.names(path(call));
  }

  private boolean writesPlan(AgentToolCall call) {
    return !path(call).isEmpty() && isPlan.test(path(call));
  }

  private String path(AgentToolCall call) {
    return entry.path() == null ? "" : call.input().at(entry.path()).asText("");
  }
}
