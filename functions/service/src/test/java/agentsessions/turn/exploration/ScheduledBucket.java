package agentsessions.turn.exploration;

import agentsessions.aws.InMemoryBucket;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
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
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;

/// The bucket as actors see it. The one call that decides something there may meet a fault; whether
/// it had its effect is all that others see of it.
record ScheduledBucket(InMemoryBucket bucket, Scheduler scheduler) implements S3Client {

  @Override
  public CompleteMultipartUploadResponse completeMultipartUpload(
      CompleteMultipartUploadRequest request) {
    Scheduler.Fate fate = scheduler.point(true);
    CompleteMultipartUploadResponse response = bucket.completeMultipartUpload(request);
    scheduler.note("completes its sandbox");
    switch (fate) {
      case GO, AGAIN -> {}
      case DIE -> {
        scheduler.note("dies");
        throw new Scheduler.Crash();
      }
      case LOST -> {
        scheduler.note("its answer is lost");
        throw new ScheduledTable.AnswerLost();
      }
    }
    return response;
  }

  @Override
  public HeadObjectResponse headObject(HeadObjectRequest request) {
    return bucket.headObject(request);
  }

  @Override
  public CreateMultipartUploadResponse createMultipartUpload(CreateMultipartUploadRequest request) {
    return bucket.createMultipartUpload(request);
  }

  @Override
  public DeleteObjectResponse deleteObject(DeleteObjectRequest request) {
    return bucket.deleteObject(request);
  }

  @Override
  public ResponseBytes<GetObjectResponse> getObjectAsBytes(GetObjectRequest request) {
    return bucket.getObjectAsBytes(request);
  }

  @Override
  public PutObjectResponse putObject(PutObjectRequest request, RequestBody body) {
    return bucket.putObject(request, body);
  }

  @Override
  public ListObjectsV2Response listObjectsV2(ListObjectsV2Request request) {
    return bucket.listObjectsV2(request);
  }

  @Override
  public DeleteObjectsResponse deleteObjects(DeleteObjectsRequest request) {
    return bucket.deleteObjects(request);
  }

  @Override
  public String serviceName() {
    return SERVICE_NAME;
  }

  @Override
  public void close() {}
}
