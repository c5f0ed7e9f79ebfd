package agentsessions.turn.intake;

import agentsessions.aws.Bucket;
import agentsessions.session.FollowUp;
import agentsessions.session.Refusal;
import agentsessions.session.id.SessionKey;
import agentsessions.session.input.InputFile;
import agentsessions.session.input.Upload;
import agentsessions.table.ParallelCalls;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// The copies of the uploads that a message waits with: an upload is deleted by its age, and
/// nothing bounds how long a message waits.
///
/// A session has one copy of an upload, however often it is named or the message is sent again, and
/// the copy goes with the session, also where the message is not accepted after all.
///
/// Why: decision 056.
@Singleton
public final class KeptUploads {
  private final Bucket bucket;

  public KeptUploads(Bucket bucket) {
    this.bucket = bucket;
  }

  /// The same message with copies in the place of its uploads; one that has none is returned as it
  /// is, and so are those that are copies already.
  ///
  /// @throws Refusal `VALIDATION` where an upload is gone
  FollowUp of(SessionKey session, FollowUp followUp) {
    Set<String> copied = copied(session, followUp.files());
    List<InputFile> files = new ArrayList<>();
    for (InputFile file : followUp.files()) {
      if (file instanceof InputFile.Stored stored && stored.isUpload()) {
        if (!copied.contains(stored.objectKey())) {
          throw Refusal.invalid("files[%d].upload_id".formatted(files.size()), Upload.WANTED);
        }
        files.add(stored.at(copy(session, stored.objectKey())));
      } else {
        files.add(file);
      }
    }
    return followUp.with(files);
  }

  /// The keys of the uploads among the files, as far as they were there.
  private Set<String> copied(SessionKey session, List<InputFile> files) {
    List<String> uploads =
        files.stream()
            .filter(InputFile.Stored.class::isInstance)
            .map(InputFile.Stored.class::cast)
            .filter(InputFile.Stored::isUpload)
            .map(InputFile.Stored::objectKey)
            .distinct()
            .toList();
    Set<String> copied = ConcurrentHashMap.newKeySet();
    ParallelCalls.each(
        uploads,
        upload -> {
          if (bucket.copy(upload, copy(session, upload))) {
            copied.add(upload);
          }
        });
    return copied;
  }

  /// The key of a session's copy, by the upload's id.
  private static String copy(SessionKey session, String upload) {
    return "texts/%s/uploads/%s"
        .formatted(session.id(), upload.substring(upload.lastIndexOf('/') + 1));
  }
}
