package agentsessions.local.aws;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tests of the expiry of uploads.
class UploadExpiryTest {
  @TempDir Path temp;

  @Test
  void whatWasPutTwoDaysAgoGoes() throws Exception {
    Path file =
        Files.createFile(Files.createDirectories(temp.resolve("uploads/w")).resolve("upload"));
    try (UploadExpiry lifecycle = new UploadExpiry(temp)) {
      lifecycle.remove(Instant.now().plus(Duration.ofHours(47)));
      assertTrue(Files.exists(file));
      lifecycle.remove(Instant.now().plus(Duration.ofHours(49)));
      assertFalse(Files.exists(file));
    }
  }

  @Test
  void noFolderIsNothingToRemove() {
    try (UploadExpiry lifecycle = new UploadExpiry(temp.resolve("none"))) {
      lifecycle.remove(Instant.now());
    }
  }
}
