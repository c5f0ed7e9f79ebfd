package agentsessions.aws;

import agentsessions.table.Retries;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.io.BufferedOutputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/// Objects of the bucket that are never held in memory: read as a stream, and written in parts of 6
/// MiB.
@Singleton
public final class LargeObjects {
  private static final Logger LOG = LoggerFactory.getLogger(LargeObjects.class);

  /// S3 wants 5 MiB of every part but the last, and at most 10,000 of them.
  private static final int PART_BYTES = 6 << 20;

  private static final String BYTES = "application/octet-stream";
  private static final Duration OF_A_PART = Duration.ofSeconds(20);

  private final S3Client client;
  private final Bucket bucket;
  private final String name;

  LargeObjects(S3Client client, Bucket bucket, @Property(name = "bucket") String name) {
    this.client = client;
    this.bucket = bucket;
    this.name = name;
  }

  /// The writer of an object's content.
  @FunctionalInterface
  public interface Content {
    void to(OutputStream out) throws IOException;
  }

  /// An object from its beginning on; to be closed.
  public InputStream read(String key) {
    return Retries.call("GetObject", () -> client.getObject(get -> get.bucket(name).key(key)));
  }

  /// Makes an object of what `content` writes; it is there when all of it has arrived, or not at
  /// all.
  public void write(String key, Content content) throws IOException {
    String upload = bucket.openUpload(key);
    List<String> tags = new ArrayList<>();
    try (OutputStream out = new BufferedOutputStream(new Upload(key, upload, tags), PART_BYTES)) {
      content.to(out);
    } catch (IOException | RuntimeException fault) {
      abort(key, upload);
      throw fault;
    }
    if (!bucket.completeUpload(key, upload, tags)) {
      throw new IOException("the parts of an object are not what was put");
    }
  }

  private void abort(String key, String upload) {
    try {
      client.abortMultipartUpload(abort -> abort.bucket(name).key(key).uploadId(upload));
    } catch (SdkException stays) {
      LOG.atDebug().addKeyValue("object", key).log("upload.stays"); // the bucket's rule deletes it
    }
  }

  /// A stream that uploads each array that it is given as one part.
  private final class Upload extends OutputStream {
    private final String key;
    private final String upload;
    private final List<String> tags;

    Upload(String key, String upload, List<String> tags) {
      this.key = key;
      this.upload = upload;
      this.tags = tags;
    }

    @Override
    public void write(int single) {
      write(new byte[] {(byte) single}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      RequestBody body =
          RequestBody.fromContentProvider(
              () -> new ByteArrayInputStream(bytes, from, length), length, BYTES);
      tags.add(
          Retries.call(
                  "UploadPart",
                  () ->
                      client.uploadPart(
                          part ->
                              part.bucket(name)
                                  .key(key)
                                  .uploadId(upload)
                                  .partNumber(tags.size() + 1)
                                  .overrideConfiguration(limit ->
                                      limit
                                          .apiCallAttemptTimeout(OF_A_PART)
                                          .apiCallTimeout(OF_A_PART)),
                          body))
              .eTag());
    }
  }
}
