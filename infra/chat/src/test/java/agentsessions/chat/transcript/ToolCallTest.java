package agentsessions.chat.transcript;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tests of a tool call's line.
class ToolCallTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'name': 'Bash', 'input': {'description': 'List', 'command': 'ls -la'}} | > Bash ls -la",
        "{'name': 'Read', 'input': {'limit': 3, 'file_path': '/workspace/a.txt'}} | > Read /workspace/a.txt",
        "{'name': 'command_execution', 'input': 'ls'} | > command_execution ls",
        "{'name': 'file_change', 'input': [{'path': 'a', 'kind': 'add'}, {'path': 'b'}]} | > file_change a b",
        "{'__name__': 'think', 'input': {}} | > think",
        "{'name': 'sum', 'input': {'a': 1}} | > sum {`a`:1}",
        "{'name': 'Bash', 'status': 'failed', 'duration_ms': 1500} | x Bash failed after 1.5 s",
        "{'name': 'Bash', 'status': 'ok', 'duration_ms': 1500} | ",
        "not JSON | > not JSON"
      })
  void oneLineWithNameAndMainArgument(String message, String line) {
    assertEquals(
        Optional.ofNullable(line).map(each -> each.replace('`', '"')),
        ToolCall.line(message.replace('\'', '"')));
  }
}
