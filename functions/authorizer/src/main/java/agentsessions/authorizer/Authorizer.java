package agentsessions.authorizer;

import static java.nio.charset.StandardCharsets.UTF_8;

import agentsessions.authorizer.wire.DynamoDbCalls;
import agentsessions.authorizer.wire.DynamoDbFault;
import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestStreamHandler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The authentication of `Authorization: ApiKey <key>`, which gives a workspace: as a Lambda
/// authorizer of type TOKEN in front of every route, and as a plain call where there is no such
/// front.
///
/// The hour in which a key was last used is noted with its record.
///
/// A key that is missing, malformed, unknown, expired or revoked is one and the same refusal. A
/// fault of DynamoDB is not a refusal but an error.
public final class Authorizer implements RequestStreamHandler {
  private static final Pattern HEADER = Pattern.compile("(?i:ApiKey) +(\\S+)");

  private final KeyLookup keys;
  private final Clock clock;

  /// The constructor that Lambda calls: the table's name is in `TABLE`.
  public Authorizer() {
    this(
        new LambdaKeyLookup(
            DynamoDbCalls.of(System.getenv()),
            Objects.requireNonNull(System.getenv("TABLE"), "TABLE")));
    prime();
  }

  public Authorizer(KeyLookup keys) {
    this(keys, Clock.systemUTC());
  }

  Authorizer(KeyLookup keys, Clock clock) {
    this.keys = keys;
    this.clock = clock;
  }

  /// The caller that a value of the `Authorization` header stands for; empty if its key is not
  /// valid.
  public Optional<Principal> authenticate(@Nullable String header) {
    return known(header).map(KeyRecord::principal);
  }

  /// Answers API Gateway: a policy for the whole stage (it is cached, and a method's own policy
  /// would refuse the next route), the workspace, and the name for the usage plan.
  @Override
  public void handleRequest(InputStream input, OutputStream output, @Nullable Context context)
      throws IOException {
    TokenEvent event = TokenEvent.read(input);
    if (event.methodArn().isEmpty()) {
      return; // no request, but a call that keeps the function active
    }
    KeyRecord record = known(event.authorizationToken()).orElseThrow(this::refusal);
    noteUse(record);
    event.allow(record.principal(), output);
  }

  private Optional<KeyRecord> known(@Nullable String header) {
    Instant now = clock.instant();
    return key(header)
        .flatMap(
            key -> keys.find(key.id()).filter(found -> found.matches(key) && found.isLive(now)))
        .filter(found -> !found.grant().scopes().isEmpty());
  }

  private static Optional<ApiKey> key(@Nullable String header) {
    Matcher parts = HEADER.matcher(header == null ? "" : header);
    return parts.matches() ? ApiKey.parse(parts.group(1)) : Optional.empty();
  }

  // At most one write for each key and hour.
  private void noteUse(KeyRecord record) {
    Instant hour = clock.instant().truncatedTo(ChronoUnit.HOURS);
    if (record.lastUsedAt() == null || record.lastUsedAt().isBefore(hour)) {
      keys.noteUse(record.id(), hour);
    }
  }

  // API Gateway knows this very text, and answers 401 to it and 500 to any other.
  private RuntimeException refusal() {
    return new RuntimeException("Unauthorized");
  }

  // A read of a key that does not exist, a note of its use, which is refused, and an answer to one
  // that is only here. They load the classes and open the connection before the snapshot, or before
  // the first request. If the table cannot be read yet, that request will say.
  private void prime() {
    try {
      keys.find("0");
      keys.noteUse("0", Instant.EPOCH);
      ApiKey key = new ApiKey("0".repeat(16), "0".repeat(43));
      String event =
          "{\"authorizationToken\":\"ApiKey %s\",\"methodArn\":\"-/-/-\"}".formatted(key.text());
      new Authorizer(new Single(key))
          .handleRequest(
              new ByteArrayInputStream(event.getBytes(UTF_8)),
              OutputStream.nullOutputStream(),
              null);
    } catch (DynamoDbFault notYet) {
      return;
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }

  /// The lookup of one key, which is in no table.
  private record Single(ApiKey key) implements KeyLookup {
    @Override
    public Optional<KeyRecord> find(String id) {
      return Optional.of(
          KeyRecord.read(
              Map.of(
                  "PK",
                  "KEY#" + id,
                  "secret_hash",
                  key.secretHash(),
                  "workspace",
                  "-",
                  "usage_id",
                  "-",
                  "name",
                  "-",
                  "scopes",
                  "read write",
                  KeyRecord.CREATED_MILLIS,
                  "0")));
    }

    @Override
    public void noteUse(String id, Instant hour) {}
  }
}
