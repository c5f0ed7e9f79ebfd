package agentsessions.local.machine;

import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import org.jspecify.annotations.Nullable;

/// Exception messages for people: those of file operations often carry only the name of a file.
public final class Failures {
  private Failures() {}

  public static String text(Throwable failure) {
    return switch (failure) {
      case AccessDeniedException denied -> "permission denied (" + denied.getFile() + ")";
      case FileAlreadyExistsException there -> there.getFile() + " is not a folder";
      case FileSystemException e when e.getReason() != null -> e.getFile() + ": " + e.getReason();
      case FileSystemException e -> "no access to " + e.getFile();
      default -> message(failure);
    };
  }

  private static String message(Throwable failure) {
    @Nullable String message = failure.getMessage();
    return message == null ? failure.getClass().getSimpleName() : message;
  }
}
