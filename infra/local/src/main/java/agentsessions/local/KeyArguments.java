package agentsessions.local;

import agentsessions.authorizer.Scope;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Converters for the arguments of scripts/keys.
final class KeyArguments {
  private static final int LONGEST_DAYS = 3650;

  private KeyArguments() {}

  /// A whole number of days.
  static final class Days implements ITypeConverter<Duration> {
    @Override
    public Duration convert(String text) {
      if (!text.matches("[1-9]\\d{0,3}") || Integer.parseInt(text) > LONGEST_DAYS) {
        throw new TypeConversionException("it must be from 1 to " + LONGEST_DAYS);
      }
      return Duration.ofDays(Integer.parseInt(text));
    }
  }

  /// A scope by its name: `read`, `write`, `admin` or `decide`.
  static final class ScopeName implements ITypeConverter<Scope> {
    @Override
    public Scope convert(String text) {
      return Scope.of(text)
          .orElseThrow(
              () -> new TypeConversionException("it must be read, write, admin or decide"));
    }
  }
}
