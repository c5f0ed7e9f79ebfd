package agentsessions.turn.catalogue;

import agentsessions.session.usage.Prices;
import io.micronaut.context.annotation.Property;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The prices of models: the packaged `infra/prices.yaml`, and over it the file that the setting
/// `PRICES_FILE` names. A mistake in either is named with its line, and then no price is loaded.
@Singleton
public final class PriceList {
  private static final String FILE = "prices.yaml";

  private final Prices prices;

  public PriceList(@Property(name = "prices.file") @Nullable String own) {
    Prices packaged = packaged();
    this.prices = own == null ? packaged : packaged.under(own(Path.of(own)));
  }

  /// The mistake in the packaged list or in an operator's own, if there is one.
  ///
  /// @param own the path of the operator's file
  public static Optional<String> mistake(@Nullable String own) {
    try {
      Prices _ = new PriceList(own).prices();
      return Optional.empty();
    } catch (IllegalStateException wrong) {
      return Optional.ofNullable(wrong.getMessage());
    } catch (UncheckedIOException unreadable) {
      return Optional.of("The price list cannot be read: " + unreadable.getCause());
    }
  }

  public Prices prices() {
    return prices;
  }

  private static Prices own(Path file) {
    try (Reader text = Files.newBufferedReader(file)) {
      return PriceFile.read(file.toString(), text);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  private static Prices packaged() {
    InputStream file = PriceList.class.getResourceAsStream("/" + FILE);
    if (file == null) {
      throw new IllegalStateException(FILE + " is not in the package");
    }
    try (Reader text = new InputStreamReader(file, StandardCharsets.UTF_8)) {
      return PriceFile.read(FILE, text);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
