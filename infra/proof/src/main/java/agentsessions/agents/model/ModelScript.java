package agentsessions.agents.model;

import agentsessions.agents.model.ModelAnswer.Call;
import agentsessions.agents.model.ModelAnswer.Refusal;
import agentsessions.agents.model.ModelAnswer.Text;
import agentsessions.agents.model.ModelRequest.Form;
import agentsessions.agents.model.ModelRequest.Item;
import agentsessions.agents.model.ModelRequest.Role;
import agentsessions.agents.model.ModelRequest.Tool;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// The scripted behaviour of the model, steered by marks in the latest message of the user:
///
/// | mark | effect |
/// |---|---|
/// | `[[sh COMMAND]]` | calls the shell tool |
/// | `[[call TOOL JSON]]` | calls that tool; where tools are called by programs, by a program. `PLAN_FILE` stands for the file that an agent wants its plan in |
/// | `[[say TEXT]]` | says this text beside the first call |
/// | `[[results]]` | answers with the results of the calls |
/// | `[[recall]]` | answers with the first message of the conversation |
/// | `[[status N]]` | answers with this HTTP status |
/// | `[[use INPUT OUTPUT CACHED WRITTEN THOUGHTS]]` | each answer states this usage, in tokens |
/// | `[[ok]]` | nothing |
///
/// Calls come one after another. After them, and if no other mark gives the answer, the model
/// repeats the message without its marks. A text that has no mark is not the user's: agents put
/// much of their own around a message. But one that says `Make this call again` has it make the
/// calls once more, and one that tells what a person has denied or answered meanwhile is its
/// answer.
final class ModelScript {
  private static final Pattern MARK =
      Pattern.compile("\\[\\[(sh|call|say|results|recall|status|use|ok) ?(.*?)]]", Pattern.DOTALL);

  private static final Pattern PLAN_FILE =
      Pattern.compile("/[^\\s\"'`<>]*/plans/[^\\s\"'`<>]*\\.md");

  private static final String AGAIN = "Make this call again";
  private static final Pattern TOLD =
      Pattern.compile("The call that waited, |A person has answered what you asked ");
  private static final String DEFAULT = "1 1 0 0 0";

  private ModelScript() {}

  static ModelAnswer answer(ModelRequest conversation) {
    List<Item> items = conversation.items();
    List<Item> asked = items.stream().filter(ModelScript::isAsked).toList();
    if (asked.isEmpty() || conversation.tools().isEmpty()) {
      return new Text("A title");
    }
    Item last = asked.getLast();
    Optional<Item> told = told(items.subList(items.lastIndexOf(last), items.size()));
    if (told.isPresent()) {
      return new Text(told.get().text());
    }
    List<String> results =
        items.subList(begin(items, last), items.size()).stream()
            .filter(item -> item.role() == Role.TOOL)
            .map(Item::text)
            .toList();
    String message = last.text().contains("PLAN_FILE") ? planned(last.text(), items) : last.text();
    return answer(conversation.tools().getFirst(), message, asked.getFirst().text(), results);
  }

  private static Optional<Item> told(List<Item> items) {
    return items.stream()
        .filter(item -> item.role() == Role.USER && TOLD.matcher(item.text()).find())
        .findFirst();
  }

  private static int begin(List<Item> items, Item last) {
    List<Item> again =
        items.stream()
            .filter(item -> item.role() == Role.USER && item.text().contains(AGAIN))
            .toList();
    int asked = items.lastIndexOf(last);
    return again.isEmpty() ? asked : Math.max(asked, items.lastIndexOf(again.getLast()));
  }

  private static String planned(String message, List<Item> items) {
    return items.stream()
        .flatMap(item -> PLAN_FILE.matcher(item.text()).results())
        .map(MatchResult::group)
        .findFirst()
        .map(file -> message.replace("PLAN_FILE", file))
        .orElse(message);
  }

  /// The usage that an answer states; one token each way where no mark asks for another.
  static TokenUsage used(ModelRequest conversation) {
    List<Item> said = conversation.items().stream().filter(ModelScript::isAsked).toList();
    return TokenUsage.of(
        said.isEmpty() ? DEFAULT : mark(said.getLast().text(), "use").orElse(DEFAULT));
  }

  private static ModelAnswer answer(
      Tool shell, String message, String first, List<String> results) {
    List<MatchResult> calls = marks(message, Set.of("sh", "call"));
    if (results.size() < calls.size()) {
      String say = results.isEmpty() ? mark(message, "say").orElse("") : "";
      return call(say, shell, calls.get(results.size()));
    }
    if (mark(message, "results").isPresent()) {
      return new Text(String.join("\n", results));
    }
    Optional<String> status = mark(message, "status");
    if (status.isPresent()) {
      return Refusal.of(Integer.parseInt(status.get()));
    }
    boolean recalls = mark(message, "recall").isPresent();
    return new Text(recalls ? "The first was: " + plain(first) : "You said: " + plain(message));
  }

  private static Call call(String say, Tool shell, MatchResult mark) {
    if (mark.group(1).equals("sh")) {
      return new Call(say, shell.name(), shell.input(mark.group(2)));
    }
    String[] words = mark.group(2).split(" ", 2);
    boolean isProgram = shell.form() == Form.PROGRAM && !words[0].contains(".");
    return isProgram
        ? new Call(say, shell.name(), Tool.program(words[0], words[1]))
        : new Call(say, words[0], ModelJson.parse(words[1]));
  }

  private static boolean isAsked(Item item) {
    return item.role() == Role.USER && MARK.matcher(item.text()).find();
  }

  private static Optional<String> mark(String message, String name) {
    return marks(message, Set.of(name)).stream().map(mark -> mark.group(2)).findFirst();
  }

  private static List<MatchResult> marks(String message, Set<String> names) {
    return MARK.matcher(message).results().filter(mark -> names.contains(mark.group(1))).toList();
  }

  private static String plain(String message) {
    return MARK.matcher(message).replaceAll("").strip();
  }
}
