package agentsessions.scripts;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A GitHub workflow as it stands in its file. None can be run by these tests, so its faults are
/// found by reading it.
///
/// @param root the project, whose scripts it may run
record Workflow(Path root, String text) {
  /// The commands of any runner; `gh` is on GitHub's.
  private static final Set<String> SYSTEM = Set.of("apt-get", "gh", "git");

  private static final Pattern PINNED = Pattern.compile("[\\w-]+/[\\w/.-]+@[0-9a-f]{40}");
  private static final Pattern HOST =
      Pattern.compile("://|\\b[\\w-]+\\.(ai|app|cloud|com|dev|io|net|org)\\b");

  /// The faults of the workflow, a sentence each.
  List<String> faults() {
    try {
      JsonNode all = new YAMLMapper().readTree(text);
      return Stream.concat(ofText(all), all.path("jobs").valueStream().flatMap(this::ofJob))
          .toList();
    } catch (JsonProcessingException broken) {
      return List.of("it is no YAML");
    }
  }

  JsonNode job(String name) {
    try {
      return new YAMLMapper().readTree(text).path("jobs").path(name);
    } catch (JsonProcessingException broken) {
      throw new IllegalArgumentException(broken);
    }
  }

  private Stream<String> ofText(JsonNode all) {
    return Stream.of(
            fault(all.path("on").isMissingNode(), "nothing starts it"),
            fault(all.path("jobs").isEmpty(), "it has no jobs"),
            fault(!all.path("permissions").isObject(), "it says no permissions"),
            fault(HOST.matcher(text).find(), "it names a host"),
            fault(text.contains("secrets."), "it uses a secret"))
        .flatMap(fault -> fault);
  }

  private Stream<String> ofJob(JsonNode job) {
    String called = job.path("uses").asText();
    return called.isEmpty()
        ? Stream.concat(
            fault(!job.path("timeout-minutes").isInt(), "a job may take for ever"),
            job.path("steps").valueStream().flatMap(this::ofStep))
        : fault(!Files.isRegularFile(root.resolve(called)), called + " is not there");
  }

  private Stream<String> ofStep(JsonNode step) {
    String action = step.path("uses").asText();
    return Stream.concat(
        fault(!action.isEmpty() && !PINNED.matcher(action).matches(), action + " is not pinned"),
        step.path("run")
            .asText()
            .lines()
            .map(line -> line.split(" ", 2)[0])
            .flatMap(command -> fault(!exists(command), command + " is no command")));
  }

  private boolean exists(String command) {
    return SYSTEM.contains(command)
        || (command.contains("/") && Files.isExecutable(root.resolve(command)));
  }

  private static Stream<String> fault(boolean isOne, String sentence) {
    return isOne ? Stream.of(sentence) : Stream.of();
  }
}
