package agentsessions.api.workspace;

import agentsessions.api.request.Call;
import agentsessions.api.request.NeedsScope;
import agentsessions.api.request.RequestBody;
import agentsessions.authorizer.Scope;
import agentsessions.session.Refusal;
import agentsessions.store.artifact.Uploads;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.json.JsonMapper;
import java.util.Locale;
import java.util.Optional;

/// The endpoint that announces an upload. The client then puts the file into the bucket by a
/// presigned link.
@Controller("/rest/v1/uploads")
class UploadsController {
  private static final int MOST_NAME = 255;
  private static final long MOST_BYTES = 1L << 30;
  private static final String TYPE = "[A-Za-z0-9.+_-]{1,127}/[A-Za-z0-9.+_-]{1,127}";

  private final Uploads uploads;
  private final JsonMapper json;

  UploadsController(Uploads uploads, JsonMapper json) {
    this.uploads = uploads;
    this.json = json;
  }

  @Post
  @NeedsScope(Scope.WRITE)
  HttpResponse<UploadBody> create(Call call) {
    RequestBody body = RequestBody.read(json, call.body());
    String name = body.required("file_name");
    if (name.codePointCount(0, name.length()) > MOST_NAME) {
      body.fault("file_name", "must be at most 255 characters");
    }
    long size = size(body);
    Optional<String> sha256 =
        matching(body, "sha256", "[0-9a-fA-F]{64}", "must be 64 hexadecimal digits");
    Optional<String> type = matching(body, "mime_type", TYPE, "must be such as text/plain");
    body.check();
    return answer(
        uploads.announce(
            call.workspace(),
            name,
            size,
            sha256.map(digits -> digits.toLowerCase(Locale.ROOT)).orElse(null),
            type.orElse(null)));
  }

  private static HttpResponse<UploadBody> answer(Uploads.Announced announced) {
    return switch (announced) {
      case Uploads.Announced.Accepted accepted ->
          HttpResponse.created(UploadBody.of(accepted))
              .contentType(MediaType.APPLICATION_JSON_TYPE);
      case Uploads.Announced.TooManyOpen _ ->
          throw tooMany("20 uploads that have not arrived yet,");
      case Uploads.Announced.TooMuch _ -> throw tooMany("uploads of 5 GiB, or 1,000 of them,");
    };
  }

  private static Refusal tooMany(String what) {
    return Refusal.of(
        Refusal.Code.TOO_MANY_UPLOADS,
        "This workspace has %s which is the most; each is over after 24 hours".formatted(what));
  }

  private static long size(RequestBody body) {
    if (!body.has("size")) {
      body.fault("size", "is required");
    }
    return body.whole("size", 0, MOST_BYTES).orElse(0L);
  }

  private static Optional<String> matching(
      RequestBody body, String field, String form, String otherwise) {
    Optional<String> text = body.optional(field, MOST_NAME);
    if (text.filter(given -> !given.matches(form)).isPresent()) {
      body.fault(field, otherwise);
    }
    return text;
  }
}
