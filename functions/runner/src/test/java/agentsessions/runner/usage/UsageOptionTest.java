package agentsessions.runner.usage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A chat request that streams asks for the usage, and is else the same, byte for byte.
class UsageOptionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'stream':true} | {'stream':true,'stream_options':{'include_usage':true}}",
        "{'x':[{'stream':false}], 'stream' : true , 'é':'\\u00e9' } | {'x':[{'stream':false}], 'stream' : true , 'é':'\\u00e9' ,'stream_options':{'include_usage':true}}",
        "{'stream':true,'stream_options':null,'a':1} | {'stream':true,'stream_options':{'include_usage':true},'a':1}",
        "{'stream_options':{},'stream':true} | {'stream_options':{'include_usage':true},'stream':true}",
        "{'stream_options':{'o':[1]},'stream':true} | {'stream_options':{'o':[1],'include_usage':true},'stream':true}",
        "{'stream_options':{'include_usage':false,'o':1},'stream':true} | {'stream_options':{'include_usage':true,'o':1},'stream':true}",
        "{'stream':false,'stream':true} | {'stream':false,'stream':true,'stream_options':{'include_usage':true}}",
      })
  void requestAsksForTheUsage(String request, String asking) {
    assertEquals(quoted(asking), added(quoted(request)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'stream':true,'stream_options':{'include_usage':true}}",
        "{'stream_options':{'include_usage':false,'include_usage':true},'stream':true}",
        "{'stream':false}",
        "{}",
        "[]",
        "",
        "{'stream':true",
        "{'stream':true,'stream_options':7}",
      })
  void requestThatAsksAlreadyOrCannotIsLeftAlone(String request) {
    assertEquals("", added(quoted(request)));
  }

  private static String added(String request) {
    return UsageOption.added(request.getBytes(StandardCharsets.UTF_8))
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
        .orElse("");
  }

  private static String quoted(String text) {
    return text.replace('\'', '"');
  }
}
