package agentsessions.authorizer;

import java.time.Duration;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.defaultsmode.DefaultsMode;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/// The DynamoDB client of the key rules: region, endpoint and credentials come from the environment
/// or from the SDK's system properties, never from files in a home directory. A call ends within
/// five seconds, whatever happens, because a request waits for it.
public final class DynamoDb {
  private DynamoDb() {}

  /// A client configured by the environment. Under SnapStart the credentials come from the
  /// container's endpoint, which the default chain knows.
  public static DynamoDbClient fromEnvironment() {
    ProfileFile nothing = ProfileFile.aggregator().build();
    return DynamoDbClient.builder()
        .defaultsMode(DefaultsMode.IN_REGION)
        .credentialsProvider(
            DefaultCredentialsProvider.builder().profileFile(() -> nothing).build())
        .httpClientBuilder(
            Apache5HttpClient.builder()
                .connectionTimeout(Duration.ofSeconds(1))
                .socketTimeout(Duration.ofSeconds(2)))
        .overrideConfiguration(settings ->
            settings
                .defaultProfileFile(nothing)
                .retryStrategy(StandardRetryStrategy.builder().maxAttempts(3).build())
                .apiCallAttemptTimeout(Duration.ofSeconds(2))
                .apiCallTimeout(Duration.ofSeconds(5)))
        .build();
  }
}
