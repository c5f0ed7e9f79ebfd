package agentsessions.aws;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CopyObjectRequest;
import software.amazon.awssdk.services.s3.model.CopyObjectResponse;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectResponse;
import software.amazon.awssdk.services.s3.model.DeleteObjectsRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Error;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/// The one bucket, held in memory, for texts only, also in parts. For one thread at a time.
public final class InMemoryBucket implements S3Client, AwsStandIn {
  private final NavigableMap<String, String> texts = new TreeMap<>();
  private final NavigableMap<String, List<String>> uploads = new TreeMap<>();
  private String refused = "nothing";
  private String broken = "nothing";
  private String spoiled = "nothing";

  /// The stored objects, by key.
  public NavigableMap<String, String> contents() {
    return texts;
  }

  /// Makes the removal of this object fail from now on, as an error in the answer.
  public void refuse(String key) {
    refused = key;
  }

  /// Makes every listing whose prefix has this text fail from now on.
  public void breakAt(String part) {
    broken = part;
  }

  /// Makes this object one whose bytes are no text.
  public void spoil(String key) {
    spoiled = key;
  }

  /// The parts that have arrived, by the id of their upload.
  public NavigableMap<String, List<String>> uploads() {
    return uploads;
  }

  @Override
  public CreateMultipartUploadResponse createMultipartUpload(CreateMultipartUploadRequest request) {
    String id = "%d of %s".formatted(uploads.size(), request.key());
    uploads.put(id, new ArrayList<>());
    return CreateMultipartUploadResponse.builder().uploadId(id).build();
  }

  /// As S3 has it: all or nothing, and the upload is over then.
  @Override
  public CompleteMultipartUploadResponse completeMultipartUpload(
      CompleteMultipartUploadRequest request) {
    List<String> parts = uploads.get(request.uploadId());
    if (parts == null) {
      throw NoSuchUploadException.builder().message("no such upload").statusCode(404).build();
    }
    if (parts.size() != request.multipartUpload().parts().size()) {
      throw S3Exception.builder().message("another number of parts").statusCode(400).build();
    }
    uploads.remove(request.uploadId());
    texts.put(request.key(), String.join("", parts));
    return CompleteMultipartUploadResponse.builder().build();
  }

  @Override
  public CopyObjectResponse copyObject(CopyObjectRequest request) {
    byte[] bytes = bytes(request.sourceKey());
    texts.put(request.destinationKey(), new String(bytes, StandardCharsets.UTF_8));
    return CopyObjectResponse.builder().build();
  }

  @Override
  public DeleteObjectResponse deleteObject(DeleteObjectRequest request) {
    texts.remove(request.key());
    return DeleteObjectResponse.builder().build();
  }

  @Override
  public HeadObjectResponse headObject(HeadObjectRequest request) {
    return HeadObjectResponse.builder().contentLength((long) bytes(request.key()).length).build();
  }

  @Override
  public ResponseBytes<GetObjectResponse> getObjectAsBytes(GetObjectRequest request) {
    return ResponseBytes.fromByteArray(GetObjectResponse.builder().build(), bytes(request.key()));
  }

  @Override
  public PutObjectResponse putObject(PutObjectRequest request, RequestBody body) {
    try {
      byte[] bytes = body.contentStreamProvider().newStream().readAllBytes();
      texts.put(request.key(), new String(bytes, StandardCharsets.UTF_8));
    } catch (java.io.IOException impossible) {
      throw new AssertionError(impossible);
    }
    return PutObjectResponse.builder().build();
  }

  @Override
  public ListObjectsV2Response listObjectsV2(ListObjectsV2Request request) {
    if (request.prefix().contains(broken)) {
      throw S3Exception.builder().message("denied").statusCode(403).build();
    }
    List<S3Object> found =
        texts.tailMap(request.prefix(), true).keySet().stream()
            .takeWhile(key -> key.startsWith(request.prefix()))
            .limit(request.maxKeys())
            .map(key -> S3Object.builder().key(key).build())
            .toList();
    return ListObjectsV2Response.builder().contents(found).build();
  }

  @Override
  public DeleteObjectsResponse deleteObjects(DeleteObjectsRequest request) {
    List<S3Error> errors = new ArrayList<>();
    for (ObjectIdentifier object : request.delete().objects()) {
      if (object.key().equals(refused)) {
        errors.add(S3Error.builder().key(object.key()).code("InternalError").build());
      } else {
        texts.remove(object.key());
      }
    }
    return DeleteObjectsResponse.builder().errors(errors).build();
  }

  private byte[] bytes(String key) {
    String text = texts.get(key);
    if (text == null) {
      throw NoSuchKeyException.builder().message("no such key").statusCode(404).build();
    }
    return key.equals(spoiled) ? new byte[] {-1} : text.getBytes(StandardCharsets.UTF_8);
  }
}
