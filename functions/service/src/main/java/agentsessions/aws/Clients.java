package agentsessions.aws;

import agentsessions.authorizer.Authorizer;
import agentsessions.authorizer.KeyTable;
import agentsessions.authorizer.WorkspaceKeys;
import io.micronaut.context.annotation.Bean;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Named;
import jakarta.inject.Singleton;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.defaultsmode.DefaultsMode;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.client.builder.SdkSyncClientBuilder;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.http.apache5.ProxyConfiguration;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.services.apigateway.ApiGatewayClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.ecs.EcsClient;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.sfn.SfnClient;
import software.amazon.awssdk.services.ssm.SsmClient;

/// The SDK's clients, with retries and time-outs set on purpose: the default for DynamoDB is nine
/// attempts. Nothing is read from a home folder; endpoints and credentials come from the SDK's own
/// settings.
@Factory
final class Clients {
  /// A request may begin its last call at the end of its `Budget`, and the gateway waits 29
  /// seconds.
  private static final Duration LONGEST_CALL = Duration.ofSeconds(8);

  /// The names of the three presigners: for the objects that runners put and get, for those that
  /// clients put, and for those that clients download.
  static final String FOR_RUNNERS = "runners";

  static final String FOR_UPLOADS = "uploads";

  static final String FOR_DOWNLOADS = "downloads";

  private static final ProfileFile NO_PROFILES = ProfileFile.aggregator().build();

  private final Duration attempt;

  /// @param attemptSeconds for calls that are usually a matter of milliseconds
  Clients(@Property(name = "attempt.seconds", defaultValue = "2") int attemptSeconds) {
    this.attempt = Duration.ofSeconds(attemptSeconds);
  }

  @Singleton
  Clock clock() {
    return Clock.systemUTC();
  }

  @Singleton
  Authorizer authorizer(DynamoDbClient dynamoDb, @Property(name = "table") String table) {
    return new Authorizer(new KeyTable(dynamoDb, table));
  }

  @Singleton
  WorkspaceKeys keys(DynamoDbClient dynamoDb, @Property(name = "table") String table) {
    return new WorkspaceKeys(dynamoDb, table);
  }

  @Singleton
  AwsCredentialsProvider credentials() {
    return DefaultCredentialsProvider.builder().profileFile(() -> NO_PROFILES).build();
  }

  @Singleton
  @Bean(preDestroy = "close")
  DynamoDbClient dynamoDb(AwsCredentialsProvider credentials) {
    return configured(DynamoDbClient.builder(), credentials, attempt).build();
  }

  @Singleton
  @Bean(preDestroy = "close")
  S3Client s3(AwsCredentialsProvider credentials) {
    return configured(S3Client.builder(), credentials, Duration.ofSeconds(5))
        .forcePathStyle(pathStyle())
        .build();
  }

  @Singleton
  @Bean(preDestroy = "close")
  SfnClient stepFunctions(AwsCredentialsProvider credentials) {
    return configured(SfnClient.builder(), credentials, attempt).build();
  }

  @Singleton
  @Bean(preDestroy = "close")
  SecretsManagerClient secrets(AwsCredentialsProvider credentials) {
    return configured(SecretsManagerClient.builder(), credentials, attempt).build();
  }

  @Singleton
  @Bean(preDestroy = "close")
  SsmClient parameters(AwsCredentialsProvider credentials) {
    return configured(SsmClient.builder(), credentials, attempt).build();
  }

  @Singleton
  @Bean(preDestroy = "close")
  ApiGatewayClient gateway(AwsCredentialsProvider credentials) {
    return configured(ApiGatewayClient.builder(), credentials, Duration.ofSeconds(3)).build();
  }

  @Singleton
  @Bean(preDestroy = "close")
  LambdaClient lambda(AwsCredentialsProvider credentials) {
    return configured(LambdaClient.builder(), credentials, attempt).build();
  }

  @Singleton
  @Bean(preDestroy = "close")
  EcsClient containers(AwsCredentialsProvider credentials) {
    return configured(EcsClient.builder(), credentials, Duration.ofSeconds(4)).build();
  }

  /// Signs what a runner may put and get, by the credentials of the function itself.
  @Singleton
  @Named(FOR_RUNNERS)
  @Bean(preDestroy = "close")
  S3Presigner links(AwsCredentialsProvider credentials) {
    return presigner(credentials, Optional.empty());
  }

  /// Signs what a client may put, by the credentials of the function itself.
  ///
  /// @param url where clients reach the bucket; empty: where the service does
  @Singleton
  @Named(FOR_UPLOADS)
  @Bean(preDestroy = "close")
  S3Presigner uploads(
      AwsCredentialsProvider credentials,
      @Property(name = "download.url", defaultValue = "") String url) {
    return presigner(credentials, endpoint(url));
  }

  /// Signs downloads. Its key is asked for at every link, since it is renewed.
  ///
  /// @param url where clients reach the bucket; empty: where the service does
  @Singleton
  @Named(FOR_DOWNLOADS)
  @Bean(preDestroy = "close")
  S3Presigner downloads(
      DownloadSigningKey signer, @Property(name = "download.url", defaultValue = "") String url) {
    return presigner(signer::key, endpoint(url));
  }

  private static Optional<URI> endpoint(String url) {
    return Optional.of(url).filter(it -> !it.isEmpty()).map(URI::create);
  }

  /// @param address the one to sign for; empty: that of the SDK's settings
  static S3Presigner presigner(AwsCredentialsProvider credentials, Optional<URI> address) {
    Optional<URI> endpoint = address.or(S3Endpoint::overridden);
    S3Presigner.Builder builder =
        S3Presigner.builder()
            .credentialsProvider(credentials)
            .serviceConfiguration(
                S3Configuration.builder().pathStyleAccessEnabled(endpoint.isPresent()).build());
    endpoint.ifPresent(builder::endpointOverride);
    return builder.build();
  }

  /// Stand-ins of S3 answer to one host name only.
  static boolean pathStyle() {
    return S3Endpoint.overridden().isPresent();
  }

  /// `HTTP_PROXY` is for addresses outside a network, but stand-ins of AWS are on this machine. The
  /// JVM's own proxy properties count, as they are when a client is built.
  private static ProxyConfiguration notTheUsersProxy() {
    return ProxyConfiguration.builder().useEnvironmentVariableValues(false).build();
  }

  private static <B extends AwsClientBuilder<B, C> & SdkSyncClientBuilder<B, C>, C> B configured(
      B builder, AwsCredentialsProvider credentials, Duration attempt) {
    ClientOverrideConfiguration limits =
        ClientOverrideConfiguration.builder()
            .retryStrategy(
                AwsRetryStrategy.standardRetryStrategy().toBuilder().maxAttempts(3).build())
            .apiCallAttemptTimeout(attempt)
            .apiCallTimeout(Collections.min(List.of(attempt.multipliedBy(2), LONGEST_CALL)))
            .defaultProfileFile(NO_PROFILES)
            .addExecutionInterceptor(new RefusedCalls())
            .build();
    return builder
        .credentialsProvider(credentials)
        .defaultsMode(DefaultsMode.IN_REGION)
        .httpClientBuilder(
            Apache5HttpClient.builder()
                .proxyConfiguration(notTheUsersProxy())
                .connectionTimeout(Duration.ofSeconds(1))
                .maxConnections(200))
        .overrideConfiguration(limits);
  }
}
