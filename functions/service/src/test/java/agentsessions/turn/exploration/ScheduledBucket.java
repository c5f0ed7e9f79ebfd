package agentsessions.turn.exploration;

import agentsessions.aws.InMemoryBucket;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.services.s3.DelegatingS3Client;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;

/// The bucket as actors see it. The one call that decides something there may meet a fault; whether
/// it had its effect is all that others see of it.
final class ScheduledBucket extends DelegatingS3Client {
  private final InMemoryBucket bucket;
  private final Scheduler scheduler;

  ScheduledBucket(InMemoryBucket bucket, Scheduler scheduler) {
    super(bucket);
    this.bucket = bucket;
    this.scheduler = scheduler;
  }

  @Override
  public CompleteMultipartUploadResponse completeMultipartUpload(
      CompleteMultipartUploadRequest request) {
    Scheduler.Fate fate = scheduler.point(true);
    CompleteMultipartUploadResponse response = bucket.completeMultipartUpload(request);
    scheduler.note("completes its sandbox");
    ScheduledTable.suffer(fate, scheduler);
    return response;
  }

  @Override
  public ResponseBytes<GetObjectResponse> getObjectAsBytes(GetObjectRequest request) {
    return bucket.getObjectAsBytes(request);
  }
}
