package agentsessions.local.aws;

import agentsessions.local.machine.DataFolder;
import java.net.URI;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/// The system properties that point the AWS SDK at the stand-ins. They override the user's own AWS
/// settings, so that none of the service's calls reaches AWS.
public final class AwsProperties {
  private static final String REGION = "us-east-1";

  private AwsProperties() {}

  static void set(Credentials credentials, URI dynamoDb, URI s3, URI others) {
    System.setProperty("aws.region", REGION);
    System.setProperty("aws.accessKeyId", credentials.accessKeyId());
    System.setProperty("aws.secretAccessKey", credentials.secretAccessKey());
    System.setProperty("aws.configFile", "/nonexistent");
    System.setProperty("aws.sharedCredentialsFile", "/nonexistent");
    System.setProperty("aws.ignoreConfiguredEndpointUrls", "false");
    System.setProperty("aws.endpointUrlDynamoDb", dynamoDb.toString());
    System.setProperty("aws.endpointUrlS3", s3.toString());
    System.setProperty("aws.endpointUrlSfn", others.toString());
    System.setProperty("aws.endpointUrlSecretsManager", others.toString());
    System.setProperty("aws.endpointUrlSsm", others.toString());
    System.setProperty("aws.endpointUrlApiGateway", others.toString());
    System.setProperty("aws.endpointUrlLambda", others.toString());
    System.setProperty("aws.endpointUrlEcs", others.toString());
  }

  /// Writes the settings of database and object store to the file `aws.env`, with the names of
  /// table and bucket, for shell tools that run beside the service.
  static void keep(DataFolder data, Credentials credentials, URI dynamoDb, URI s3) {
    data.keepSecret(
        "aws.env",
        String.join(
            "\n",
            "AWS_REGION=" + REGION,
            "AWS_ACCESS_KEY_ID=" + credentials.accessKeyId(),
            "AWS_SECRET_ACCESS_KEY=" + credentials.secretAccessKey(),
            "AWS_ENDPOINT_URL_DYNAMODB=" + dynamoDb,
            "AWS_ENDPOINT_URL_S3=" + s3,
            "TABLE=" + LocalTable.NAME,
            "BUCKET=" + ObjectStore.BUCKET));
  }

  public static DynamoDbClient dynamoDb(URI endpoint, Credentials credentials) {
    AwsBasicCredentials pair =
        AwsBasicCredentials.create(credentials.accessKeyId(), credentials.secretAccessKey());
    return DynamoDbClient.builder()
        .region(Region.of(REGION))
        .endpointOverride(endpoint)
        .credentialsProvider(StaticCredentialsProvider.create(pair))
        .httpClientBuilder(Apache5HttpClient.builder().proxyConfiguration(notTheUsers()))
        .build();
  }

  private static ProxyConfiguration notTheUsers() {
    return ProxyConfiguration.builder().useEnvironmentVariableValues(false).build();
  }
}
