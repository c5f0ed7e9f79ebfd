package agentsessions.authorizer.wire;

import java.net.URI;
import java.util.Map;

/// The address of DynamoDB: what the environment says, or that of the region.
final class TableEndpoint {
  private TableEndpoint() {}

  static URI of(Map<String, String> environment, String region) {
    String all = environment.get("AWS_ENDPOINT_URL");
    String own = environment.getOrDefault("AWS_ENDPOINT_URL_DYNAMODB", all);
    if (own != null) {
      return URI.create(own.endsWith("/") ? own : own + "/");
    }
    boolean isFips = Boolean.parseBoolean(environment.get("AWS_USE_FIPS_ENDPOINT"));
    // In the government's regions the usual endpoint is one of FIPS.
    String service = isFips && !region.startsWith("us-gov-") ? "dynamodb-fips." : "dynamodb.";
    return URI.create("https://" + service + region + "." + suffix(region) + "/");
  }

  private static String suffix(String region) {
    if (region.startsWith("cn-")) {
      return "amazonaws.com.cn";
    }
    return region.startsWith("eusc-") ? "amazonaws.eu" : "amazonaws.com";
  }
}
