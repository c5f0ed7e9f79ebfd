package agentsessions.browser;

/// The agent's scripts for the pictures.
final class Words {
  /// A first turn, which runs until the next message.
  static final String FIRST =
      """
      mkdir -p plans outputs
      printf '# Split the ledger\\n\\n1. Write to both\\n2. Read from the new one\\n' > plans/ledger.md
      printf 'path,p50\\n/refunds,120\\n' > outputs/latency.csv
      for n in 1 2 3; do
        echo '{"type":"call","id":"r'$n'","name":"Read","input":{"file_path":"/workspace/src/'$n'.java"}}'
        echo '{"type":"done","id":"r'$n'"}'
      done
      echo '{"type":"call","id":"b","name":"Bash","input":{"command":"./gradlew test --tests RetryTest -i"}}'
      echo '{"type":"done","id":"b","failed":true}'
      echo '{"type":"message","text":"The test is right. `Retry.backoff` reads the clock twice:\\n\\n```java\\nlong waited = clock.millis() - started;\\n```\\n\\nI will read it once."}'
      echo '{"type":"call","id":"w","name":"Write","input":{"file_path":"/workspace/src/Clock.java"}}'
      exec sleep 600
      """;

  /// A second turn.
  static final String SECOND =
      """
      echo '{"type":"call","id":"e","name":"Edit","input":{"file_path":"/workspace/src/Retry.java"}}'
      echo '{"type":"done","id":"e"}'
      echo '{"type":"message","text":"Now `TickingClock`."}'
      echo '{"type":"call","id":"g","name":"Bash","input":{"command":"./gradlew test --tests RetryTest"}}'
      exec sleep 600
      """;

  private Words() {}
}
