package agentsessions.runner.agent;

/// How a model is spoken with, as the catalogue names it; its answers say in a way of their own
/// what they used.
public enum Dialect {
  /// Anthropic's messages.
  ANTHROPIC,
  /// OpenAI's Responses.
  RESPONSES,
  /// OpenAI's chat completions, which many others speak, too.
  CHAT,
  /// Google's generateContent.
  GEMINI
}
