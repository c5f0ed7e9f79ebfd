package agentsessions.runner.usage;

import agentsessions.runner.agent.Dialect;
import agentsessions.runner.usage.UsageFigures.Figure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The places of usage, model and text in the responses of an API: JSON pointers in which `*` is
/// any element of an array.
///
/// @param figures usage figures
/// @param models the name of the model
/// @param texts generated text
/// @param ends fields of the last event, or of one shortly before it: one of these values, or any
///   value if there are none
/// @param parts fields that an event with only the usage does not have
/// @param inputHoldsCached whether the input figure includes the tokens read from the cache
record UsagePlaces(
    Map<String, Figure> figures,
    Set<String> models,
    Set<String> texts,
    Map<String, Set<String>> ends,
    Set<String> parts,
    boolean inputHoldsCached) {

  private static final UsagePlaces ANTHROPIC =
      new UsagePlaces(
          below(
              List.of("/message/usage", "/usage"),
              Map.of(
                  "input_tokens", Figure.INPUT,
                  "output_tokens", Figure.OUTPUT,
                  "cache_read_input_tokens", Figure.CACHE_READ,
                  "cache_creation_input_tokens", Figure.CACHE_WRITE,
                  "cache_creation/ephemeral_1h_input_tokens", Figure.CACHE_WRITE_HOUR)),
          Set.of("/message/model", "/model"),
          Set.of("/delta/text", "/delta/thinking", "/delta/partial_json", "/content/*/text"),
          Map.of("/delta/stop_reason", Set.of()),
          Set.of(),
          false);

  private static final UsagePlaces RESPONSES =
      new UsagePlaces(
          below(
              List.of("/response/usage", "/usage"),
              Map.of(
                  "input_tokens", Figure.INPUT,
                  "output_tokens", Figure.OUTPUT,
                  "input_tokens_details/cached_tokens", Figure.CACHE_READ)),
          Set.of("/response/model", "/model"),
          Set.of("/delta", "/output/*/content/*/text"),
          Map.of("/type", Set.of("response.completed", "response.incomplete", "response.failed")),
          Set.of(),
          true);

  private static final UsagePlaces CHAT =
      new UsagePlaces(
          below(
              List.of("/usage"),
              Map.of(
                  "prompt_tokens", Figure.INPUT,
                  "completion_tokens", Figure.OUTPUT,
                  "prompt_tokens_details/cached_tokens", Figure.CACHE_READ)),
          Set.of("/model"),
          Set.of(
              "/choices/*/delta/content",
              "/choices/*/delta/reasoning_content",
              "/choices/*/delta/tool_calls/*/function/arguments",
              "/choices/*/message/content"),
          Map.of("/choices/*/finish_reason", Set.of()),
          Set.of("/choices/*"),
          true);

  private static final UsagePlaces GEMINI =
      new UsagePlaces(
          below(
              List.of("/usageMetadata"),
              Map.of(
                  "promptTokenCount", Figure.INPUT,
                  "candidatesTokenCount", Figure.OUTPUT,
                  "thoughtsTokenCount", Figure.THOUGHTS,
                  "cachedContentTokenCount", Figure.CACHE_READ)),
          Set.of("/modelVersion"),
          Set.of("/candidates/*/content/parts/*/text"),
          Map.of("/candidates/*/finishReason", Set.of(), "/promptFeedback/blockReason", Set.of()),
          Set.of(),
          true);

  static UsagePlaces of(Dialect dialect) {
    return switch (dialect) {
      case ANTHROPIC -> ANTHROPIC;
      case RESPONSES -> RESPONSES;
      case CHAT -> CHAT;
      case GEMINI -> GEMINI;
    };
  }

  /// All places together.
  Set<String> all() {
    return Stream.of(figures.keySet(), models, texts, ends.keySet(), parts)
        .flatMap(Set::stream)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static Map<String, Figure> below(List<String> objects, Map<String, Figure> names) {
    Map<String, Figure> figures = new HashMap<>();
    objects.forEach(
        object -> names.forEach((name, figure) -> figures.put(object + "/" + name, figure)));
    return Map.copyOf(figures);
  }
}
