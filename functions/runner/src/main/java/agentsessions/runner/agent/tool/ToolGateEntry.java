package agentsessions.runner.agent.tool;

import static java.util.Objects.requireNonNullElse;

import agentsessions.rule.Wildcard;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/// The part of a catalogue entry that puts the gate in front of an agent's tools: how the agent is
/// made to ask, how it tells of a call, and what its tools do.
///
/// @param command in place of that of the entry; empty: that one
/// @param files content by path in the sandbox, `~/` for HOME; the agent cannot change them
/// @param environment variables that replace those of the entry
/// @param hides places that are empty for the agent, from HOME where they begin with `~/`, else
///   from the folder where it starts and from those above it; with a slash at the end: a folder
/// @param id JSON pointer to the call's id in what the hook is told
/// @param name JSON pointer to the tool's name
/// @param input JSON pointer to the tool's input
/// @param comparedBy what a call in the output has in common with the call that was judged
/// @param parks how a call is made again for which the turn was parked; null: a turn is never
///   parked
/// @param deferral how the agent keeps such a call until then; null: it is denied, and the agent
///   stopped
/// @param questions how it asks a person what it wants to know; null if it cannot
/// @param tools the kinds of the agent's tools, by name; a star in a name stands for any text
/// @param placed the tool that runs commands in folders of which the hook is not told; null: there
///   is none
/// @param edited JSON pointers to the file in the input of a tool that edits
public record ToolGateEntry(
    List<String> command,
    Map<String, String> files,
    Map<String, String> environment,
    List<String> hides,
    String id,
    String name,
    String input,
    ComparedBy comparedBy,
    @Nullable Parks parks,
    @Nullable Deferral deferral,
    @Nullable Questions questions,
    Map<String, String> tools,
    @Nullable String placed,
    List<String> edited) {
  private static final String OTHER = "other";
  private static final String EDIT = "edit";
  private static final String PATCH = "patch";

  /// The kind, beside the others, of a call that changes a file outside of the workspace: one there
  /// may be read by a program as it starts.
  static final String EDIT_OUTSIDE = "edit_outside";

  private static final Pattern PATCHED =
      Pattern.compile("\\*\\*\\* ((Add|Update|Delete) File|Move to):(?<path>.*)", Pattern.DOTALL);

  /// What the call in the output and the one that was judged have in common: their id; their name
  /// and input; or their effect, where the two are written in different forms.
  public enum ComparedBy {
    ID,
    INPUT,
    EFFECT
  }

  /// The way in which a call is made again for which the turn was parked: that very call, since the
  /// agent has kept it or does all of the turn again; or another one by the agent, which is told
  /// to.
  public enum Parks {
    EXACT,
    REISSUED
  }

  /// The agent's way to keep one call until it is started again, without a message.
  ///
  /// @param answer what its hook prints
  /// @param shown what a line of the output has that says that a call was kept, by JSON pointers
  /// @param inner JSON pointer to what the hook is told only of calls of an agent that the agent
  ///   has started, which it cannot keep
  /// @param none what its error has where it is to go on with such a call and keeps none; null
  ///   where it does not say so
  public record Deferral(String answer, Map<String, JsonNode> shown, String inner, String none) {}

  /// The agent's way to ask a person.
  ///
  /// @param tool the name of the tool, whose input {@link AgentQuestions} reads; a star in it
  ///   stands for any text
  /// @param command in place of that of the entry, where a person answers; empty: that one
  /// @param files beside those of the gate or in their place, where a person answers
  /// @param parks whether the turn can be parked for a question
  public record Questions(
      String tool, List<String> command, Map<String, String> files, Boolean parks) {
    public Questions {
      parks = requireNonNullElse(parks, true);
      command = requireNonNullElse(command, List.of());
      files = requireNonNullElse(files, Map.of());
    }
  }

  public ToolGateEntry {
    command = requireNonNullElse(command, List.of());
    files = requireNonNullElse(files, Map.of());
    environment = requireNonNullElse(environment, Map.of());
    hides = requireNonNullElse(hides, List.of());
    id = requireNonNullElse(id, "/tool_use_id");
    name = requireNonNullElse(name, "/tool_name");
    input = requireNonNullElse(input, "/tool_input");
    comparedBy = requireNonNullElse(comparedBy, ComparedBy.ID);
    tools = requireNonNullElse(tools, Map.of());
    edited = requireNonNullElse(edited, List.of());
  }

  /// Whether a call asks a person.
  public boolean asks(AgentToolCall call) {
    return questions != null && Wildcard.of(questions.tool()).matches(call.name());
  }

  /// Whether an agent's error says that it keeps no call to go on with.
  public boolean keepsNone(String error) {
    return deferral != null && deferral.none() != null && error.contains(deferral.none());
  }

  /// The command in place of that of the entry; empty: that one.
  ///
  /// @param answered whether a person answers questions
  public List<String> command(boolean answered) {
    return answered && questions != null && !questions.command().isEmpty()
        ? questions.command()
        : command;
  }

  /// The files that the agent cannot change.
  ///
  /// @param answered whether a person answers questions
  public Map<String, String> files(boolean answered) {
    Map<String, String> all = new LinkedHashMap<>(files);
    if (answered && questions != null) {
      all.putAll(questions.files());
    }
    return all;
  }

  /// The call that a hook is told of.
  public AgentToolCall call(JsonNode hookInput) {
    return new AgentToolCall(
        hookInput.at(id).asText(""),
        hookInput.at(name).asText(""),
        hookInput.at(input),
        deferral != null && hookInput.at(deferral.inner()).isTextual());
  }

  /// Whether the turn can be parked for a call.
  public boolean parks(AgentToolCall call) {
    boolean isKept = parks != null && !call.inner();
    return isKept && (questions == null || !asks(call) || questions.parks());
  }

  /// Whether that very call is made again, for which the turn was parked.
  public boolean repeatsExactly() {
    return parks == Parks.EXACT;
  }

  /// What a call does. A patch may also delete and move files, which its text says.
  public List<String> kinds(AgentToolCall call, WorkspaceFolder workspace) {
    String kind = kind(call);
    if (!kind.equals(EDIT) && !kind.equals(PATCH)) {
      return List.of(kind);
    }
    List<String> kinds = new ArrayList<>(List.of(EDIT));
    if (kind.equals(PATCH)) {
      String text = call.input().toString();
      if (text.contains("*** Delete File:")) {
        kinds.add("delete");
      }
      if (text.contains("*** Move to:")) {
        kinds.add("move");
      }
    }
    List<String> files = kind.equals(PATCH) ? patched(call) : edited(call);
    if (files.isEmpty() || !files.stream().allMatch(workspace::contains)) {
      kinds.addFirst(EDIT_OUTSIDE);
    }
    return kinds;
  }

  /// The command on which a person decides; empty for a call whose hook is told everything.
  Optional<PlacedCommand> placed(AgentToolCall call, WorkspaceFolder workspace) {
    return call.name().equals(placed) && call.input().isObject()
        ? Optional.of(new PlacedCommand(call, workspace.start()))
        : Optional.empty();
  }

  private String kind(AgentToolCall call) {
    return tools.entrySet().stream()
        .filter(tool -> Wildcard.of(tool.getKey()).matches(call.name()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse(OTHER);
  }

  private List<String> edited(AgentToolCall call) {
    return edited.stream()
        .map(pointer -> call.input().at(pointer).asText(""))
        .filter(path -> !path.isEmpty())
        .toList();
  }

  /// The files in a patch, whatever the name of the input's field. A line that an agent may take
  /// for the head of a file, or for text, names the file "", which is nowhere.
  private static List<String> patched(AgentToolCall call) {
    return Stream.concat(
            Stream.of(call.input()), StreamSupport.stream(call.input().spliterator(), false))
        .flatMap(text -> Stream.of(text.asText("").split("\n", -1)))
        .filter(line -> !line.startsWith("+") && !line.startsWith("-"))
        .map(PATCHED::matcher)
        .filter(Matcher::find)
        .map(file -> file.start() == 0 ? named(file.group("path")) : "")
        .toList();
  }

  /// The path in a line of a patch, which may end as those of Windows do.
  private static String named(String path) {
    return path.replaceFirst("^ ", "").replaceFirst("\r$", "");
  }
}
