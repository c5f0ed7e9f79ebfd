package agentsessions.local.steps;

import agentsessions.local.steps.State.Branch;
import agentsessions.local.steps.State.Catcher;
import agentsessions.local.steps.State.Retrier;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A parser of the subset of the States Language that the engine supports; it refuses everything
/// else.
final class StateReader {
  private static final String INVOKE = "arn:aws:states:::lambda:invoke";
  private static final String BY_TOKEN = INVOKE + ".waitForTaskToken";
  private static final int YEAR = 31_536_000;

  private final Collection<String> functions;

  /// Each target state with the place that names it.
  private final Map<String, String> targets = new LinkedHashMap<>();

  StateReader(Collection<String> functions) {
    this.functions = functions;
  }

  StateMachine machine(StateFields fields) {
    fields.text("Comment");
    if (!fields.requireText("QueryLanguage").equals("JSONata")) {
      throw fields.refused("QueryLanguage must be JSONata");
    }
    String startAt = target(fields.requireText("StartAt"), "StartAt");
    Duration timeout = fields.seconds("TimeoutSeconds").orElse(Duration.ofSeconds(YEAR));
    Map<String, State> states = states(fields.require("States"));
    fields.done();
    targets.forEach((name, place) -> known(states, name, place));
    return new StateMachine(startAt, timeout, Map.copyOf(states));
  }

  private Map<String, State> states(JsonNode node) {
    Map<String, State> states = new LinkedHashMap<>();
    node.properties()
        .forEach(entry -> states.put(entry.getKey(), state(entry.getKey(), entry.getValue())));
    return states;
  }

  private State state(String name, JsonNode node) {
    StateFields fields = new StateFields(name, node);
    fields.text("Comment");
    State state = state(name, fields);
    fields.done();
    return state;
  }

  private State state(String name, StateFields fields) {
    String type = fields.requireText("Type");
    return switch (type) {
      case "Task" -> task(name, fields);
      case "Choice" ->
          new State.Choice(
              branches(name, fields),
              fields.text("Default").map(to -> target(to, name)).orElse(null));
      case "Wait" -> new State.Wait(seconds(fields), next(name, fields));
      case "Succeed" -> new State.Succeed();
      default -> throw fields.refused("unknown Type " + type);
    };
  }

  private State task(String name, StateFields fields) {
    String resource = fields.requireText("Resource");
    boolean byToken = resource.equals(BY_TOKEN);
    if (!byToken && !resource.equals(INVOKE)) {
      throw fields.refused("Resource must be " + INVOKE + " or " + BY_TOKEN);
    }
    StateFields arguments = fields.object("Arguments");
    String function = arguments.requireText("FunctionName");
    if (!functions.contains(function)) {
      throw arguments.refused("unknown function " + function);
    }
    PayloadTemplate payload = arguments.requireTemplate("Payload");
    arguments.done();
    return new State.Task(
        function,
        payload,
        byToken,
        fields.seconds("TimeoutSeconds").orElse(null),
        byToken ? fields.seconds("HeartbeatSeconds").orElse(null) : null,
        allLast(fields, fields.list("Retry", this::retrier), Retrier::errors),
        allLast(fields, fields.list("Catch", caught -> catcher(name, caught)), Catcher::errors),
        output(fields),
        next(name, fields));
  }

  private List<Branch> branches(String name, StateFields fields) {
    List<Branch> branches = fields.list("Choices", choice -> branch(name, choice));
    if (branches.isEmpty()) {
      throw fields.refused("Choices is missing");
    }
    return branches;
  }

  private Branch branch(String name, StateFields fields) {
    fields.text("Comment");
    return new Branch(
        fields.requireTemplate("Condition"), target(fields.requireText("Next"), name));
  }

  private Retrier retrier(StateFields fields) {
    fields.text("Comment");
    return new Retrier(
        errors(fields),
        fields.number("IntervalSeconds", 1, 1),
        fields.number("BackoffRate", 1, 2),
        (int) fields.number("MaxAttempts", 0, 3),
        fields.seconds("MaxDelaySeconds").orElse(null),
        jitter(fields));
  }

  private Catcher catcher(String name, StateFields fields) {
    fields.text("Comment");
    return new Catcher(errors(fields), output(fields), target(fields.requireText("Next"), name));
  }

  private static boolean jitter(StateFields fields) {
    String strategy = fields.text("JitterStrategy").orElse("NONE");
    return switch (strategy) {
      case "FULL" -> true;
      case "NONE" -> false;
      default -> throw fields.refused("unknown JitterStrategy " + strategy);
    };
  }

  private static List<String> errors(StateFields fields) {
    List<String> errors = new ArrayList<>();
    for (JsonNode name : fields.require("ErrorEquals")) {
      errors.add(name.asText());
    }
    if (errors.isEmpty() || (errors.size() > 1 && errors.contains(StepError.ALL))) {
      throw fields.refused("ErrorEquals must list errors, States.ALL only by itself");
    }
    return errors;
  }

  private static <T> List<T> allLast(
      StateFields fields, List<T> list, java.util.function.Function<T, List<String>> errors) {
    for (T item : list.subList(0, Math.max(0, list.size() - 1))) {
      if (errors.apply(item).contains(StepError.ALL)) {
        throw fields.refused("States.ALL must come last");
      }
    }
    return list;
  }

  private static @Nullable PayloadTemplate output(StateFields fields) {
    return fields.template("Output").orElse(null);
  }

  private static PayloadTemplate seconds(StateFields fields) {
    PayloadTemplate seconds = fields.requireTemplate("Seconds");
    boolean expression =
        seconds.tree() instanceof String text && PayloadTemplate.isExpression(text);
    if (!expression && !(seconds.tree() instanceof Integer number && number >= 0)) {
      throw fields.refused("Seconds must be a whole number or an expression");
    }
    return seconds;
  }

  private @Nullable String next(String name, StateFields fields) {
    boolean end = fields.flag("End");
    @Nullable String next = fields.text("Next").map(to -> target(to, name)).orElse(null);
    if (end == (next != null)) {
      throw fields.refused("needs either Next or End: true");
    }
    return next;
  }

  private String target(String to, String place) {
    targets.putIfAbsent(to, place);
    return to;
  }

  private static void known(Map<String, State> states, String name, String place) {
    if (!states.containsKey(name)) {
      throw new IllegalArgumentException(place + ": no state " + name);
    }
  }
}
