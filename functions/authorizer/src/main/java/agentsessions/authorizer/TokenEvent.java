package agentsessions.authorizer;

import static java.nio.charset.StandardCharsets.UTF_8;

import agentsessions.authorizer.wire.JsonText;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The request of API Gateway to an authorizer of type TOKEN, and the form of the response.
record TokenEvent(@Nullable String authorizationToken, String methodArn) {
  static TokenEvent read(InputStream input) throws IOException {
    Map<String, Object> event = JsonText.object(new String(input.readAllBytes(), UTF_8));
    return new TokenEvent(
        event.get("authorizationToken") instanceof String token ? token : null,
        event.get("methodArn") instanceof String arn ? arn : "");
  }

  void allow(Principal principal, OutputStream output) throws IOException {
    String answer =
        """
        {"principalId":%s,"policyDocument":{"Version":"2012-10-17","Statement":[\
        {"Action":"execute-api:Invoke","Effect":"Allow","Resource":%s}]},\
        "context":{"workspace":%s,"key_id":%s,"scopes":%s},"usageIdentifierKey":%s}\
        """
            .formatted(
                JsonText.quoted(principal.keyId()),
                JsonText.quoted(stage()),
                JsonText.quoted(principal.workspace()),
                JsonText.quoted(principal.keyId()),
                JsonText.quoted(Scope.texts(principal.scopes())),
                JsonText.quoted(principal.usageId()));
    output.write(answer.getBytes(UTF_8));
  }

  /// `arn:…:api/stage/*` of `arn:…:api/stage/GET/path`.
  private String stage() {
    int api = methodArn.indexOf('/');
    int end = methodArn.indexOf('/', api + 1);
    if (api < 0 || end < 0) {
      throw new IllegalArgumentException("Not the ARN of a method: " + methodArn);
    }
    return methodArn.substring(0, end) + "/*";
  }
}
