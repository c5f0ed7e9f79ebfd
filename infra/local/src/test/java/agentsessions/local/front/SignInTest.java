package agentsessions.local.front;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import agentsessions.local.front.HttpMessage.Answer;
import agentsessions.local.front.HttpMessage.Request;
import agentsessions.local.front.HttpMessage.Sender;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Tests of the console's one-time code: valid for five minutes and one key.
class SignInTest {
  private static final Instant START = Instant.parse("2026-11-22T09:00:00Z");
  private static final String GOOD = "{\"code\":\"good\"}";

  private final Deque<SignIn.Made> keys =
      new ArrayDeque<>(List.of(new SignIn.Made("ask_1", START), new SignIn.Made("ask_2", START)));
  private Instant now = START;
  private final SignIn signIn =
      new SignIn("good", "later"::equals, () -> Optional.ofNullable(keys.poll()), clock(() -> now));

  @Test
  void theCodeIsExchangedForAKeyOnce() throws Exception {
    Answer answer = signIn.answer(request(GOOD));
    assertEquals(200, answer.status());
    assertEquals(
        "{\"key\":\"ask_1\",\"expires_at\":\"2026-11-22T09:00:00.000Z\"}",
        new String(answer.body(), UTF_8));
    assertRefused(401, GOOD);
    assertEquals(1, keys.size());
  }

  @Test
  void afterFiveMinutesItIsTooOld() throws Exception {
    now = START.plus(Duration.ofMinutes(5)).minusMillis(1);
    assertEquals(200, signIn.answer(request(GOOD)).status());
    SignIn late =
        new SignIn(
            "good", "later"::equals, () -> Optional.ofNullable(keys.poll()), clock(() -> now));
    now = now.plus(Duration.ofMinutes(5));
    assertThrows(GatewayResponse.class, () -> late.answer(request(GOOD)));
    assertEquals(1, keys.size());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{}", "{\"code\":\"\"}", "{\"code\":\"goo\"}", "{\"code\":[\"good\"]}", "[]", "1"})
  void whatIsNotTheCodeIsRefusedAndLeavesItGood(String body) throws Exception {
    assertRefused(401, body);
    assertEquals(200, signIn.answer(request(GOOD)).status());
  }

  @Test
  void whatIsNoJsonIsSaidToBe() throws Exception {
    assertRefused(400, "code=good");
    assertRefused(400, "{\"code\":\"" + "x".repeat(2_000) + "\"}");
  }

  @Test
  void whereThereAreTooManyKeysTheCodeStaysGood() throws Exception {
    keys.clear();
    assertRefused(409, GOOD);
    keys.add(new SignIn.Made("ask_3", START));
    assertEquals(200, signIn.answer(request(GOOD)).status());
  }

  @Test
  void aCodeThatWasAskedForSinceLeavesTheFirstGood() throws Exception {
    assertEquals(200, signIn.answer(request("{\"code\":\"later\"}")).status());
    assertEquals(200, signIn.answer(request(GOOD)).status());
    assertRefused(401, GOOD);
  }

  @Test
  void whoSendsSlowlyKeepsNobodyElseWaiting() throws Exception {
    PipedOutputStream rest = new PipedOutputStream();
    CountDownLatch isRead = new CountDownLatch(1);
    InputStream slow =
        new PipedInputStream(rest) {
          @Override
          public synchronized int read(byte[] bytes, int from, int length) throws IOException {
            isRead.countDown();
            return super.read(bytes, from, length);
          }
        };
    CompletableFuture<Void> waiting =
        CompletableFuture.runAsync(
            () ->
                assertThrows(
                    GatewayResponse.class,
                    () -> signIn.answer(request("POST", "/rest/v1/console/sign-in", slow))),
            Thread::startVirtualThread);
    isRead.await();
    assertEquals(200, signIn.answer(request(GOOD)).status());
    rest.close();
    waiting.get(1, TimeUnit.MINUTES);
  }

  @Test
  void anEmptyCodeOpensNothing() {
    assertThrows(GatewayResponse.class, () -> SignIn.closed().answer(request("{\"code\":\"\"}")));
  }

  @Test
  void onlyItsOwnPathIsAnswered() {
    assertTrue(signIn.isAsked(request(GOOD)));
    assertFalse(signIn.isAsked(request("GET", "/rest/v1/console/sign-in", "")));
    assertFalse(signIn.isAsked(request("POST", "/rest/v1/console/sign-in/", "")));
  }

  private void assertRefused(int status, String body) throws IOException {
    GatewayResponse refusal =
        assertThrows(GatewayResponse.class, () -> signIn.answer(request(body)));
    assertEquals(status, refusal.answer("r").status());
  }

  private static Clock clock(InstantSource source) {
    return source.withZone(ZoneOffset.UTC);
  }

  private static Request request(String body) {
    return request("POST", "/rest/v1/console/sign-in", body);
  }

  private static Request request(String method, String path, String body) {
    return request(method, path, new ByteArrayInputStream(body.getBytes(UTF_8)));
  }

  private static Request request(String method, String path, InputStream body) {
    return new Request(
        "r",
        method,
        path,
        "",
        List.of(),
        "127.0.0.1",
        "HTTP/1.1",
        body,
        new Sender(() -> {}, () -> {}, () -> {}));
  }
}
