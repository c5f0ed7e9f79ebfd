package agentsessions.rotation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.services.iam.IamClient;
import software.amazon.awssdk.services.iam.model.AccessKey;
import software.amazon.awssdk.services.iam.model.AccessKeyMetadata;
import software.amazon.awssdk.services.iam.model.StatusType;
import software.amazon.awssdk.services.secretsmanager.SecretsManagerClient;
import software.amazon.awssdk.services.secretsmanager.model.ResourceNotFoundException;

/// The keys of the signing user. A user can hold two: one signs, the one before it lives on until
/// the last link it signed is over.
///
/// | day | |
/// |---|---|
/// | 0 | a new key, seen to work, takes over; signers notice within five minutes |
/// | 7 | the old key is switched off: its last link ended a day ago |
/// | 8 | the old key is deleted |
/// | 30 | the next new key |
///
/// Every step may be repeated, and lost at any point. A key that the secret does not name is never
/// deleted at once, since it may have signed: it is treated as the one before. A secret that was
/// set back to a key that is gone gets its previous value again.
final class SigningKeyRotation {
  /// How long a key signs.
  static final Duration SIGNS = Duration.ofDays(30);

  /// A link's six days and one to spare.
  static final Duration LINKS = Duration.ofDays(7);

  private static final Duration GONE = LINKS.plusDays(1);

  /// A key that is not in the secret may be one that a run at work is about to put there.
  private static final Duration STRAY = Duration.ofHours(1);

  private static final Duration NEVER_MADE = Duration.ofDays(36_500);

  /// The outcome of a run.
  enum Outcome {
    NOT_DUE,
    ROTATED,
    /// The key before the last one still has live links: a third cannot be had without ending them.
    REFUSED
  }

  private final IamClient iam;
  private final SecretsManagerClient secrets;
  private final SigningKeyProbe probe;
  private final String user;
  private final String secretId;
  private final Clock clock;

  SigningKeyRotation(
      IamClient iam,
      SecretsManagerClient secrets,
      SigningKeyProbe probe,
      String user,
      String secretId,
      Clock clock) {
    this.iam = iam;
    this.secrets = secrets;
    this.probe = probe;
    this.user = user;
    this.secretId = secretId;
    this.clock = clock;
  }

  /// Does what is due today; with `force` makes a new key even if none is due.
  Outcome run(boolean force) {
    SigningSecret current = endRetired(adoptStray(restored(read())));
    if (!force && age(current).compareTo(SIGNS) < 0) {
      return Outcome.NOT_DUE;
    }
    return current.retiredKeyId() == null ? replace(current) : Outcome.REFUSED;
  }

  /// Days since the key that signs was made.
  long ageDays() {
    return age(read()).toDays();
  }

  /// A key that was deleted counts as older than any, so that it is replaced at once.
  private Duration age(SigningSecret current) {
    return keys().stream()
        .filter(key -> key.accessKeyId().equals(current.accessKeyId()))
        .findFirst()
        .map(key -> Duration.between(key.createDate(), clock.instant()))
        .orElse(NEVER_MADE);
  }

  private Outcome replace(SigningSecret before) {
    AccessKey key = iam.createAccessKey(create -> create.userName(user)).accessKey();
    try {
      probe.awaitUsable(key);
    } catch (RuntimeException unusable) {
      delete(key.accessKeyId());
      throw unusable;
    }
    write(
        new SigningSecret(
            key.accessKeyId(),
            key.secretAccessKey(),
            before.accessKeyId(),
            clock.instant().toString()));
    return Outcome.ROTATED;
  }

  private SigningSecret endRetired(SigningSecret current) {
    String retired = current.retiredKeyId();
    Duration age = current.retired(clock.instant());
    if (retired == null || age.compareTo(LINKS) < 0) {
      return current;
    }
    if (age.compareTo(GONE) < 0) {
      switchOff(retired);
      return current;
    }
    if (exists(retired)) {
      delete(retired);
    }
    write(current.withoutRetired());
    return current.withoutRetired();
  }

  private SigningSecret restored(SigningSecret current) {
    if (exists(current.accessKeyId())) {
      return current;
    }
    Optional<SigningSecret> previous = previous().filter(before -> exists(before.accessKeyId()));
    previous.ifPresent(this::write);
    return previous.orElse(current);
  }

  private SigningSecret adoptStray(SigningSecret current) {
    Instant before = clock.instant().minus(STRAY);
    Optional<String> stray =
        keys().stream()
            .filter(key -> !knows(current, key) && key.createDate().isBefore(before))
            .map(AccessKeyMetadata::accessKeyId)
            .findFirst();
    if (stray.isEmpty() || current.retiredKeyId() != null) {
      return current;
    }
    SigningSecret adopted = current.withRetired(stray.get(), clock.instant());
    write(adopted);
    return adopted;
  }

  private static boolean knows(SigningSecret secret, AccessKeyMetadata key) {
    return key.accessKeyId().equals(secret.accessKeyId())
        || key.accessKeyId().equals(secret.retiredKeyId());
  }

  private boolean exists(String keyId) {
    return keys().stream().anyMatch(key -> key.accessKeyId().equals(keyId));
  }

  private List<AccessKeyMetadata> keys() {
    return iam.listAccessKeys(list -> list.userName(user)).accessKeyMetadata();
  }

  private void switchOff(String keyId) {
    iam.updateAccessKey(
        update -> update.userName(user).accessKeyId(keyId).status(StatusType.INACTIVE));
  }

  private void delete(String keyId) {
    iam.deleteAccessKey(delete -> delete.userName(user).accessKeyId(keyId));
  }

  private SigningSecret read() {
    return SigningSecret.read(secrets.getSecretValue(get -> get.secretId(secretId)).secretString());
  }

  /// The secret's value before its last change, which Secrets Manager keeps.
  private Optional<SigningSecret> previous() {
    try {
      return Optional.of(
          SigningSecret.read(
              secrets
                  .getSecretValue(get -> get.secretId(secretId).versionStage("AWSPREVIOUS"))
                  .secretString()));
    } catch (ResourceNotFoundException never) {
      return Optional.empty();
    }
  }

  private void write(SigningSecret secret) {
    secrets.putSecretValue(put -> put.secretId(secretId).secretString(secret.text()));
  }
}
