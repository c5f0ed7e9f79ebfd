package agentsessions.turn;

import agentsessions.aws.AwsStandIn;
import agentsessions.aws.InMemoryBucket;
import java.util.Queue;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectsRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;

/// The in-memory bucket for many threads, which notes each removal among what else happens.
public record NotedBucket(InMemoryBucket bucket, Queue<String> order)
    implements S3Client, AwsStandIn {
  public static final String REMOVAL = "removal";

  @Override
  public ListObjectsV2Response listObjectsV2(ListObjectsV2Request request) {
    order.add(REMOVAL);
    synchronized (bucket) {
      return bucket.listObjectsV2(request);
    }
  }

  @Override
  public DeleteObjectsResponse deleteObjects(DeleteObjectsRequest request) {
    synchronized (bucket) {
      return bucket.deleteObjects(request);
    }
  }
}
