package agentsessions.stack;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.localstack.LocalStackContainer;
import org.testcontainers.utility.DockerImageName;

/// `scripts/test-localstack` against the official image, where a Docker engine runs.
/// `LOCALSTACK_IMAGE` names another image, `LOCALSTACK_TEST` the tests to run if not all.
final class OfficialImageCheck {
  /// The last version that runs without an account.
  private static final String IMAGE = "localstack/localstack:4.14.0";

  @Test
  void theSuiteIsGreenOnTheOfficialImage() throws Exception {
    assumeTrue(DockerClientFactory.instance().isDockerAvailable(), "no Docker engine answers");
    DockerImageName image =
        DockerImageName.parse(Objects.requireNonNullElse(System.getenv("LOCALSTACK_IMAGE"), IMAGE));
    try (LocalStackContainer localstack =
        new LocalStackContainer(image.asCompatibleSubstituteFor("localstack/localstack"))) {
      // A presigned link holds for one host and port.
      localstack.setPortBindings(List.of("127.0.0.1:4566:4566"));
      localstack.start();
      ProcessBuilder suite =
          new ProcessBuilder("sh", "-c", "exec scripts/test-localstack $LOCALSTACK_TEST")
              .directory(Path.of("../..").toFile())
              .inheritIO();
      suite.environment().put("LOCALSTACK_ENDPOINT", "http://127.0.0.1:4566");
      suite.environment().put("LOCALSTACK_DOCKER", "1");
      assertEquals(0, suite.start().waitFor());
    }
  }
}
