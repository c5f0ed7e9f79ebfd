package agentsessions.authorizer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/// The request of API Gateway to an authorizer of type TOKEN, and the form of the response.
record TokenEvent(@Nullable String authorizationToken, String methodArn) {
  private static final JsonFactory JSON = new JsonFactory();

  static TokenEvent read(InputStream input) throws IOException {
    String token = null;
    String arn = "";
    try (JsonParser json = JSON.createParser(input)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        json.nextToken();
        switch (name) {
          case "authorizationToken" -> token = json.getValueAsString();
          case "methodArn" -> arn = json.getValueAsString("");
          default -> json.skipChildren();
        }
      }
    }
    return new TokenEvent(token, arn);
  }

  void allow(Principal principal, OutputStream output) throws IOException {
    try (JsonGenerator json = JSON.createGenerator(output)) {
      json.writeStartObject();
      json.writeStringField("principalId", principal.keyId());
      writePolicy(json);
      json.writeObjectFieldStart("context");
      json.writeStringField("workspace", principal.workspace());
      json.writeStringField("key_id", principal.keyId());
      json.writeStringField("scopes", Scope.texts(principal.scopes()));
      json.writeEndObject();
      json.writeStringField("usageIdentifierKey", principal.usageId());
      json.writeEndObject();
    }
  }

  private void writePolicy(JsonGenerator json) throws IOException {
    json.writeObjectFieldStart("policyDocument");
    json.writeStringField("Version", "2012-10-17");
    json.writeArrayFieldStart("Statement");
    json.writeStartObject();
    json.writeStringField("Action", "execute-api:Invoke");
    json.writeStringField("Effect", "Allow");
    json.writeStringField("Resource", stage());
    json.writeEndObject();
    json.writeEndArray();
    json.writeEndObject();
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
