# An MCP server with one tool.
tool='{"name": "look_up", "description": "Looks a word up.", "inputSchema": {"type": "object", "properties": {"word": {"type": "string"}}}}'
while IFS= read -r request; do
  [[ $request =~ \"id\":([0-9]+) ]] || continue
  id=${BASH_REMATCH[1]} result='{}'
  case $request in
    *'"initialize"'*) result='{"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": {"name": "probe", "version": "1"}}' ;;
    *'"tools/list"'*) result="{\"tools\": [$tool]}" ;;
    *'"tools/call"'*) result='{"content": [{"type": "text", "text": "found"}]}' ;;
    *'"resources/list"'*) result='{"resources": []}' ;;
  esac
  printf '{"jsonrpc": "2.0", "id": %s, "result": %s}\n' "$id" "$result"
done
