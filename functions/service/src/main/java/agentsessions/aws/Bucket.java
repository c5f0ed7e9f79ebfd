package agentsessions.aws;

import agentsessions.table.ParallelCalls;
import agentsessions.table.Retries;
import io.micronaut.context.BeanProvider;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.Delete;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Error;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/// The one bucket: captured files under `artifacts/`, texts too large for an item under `texts/`,
/// sandboxes under `sandboxes/`; below that the session's id, so that all of a session's objects
/// can be found and removed. Clients' uploads are under `uploads/`, for two days; copies of them
/// that messages wait with are under `texts/`.
@Singleton
public final class Bucket {
  private static final Logger LOG = LoggerFactory.getLogger(Bucket.class);

  /// How long a download link works (spec 2.4): six days, 518,400 seconds.
  public static final Duration DOWNLOAD = Duration.ofDays(6);

  /// How long a runner may take to use a link.
  public static final Duration FOR_RUNNER = Duration.ofHours(1);

  private static final int PURGE_PAGE = 1000;
  private static final Duration COMPLETION = Duration.ofSeconds(20);
  private static final int BAD_REQUEST = 400;
  private static final int NOT_FOUND = 404;

  private final S3Client client;
  private final BeanProvider<S3Presigner> own;
  private final BeanProvider<S3Presigner> downloads;
  private final String name;

  /// Presigners are made when first needed, since most functions sign no link.
  Bucket(
      S3Client client,
      @Named(Clients.FOR_RUNNERS) BeanProvider<S3Presigner> own,
      @Named(Clients.FOR_DOWNLOADS) BeanProvider<S3Presigner> downloads,
      @Property(name = "bucket") String name) {
    this.client = client;
    this.own = own;
    this.downloads = downloads;
    this.name = name;
  }

  /// A link that downloads an object under a name and type of our choosing, without any header, for
  /// six days.
  public String downloadLink(String key, String mimeType, String disposition) {
    return downloads
        .get()
        .presignGetObject(presign ->
            presign
                .signatureDuration(DOWNLOAD)
                .getObjectRequest(get ->
                    get.bucket(name)
                        .key(key)
                        .responseContentType(mimeType)
                        .responseContentDisposition(disposition)))
        .url()
        .toExternalForm();
  }

  /// A link by which the runner, which holds no permission, can put one object of exactly `bytes`
  /// within the hour, by a request with `If-None-Match: *`: what is there already is not
  /// overwritten.
  public String uploadLink(String key, long bytes) {
    return own.get()
        .presignPutObject(presign ->
            presign
                .signatureDuration(FOR_RUNNER)
                .putObjectRequest(
                    put -> put.bucket(name).key(key).contentLength(bytes).ifNoneMatch("*")))
        .url()
        .toExternalForm();
  }

  /// A link by which the runner can get one object within the hour.
  public String runnerLink(String key) {
    return own.get()
        .presignGetObject(presign ->
            presign
                .signatureDuration(FOR_RUNNER)
                .getObjectRequest(get -> get.bucket(name).key(key)))
        .url()
        .toExternalForm();
  }

  /// Begins an object that will arrive in parts; the upload's id.
  public String openUpload(String key) {
    return Retries.call(
            "CreateMultipartUpload",
            () -> client.createMultipartUpload(create -> create.bucket(name).key(key)))
        .uploadId();
  }

  /// A link by which the runner can put one part of exactly `bytes` within the hour.
  public String partLink(String key, String upload, int part, long bytes) {
    return own.get()
        .presignUploadPart(presign ->
            presign
                .signatureDuration(FOR_RUNNER)
                .uploadPartRequest(put ->
                    put.bucket(name)
                        .key(key)
                        .uploadId(upload)
                        .partNumber(part)
                        .contentLength(bytes)))
        .url()
        .toExternalForm();
  }

