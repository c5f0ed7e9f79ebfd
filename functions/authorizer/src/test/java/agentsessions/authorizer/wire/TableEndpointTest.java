package agentsessions.authorizer.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.endpoints.DynamoDbEndpointProvider;

/// The address of the table is the SDK's, in each region that has API Gateway in public.
final class TableEndpointTest {
  static Stream<Region> regions() {
    return Region.regions().stream()
        .filter(region -> !region.isGlobalRegion())
        .filter(region -> !region.id().contains("-iso"));
  }

  @ParameterizedTest
  @MethodSource("regions")
  void itIsTheSdks(Region region) {
    assertEquals(sdks(region, false), TableEndpoint.of(Map.of(), region.id()));
  }

  @ParameterizedTest
  @MethodSource("regions")
  void withFipsItIsTheSdksToo(Region region) {
    assertEquals(
        sdks(region, true), TableEndpoint.of(Map.of("AWS_USE_FIPS_ENDPOINT", "true"), region.id()));
  }

  @Test
  void theEnvironmentMaySayAnother() {
    Map<String, String> all = Map.of("AWS_ENDPOINT_URL", "http://a:1");
    Map<String, String> own =
        Map.of("AWS_ENDPOINT_URL", "http://a:1", "AWS_ENDPOINT_URL_DYNAMODB", "http://b:2/");
    assertEquals(
        List.of(URI.create("http://a:1/"), URI.create("http://b:2/")),
        List.of(TableEndpoint.of(all, "us-east-1"), TableEndpoint.of(own, "us-east-1")));
  }

  private static URI sdks(Region region, boolean isFips) {
    URI address =
        DynamoDbEndpointProvider.defaultProvider()
            .resolveEndpoint(endpoint -> endpoint.region(region).useFips(isFips))
            .join()
            .url();
    return address.resolve("/");
  }
}
