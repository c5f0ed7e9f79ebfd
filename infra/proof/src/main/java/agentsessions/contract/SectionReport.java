package agentsessions.contract;

import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/// The report of the conformance kit: a line for each section as it ends, and below it each check
/// that failed or was skipped, as a sentence. Keys are masked.
final class SectionReport implements TestExecutionListener {
  private static final int LONGEST_REASON = 300;

  private record Check(String sentence, Status status, String reason) {}

  private final PrintStream out;
  private final Instant begin = Instant.now();
  private final List<Check> all = new ArrayList<>();
  private final List<Check> section = new ArrayList<>();

  SectionReport(PrintStream out) {
    this.out = out;
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    // A class whose preparation failed or was skipped has no checks, and counts as one.
    if (test.isTest() || result.getStatus() != Status.SUCCESSFUL) {
      String reason =
          result
              .getThrowable()
              .map(thrown -> Objects.toString(thrown.getMessage(), thrown.toString()))
              .orElse("");
      section.add(new Check(sentence(test), result.getStatus(), reason));
    }
    if (test.getSource().orElse(null) instanceof ClassSource source) {
      printSection(Suite.section(source.getJavaClass()));
    }
  }

  void printTotal() {
    Duration time = Duration.between(begin, Instant.now());
    out.printf("%n%s in %d s%n", counts(all), time.toSeconds());
  }

  boolean allPassed() {
    return !all.isEmpty() && all.stream().noneMatch(check -> check.status() == Status.FAILED);
  }

  private void printSection(Section about) {
    out.printf("%-10s %-34s %s%n", about.number(), about.title(), counts(section));
    section.stream()
        .filter(check -> check.status() != Status.SUCCESSFUL)
        .forEach(check -> out.printf("    %s: %s%n", word(check.status()), text(check)));
    all.addAll(section);
    section.clear();
  }

  private static String text(Check check) {
    String reason =
        check.reason().replaceFirst("^Assumption failed: ", "").replaceAll("\\s+", " ").strip();
    return (check.sentence() + " (" + shortened(reason) + ")")
        .replaceAll("ask_[0-9A-Za-z_]+", "ask_...");
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST_REASON ? text : text.substring(0, LONGEST_REASON) + " ...";
  }

  private static String counts(List<Check> checks) {
    return Stream.of(Status.values())
        .map(status -> count(checks, status))
        .flatMap(Optional::stream)
        .collect(Collectors.joining(", "));
  }

  private static Optional<String> count(List<Check> checks, Status status) {
    long count = checks.stream().filter(check -> check.status() == status).count();
    return count == 0 && status != Status.SUCCESSFUL
        ? Optional.empty()
        : Optional.of("%3d %s".formatted(count, word(status)));
  }

  private static String word(Status status) {
    return switch (status) {
      case SUCCESSFUL -> "passed";
      case ABORTED -> "skipped";
      case FAILED -> "failed";
    };
  }

  /// The name of a test as a sentence, with its parameters.
  private static String sentence(TestIdentifier test) {
    TestSource source = test.getSource().orElse(null);
    if (!(source instanceof MethodSource method)) {
      return "what its checks need";
    }
    String words =
        method
            .getMethodName()
            .replaceAll("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[a-z])(?=[0-9])", " ");
    String given = test.getDisplayName().startsWith("[") ? " " + test.getDisplayName() : "";
    return words.toLowerCase(Locale.ROOT) + given;
  }
}
