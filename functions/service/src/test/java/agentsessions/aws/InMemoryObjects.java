package agentsessions.aws;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.core.sync.ResponseTransformer;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.AbortMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.AbortMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectResponse;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/// Objects of bytes, written in parts and read as streams. Reading one can take its time.
public final class InMemoryObjects implements S3Client, AwsStandIn {
  private final Map<String, byte[]> objects = new TreeMap<>();
  private final Map<String, ByteArrayOutputStream> uploads = new TreeMap<>();
  private Runnable whileReading = () -> {};

  /// The stored objects, by key.
  public Map<String, byte[]> contents() {
    return objects;
  }

  /// The parts that have arrived, by the key of their object.
  public Map<String, ByteArrayOutputStream> uploads() {
    return uploads;
  }

  /// Sets an action for every read of an object from now on.
  public void whileReading(Runnable done) {
    whileReading = done;
  }

  @Override
  public CreateMultipartUploadResponse createMultipartUpload(CreateMultipartUploadRequest request) {
    uploads.put(request.key(), new ByteArrayOutputStream());
    return CreateMultipartUploadResponse.builder().uploadId(request.key()).build();
  }

  @Override
  public UploadPartResponse uploadPart(UploadPartRequest request, RequestBody body) {
    try (InputStream bytes = body.contentStreamProvider().newStream()) {
      bytes.transferTo(Objects.requireNonNull(uploads.get(request.uploadId())));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return UploadPartResponse.builder().eTag("tag " + request.partNumber()).build();
  }

  @Override
  public CompleteMultipartUploadResponse completeMultipartUpload(
      CompleteMultipartUploadRequest request) {
    objects.put(
        request.key(), Objects.requireNonNull(uploads.remove(request.uploadId())).toByteArray());
    return CompleteMultipartUploadResponse.builder().build();
  }

  @Override
  public AbortMultipartUploadResponse abortMultipartUpload(AbortMultipartUploadRequest request) {
    uploads.remove(request.uploadId());
    return AbortMultipartUploadResponse.builder().build();
  }

  @Override
  public <T> T getObject(
      GetObjectRequest request, ResponseTransformer<GetObjectResponse, T> transformer) {
    whileReading.run();
    byte[] bytes = objects.get(request.key());
    if (bytes == null) {
      throw S3Exception.builder().message("Access Denied").statusCode(403).build();
    }
    try {
      return transformer.transform(
          GetObjectResponse.builder().build(),
          AbortableInputStream.create(new ByteArrayInputStream(bytes)));
    } catch (Exception impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public DeleteObjectResponse deleteObject(DeleteObjectRequest request) {
    objects.remove(request.key());
    return DeleteObjectResponse.builder().build();
  }
}
