package agentsessions.rotation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.rotation.SigningKeyRotation.Outcome;
import agentsessions.testing.SettableClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The schedule of the signing keys: no link that was given out ends early by a rotation.
class SigningKeyRotationTest {
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration LINK = Duration.ofDays(6);

  /// The time for which a signer may go on with the key that it has read.
  private static final Duration FRESH = Duration.ofMinutes(5);

  private final SettableClock clock = new SettableClock();
  @AutoClose private WireAws aws;
  private SigningKeyRotation keys;

  @BeforeEach
  void start() throws IOException {
    aws = new WireAws(clock);
    keys = aws.signingKeys();
  }

  @Test
  void everyLinkLivesSixDaysThroughSixtyDaysOfRotations() throws IOException {
    Simulation days = new Simulation(new Random(6));
    days.pass(Duration.ofDays(60));
    assertTrue(days.issued > 1500, "links: " + days.issued);
    assertEquals(2, days.rotations, "forced on day 3, due on day 33");
    assertTrue(days.refusals > 0);
  }

  @Test
  void aNewKeyIsNotDueBeforeThirtyDays() throws IOException {
    String first = aws.current();
    clock.pass(Duration.ofDays(29));
    assertEquals(Outcome.NOT_DUE, keys.run(false));
    assertEquals(first, aws.current());
    clock.pass(DAY);
    assertEquals(Outcome.ROTATED, keys.run(false));
    assertNotEquals(first, aws.current());
    assertTrue(aws.works(first));
  }

  @Test
  void aForcedRotationIsRefusedWhileLinksOfTheKeyBeforeAreAlive() throws IOException {
    assertEquals(Outcome.ROTATED, keys.run(true));
    String current = aws.current();
    for (int day = 0; day < 8; day++) {
      assertEquals(Outcome.REFUSED, keys.run(true), "day " + day);
      clock.pass(DAY);
    }
    assertEquals(current, aws.current());
    assertEquals(Outcome.ROTATED, keys.run(true));
  }

  @Test
  void theOldKeyIsSwitchedOffOnDaySevenAndDeletedOnDayEight() throws IOException {
    String old = aws.current();
    keys.run(true);
    clock.pass(Duration.ofDays(7).minusMinutes(1));
    keys.run(false);
    assertTrue(aws.works(old));
    clock.pass(Duration.ofMinutes(1));
    keys.run(false);
    assertFalse(aws.works(old));
    assertEquals(2, aws.keys.size());
    clock.pass(DAY);
    keys.run(false);
    assertEquals(List.of(aws.current()), List.copyOf(aws.keys.keySet()));
  }

  @Test
  void aNewKeyThatSignsNoWorkingLinkIsNotTaken() throws IOException {
    String first = aws.current();
    aws.unknownFor = -1;
    assertThrows(IllegalStateException.class, () -> keys.run(true));
    assertEquals(first, aws.current());
    assertEquals(1, aws.keys.size());
  }

  @Test
  void aKeyThatTheSecretDoesNotNameIsDeletedOnlyWhenItsLinksAreOver() {
    String stray = aws.make();
    clock.pass(Duration.ofHours(2));
    keys.run(false);
    clock.pass(Duration.ofDays(7).minusMinutes(1));
    keys.run(false);
    assertTrue(aws.works(stray));
    clock.pass(DAY.plusMinutes(1));
    keys.run(false);
    assertFalse(aws.keys.containsKey(stray));
  }

  @Test
  void aSecretThatIsSetBackToAKeyThatIsGoneEndsNoLink() throws IOException {
    String first = aws.secret;
    String retired = aws.current();
    keys.run(true);
    String signing = aws.current();
    clock.pass(Duration.ofDays(9));
    keys.run(false);
    keys.run(true);
    aws.setBackTo(first);
    assertFalse(aws.works(retired));
    clock.pass(Duration.ofHours(2));
    keys.run(false);
    assertTrue(aws.works(aws.current()), "signs again");
    assertTrue(aws.works(signing), "the links of the key before are alive");
  }

  @Test
  void aKeyThatSomebodyDeletedIsReplacedAtOnce() throws IOException {
    String first = aws.current();
    aws.keys.remove(first);
    assertEquals(Outcome.ROTATED, keys.run(false));
    assertTrue(aws.works(aws.current()));
  }

  @Test
  void theSecretIsInNoText() {
    SigningSecret secret = new SigningSecret("AKIA1", "hidden", null, null);
    assertFalse(secret.toString().contains("hidden"));
  }

  /// Requests at random moments, a rotation a day, a forced one on days 3, 5 and 6.
  private final class Simulation {
    private record Link(String keyId, Instant until) {}

    private final Random random;
    private final List<Link> links = new ArrayList<>();
    private String read = "";
    private Instant readAt = Instant.EPOCH;
    private int issued;
    private int rotations;
    private int refusals;

    private Simulation(Random random) {
      this.random = random;
    }

    private void pass(Duration time) throws IOException {
      Instant start = clock.instant();
      for (int day = 0; day < time.toDays(); day++) {
        rotate(day == 3 || day == 5 || day == 6);
        Instant end = start.plus(DAY.multipliedBy(day + 1));
        while (clock.instant().isBefore(end)) {
          issue();
          checkAll();
          clock.pass(Duration.ofSeconds(1 + random.nextInt(6000)));
        }
      }
      rotate(false);
      checkAll();
    }

    private void rotate(boolean force) {
      switch (keys.run(force)) {
        case ROTATED -> rotations++;
        case REFUSED -> refusals++;
        case NOT_DUE -> {}
      }
    }

    private void issue() throws IOException {
      if (clock.instant().isAfter(readAt.plus(FRESH))) {
        read = aws.current();
        readAt = clock.instant();
      }
      links.add(new Link(read, clock.instant().plus(LINK)));
      issued++;
    }

    private void checkAll() {
      links.removeIf(link -> link.until().isBefore(clock.instant()));
      links.forEach(link -> assertTrue(aws.works(link.keyId()), link + " at " + clock.instant()));
    }
  }
}
