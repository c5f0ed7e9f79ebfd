package agentsessions.turn;

import agentsessions.aws.InMemoryBucket;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectsRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;

/// The in-memory bucket for many threads, with the time that each call takes on AWS.
record SlowBucket(InMemoryBucket bucket) implements S3Client {
  private static final long LIST = 25;
  private static final long DELETE = 45;

  @Override
  public ListObjectsV2Response listObjectsV2(ListObjectsV2Request request) {
    take(LIST);
    synchronized (bucket) {
      return bucket.listObjectsV2(request);
    }
  }

  @Override
  public DeleteObjectsResponse deleteObjects(DeleteObjectsRequest request) {
    take(DELETE);
    synchronized (bucket) {
      return bucket.deleteObjects(request);
    }
  }

  @Override
  public String serviceName() {
    return SERVICE_NAME;
  }

  @Override
  public void close() {}

  private static void take(long millis) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
  }
}
