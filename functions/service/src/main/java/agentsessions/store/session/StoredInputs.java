package agentsessions.store.session;

import agentsessions.aws.SecretCipher;
import agentsessions.session.SessionInputs;
import agentsessions.session.id.SessionKey;
import agentsessions.session.input.Environment;
import agentsessions.session.repository.Checkout;
import agentsessions.session.repository.Checkout.Credential;
import agentsessions.session.repository.PushJob;
import agentsessions.table.Attribute;
import agentsessions.table.AttributeFormat;
import agentsessions.table.Change;
import agentsessions.table.Item;
import agentsessions.table.ItemSchema;
import agentsessions.table.Layout;
import agentsessions.table.Schema;
import agentsessions.table.Table;
import agentsessions.table.Write;
import agentsessions.table.item.CheckoutMap;
import jakarta.inject.Singleton;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The inputs that a session keeps for all of its turns: repositories, the credentials for their
/// hosts, and the agent's environment. Tokens, the values of variables and the setup script are
/// sealed; only the claim of a turn opens them.
@Singleton
public final class StoredInputs {
  /// The stored login for a repository's host: the name of a secret, or a sealed token.
  private record Login(
      @Nullable String username, @Nullable String secret, @Nullable ByteBuffer token) {}

  private static final ItemSchema<Login> LOGIN = new ItemSchema<>(StoredInputs::login);
  private static final Attribute<String> USERNAME =
      LOGIN.part("username", AttributeFormat.TEXT, Login::username);
  private static final Attribute<String> SECRET =
      LOGIN.part("secret", AttributeFormat.TEXT, Login::secret);
  private static final Attribute<ByteBuffer> TOKEN =
      LOGIN.part("token", AttributeFormat.BYTES, Login::token);

  private static final Schema WORK = new Schema();
  private static final Attribute<List<Checkout>> CHECKOUTS =
      WORK.attribute("checkouts", CheckoutMap.FORMAT);
  private static final Attribute<List<String>> SECRETS =
      WORK.attribute("secrets", AttributeFormat.NAMES);
  private static final Attribute<ByteBuffer> VARIABLES =
      WORK.attribute("variables", AttributeFormat.BYTES);
  private static final Attribute<ByteBuffer> SETUP = WORK.attribute("setup", AttributeFormat.BYTES);

  /// The logins by position of the repository, from 1.
  private static final List<Attribute<Login>> CREDENTIALS =
      IntStream.rangeClosed(1, Checkout.MOST)
          .mapToObj(number -> WORK.attribute("credential_" + number, LOGIN.format()))
          .toList();

  private final Table table;
  private final SecretCipher cipher;

  public StoredInputs(Table table, SecretCipher cipher) {
    this.table = table;
    this.cipher = cipher;
  }

  /// The inputs of one session, opened.
  public record Opened(List<Checkout> checkouts, Environment environment) {
    public static final Opened NONE = new Opened(List.of(), Environment.NONE);

    /// What a job needs of it: the credentials of its repositories, and its own destinations.
    public Opened of(PushJob job) {
      List<Checkout> all =
          IntStream.rangeClosed(1, checkouts.size())
              .mapToObj(number -> {
                Checkout checkout = checkouts.get(number - 1);
                return job.push(number).map(checkout::pushing).orElse(checkout.with(null));
              })
              .toList();
      return new Opened(all, Environment.NONE);
    }
  }

  /// A repository as it was asked for, without its credential.
  public record Known(Checkout checkout, boolean hasCredential) {}

  /// A repository of a session, by its number from 1; nothing is opened.
  public Optional<Known> known(SessionKey key, int number) {
    return table
        .item(Layout.work(key))
        .map(item ->
            new Known(item.get(CHECKOUTS).get(number - 1), item.has(CREDENTIALS.get(number - 1))));
  }

  public Write put(SessionKey key, SessionInputs inputs) {
    Environment environment = inputs.environment();
    Change change =
        WORK.change(Layout.work(key))
            .set(CHECKOUTS, inputs.checkouts())
            .set(SECRETS, environment.secrets());
    for (int i = 0; i < inputs.checkouts().size(); i++) {
      credential(change, key, i + 1, inputs.checkouts().get(i).credential());
    }
    if (!environment.variables().isEmpty()) {
      change.set(VARIABLES, seal(key, joined(environment.variables())));
    }
    if (environment.setup() != null) {
      change.set(SETUP, seal(key, environment.setup()));
    }
    return change.put();
  }

  /// Replaces the credentials of some repositories, given by position from 1.
  public Write change(SessionKey key, Map<Integer, Credential> credentials) {
    Change change = WORK.change(Layout.work(key)).when("attribute_exists(#PK)");
    credentials.forEach((number, credential) -> credential(change, key, number, credential));
    return change.update();
  }

  public Opened open(SessionKey key) {
    return table.item(Layout.work(key)).map(item -> open(key, item)).orElse(Opened.NONE);
  }

  private Opened open(SessionKey key, Item item) {
    List<Checkout> checkouts = new ArrayList<>();
    for (Checkout checkout : item.get(CHECKOUTS)) {
      checkouts.add(
          item.optional(CREDENTIALS.get(checkouts.size()))
              .map(login -> checkout.with(credential(key, login)))
              .orElse(checkout));
    }
    return new Opened(
        checkouts,
        new Environment(
            item.optional(VARIABLES).map(sealed -> split(open(key, sealed))).orElse(Map.of()),
            item.get(SECRETS),
            item.optional(SETUP).map(sealed -> open(key, sealed)).orElse(null)));
  }

  private void credential(
      Change change, SessionKey key, int number, @Nullable Credential credential) {
    if (credential != null) {
      change.set(
          CREDENTIALS.get(number - 1),
          switch (credential) {
            case Credential.OfSecret(String username, String secret) ->
                new Login(username, secret, null);
            case Credential.Token(String username, String token) ->
                new Login(username, null, seal(key, token));
          });
    }
  }

  private Credential credential(SessionKey key, Login login) {
    if (login.secret() != null) {
      return new Credential.OfSecret(login.username(), login.secret());
    }
    ByteBuffer token = login.token();
    return new Credential.Token(login.username(), token == null ? "" : open(key, token));
  }

  private static Login login(Item item) {
    return new Login(item.find(USERNAME), item.find(SECRET), item.find(TOKEN));
  }

  private String open(SessionKey key, ByteBuffer sealed) {
    return new String(cipher.open(key.id().toString(), sealed), StandardCharsets.UTF_8);
  }

  private ByteBuffer seal(SessionKey key, String text) {
    return cipher.seal(key.id().toString(), text.getBytes(StandardCharsets.UTF_8));
  }

  /// The format of a process environment: no value has a NUL character, no name an equals sign.
  private static String joined(Map<String, String> variables) {
    return variables.entrySet().stream()
        .map(pair -> pair.getKey() + "=" + pair.getValue())
        .collect(Collectors.joining("\0"));
  }

  private static Map<String, String> split(String joined) {
    Map<String, String> variables = new LinkedHashMap<>();
    Stream.of(joined.split("\0", -1))
        .forEach(pair ->
            variables.put(
                pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1)));
    return variables;
  }
}
