package agentsessions.runner.agent;

/// The API of a model, as the catalogue names it. Each states the usage of a request in a form of
/// its own.
public enum Dialect {
  /// Anthropic's Messages API.
  ANTHROPIC,
  /// OpenAI's Responses API.
  RESPONSES,
  /// OpenAI's Chat Completions API, which many other providers offer as well.
  CHAT,
  /// Google's Gemini API (`generateContent`).
  GEMINI
}