  /// Makes one object of the parts whose tags are given in order. True when it is there, also when
  /// an earlier call has made it; false when the parts are not what was put.
  public boolean completeUpload(String key, String upload, List<String> tags) {
    List<CompletedPart> parts = new ArrayList<>();
    tags.forEach(
        tag -> parts.add(CompletedPart.builder().partNumber(parts.size() + 1).eTag(tag).build()));
    try {
      Retries.call(
          "CompleteMultipartUpload",
          () ->
              client.completeMultipartUpload(complete ->
                  complete
                      .bucket(name)
                      .key(key)
                      .uploadId(upload)
                      .multipartUpload(all -> all.parts(parts))
                      .overrideConfiguration(Bucket::patient)));
      return true;
    } catch (NoSuchUploadException over) {
      return size(key).isPresent();
    } catch (S3Exception refused) {
      if (refused.statusCode() == BAD_REQUEST) {
        return false;
      }
      throw refused;
    }
  }

  /// Copies an object within the bucket; false if it is not there.
  public boolean copy(String from, String to) {
    try {
      Retries.call(
          "CopyObject",
          () ->
              client.copyObject(copy ->
                  copy.sourceBucket(name)
                      .sourceKey(from)
                      .destinationBucket(name)
                      .destinationKey(to)
                      .overrideConfiguration(Bucket::patient)));
      return true;
    } catch (S3Exception refused) {
      if (refused.statusCode() == NOT_FOUND) {
        return false;
      }
      throw refused;
    }
  }

  /// The time-outs of what takes long: a completion where there are many parts, and a copy where
  /// there are many bytes.
  private static void patient(AwsRequestOverrideConfiguration.Builder call) {
    call.apiCallAttemptTimeout(COMPLETION).apiCallTimeout(COMPLETION);
  }

  public void delete(String key) {
    Retries.call("DeleteObject", () -> client.deleteObject(delete -> delete.bucket(name).key(key)));
  }

  /// The size in bytes of an object, if it is there.
  public OptionalLong size(String key) {
    try {
      return OptionalLong.of(
          Retries.call("HeadObject", () -> client.headObject(head -> head.bucket(name).key(key)))
              .contentLength());
    } catch (NoSuchKeyException absent) {
      return OptionalLong.empty();
    }
  }

  /// The sizes of several objects, read in parallel; an object that does not exist is missing.
  public Map<String, Long> sizes(List<String> keys) {
    Map<String, Long> sizes = new ConcurrentHashMap<>();
    ParallelCalls.each(
        keys.stream().distinct().toList(),
        key -> size(key).ifPresent(bytes -> sizes.put(key, bytes)));
    return sizes;
  }

  public void putText(String key, String text) {
    RequestBody body = RequestBody.fromString(text, StandardCharsets.UTF_8);
    Retries.call(
        "PutObject",
        () ->
            client.putObject(
                put -> put.bucket(name).key(key).contentType("text/plain; charset=utf-8"), body));
  }

  /// What an object's bytes are as UTF-8; an agent's file may have others, which are replaced.
  public String text(String key) {
    byte[] bytes =
        Retries.call("GetObject", () -> client.getObjectAsBytes(get -> get.bucket(name).key(key)))
            .asByteArrayUnsafe();
    return new String(bytes, StandardCharsets.UTF_8);
  }

  /// Removes up to a thousand objects whose keys begin with `prefix`; true where any was found. An
  /// object that S3 would not remove is found again by the next call.
  public boolean purge(String prefix) {
    List<ObjectIdentifier> keys = keys(prefix);
    if (!keys.isEmpty()) {
      Delete all = Delete.builder().objects(keys).quiet(true).build();
      Retries.call(
              "DeleteObjects",
              () -> client.deleteObjects(delete -> delete.bucket(name).delete(all)))
          .errors()
          .forEach(Bucket::log);
    }
    return !keys.isEmpty();
  }

  private List<ObjectIdentifier> keys(String prefix) {
    return Retries.call(
            "ListObjects",
            () ->
                client.listObjectsV2(list -> list.bucket(name).prefix(prefix).maxKeys(PURGE_PAGE)))
        .contents()
        .stream()
        .map(found -> ObjectIdentifier.builder().key(found.key()).build())
        .toList();
  }

  /// S3 answers 200 also where it has removed nothing; the body says so.
  private static void log(S3Error kept) {
    LOG.atError()
        .addKeyValue("object", kept.key())
        .addKeyValue("code", kept.code())
        .log("object.not_removed");
  }
}
