package agentsessions.contract;

import agentsessions.talk.ApiResponse;
import agentsessions.talk.Client;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// The conformance kit, which `scripts/conform` runs: the suite against a service that is there
/// already, printed by section. Sessions that it did not make it leaves alone; its own it deletes.
///
/// Exit code 0: all passed; 1: something failed; 2: the service cannot be checked.
final class Conformance {
  private final Client client = Target.client();
  private final Client other = Target.otherClient();

  private Conformance() {}

  /// Runs the suite against the service of the environment, see [Target].
  public static void main(String[] arguments) {
    System.exit(new Conformance().run());
  }

  private int run() {
    Optional<String> obstacle = obstacle();
    if (obstacle.isPresent()) {
      System.err.println("Error: " + obstacle.get());
      return 2;
    }
    System.out.println("Conformance of " + client.base());
    SectionReport report = new SectionReport(System.out);
    LauncherFactory.create().execute(suite(), report);
    report.printTotal();
    System.out.println(cleanedUp());
    return report.allPassed() ? 0 : 1;
  }

  private static LauncherDiscoveryRequest suite() {
    List<ClassSelector> classes =
        Suite.classes().stream().map(DiscoverySelectors::selectClass).toList();
    // Other test engines on the class path have nothing to run or to print here.
    return LauncherDiscoveryRequestBuilder.request()
        .selectors(classes)
        .filters(EngineFilter.includeEngines("junit-jupiter"))
        .build();
  }

  /// A sentence about the one cause that would make every check fail; empty if there is none.
  private Optional<String> obstacle() {
    try {
      ApiResponse mine = client.sendUnchecked("GET", "/me");
      ApiResponse others = other.sendUnchecked("GET", "/me");
      if (mine.status() != 200 || others.status() != 200) {
        return Optional.of(
            "the service does not take "
                + (mine.status() == 200 ? "the key of the other workspace" : "the key")
                + ".");
      }
      if (mine.json().path("workspace").equals(others.json().path("workspace"))) {
        return Optional.of("both keys are of one workspace; the suite needs keys of two.");
      }
      JsonNode agents = client.sendUnchecked("GET", "/agents").json().path("items");
      return agents.findValuesAsText("name").contains("shell")
          ? Optional.empty()
          : Optional.of("the suite works with the agent shell, which is not offered there.");
    } catch (UncheckedIOException e) {
      return Optional.of("nothing answers at " + client.base() + " (" + e.getCause() + ").");
    } catch (AssertionError e) {
      return Optional.of(
          "what answers at " + client.base() + " is no such service: " + e.getMessage());
    }
  }

  private static String cleanedUp() {
    List<ApiResponse> answers =
        Target.made().stream()
            .map(session -> session.client().sendUnchecked("DELETE", session.path()))
            .filter(answer -> answer.status() != 204 && answer.status() != 404)
            .toList();
    return answers.isEmpty()
        ? "Its " + Target.made().size() + " sessions are deleted."
        : answers.size() + " of its sessions could not be deleted: " + answers.getFirst();
  }
}
