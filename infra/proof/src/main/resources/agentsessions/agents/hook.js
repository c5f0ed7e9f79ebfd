import fs from 'node:fs'

export const Hook = async () => ({
  'tool.execute.before': async ({ tool, callID }, { args }) =>
    fs.appendFileSync(
      '/workspace/told.jsonl',
      JSON.stringify({ tool_use_id: callID, tool_name: tool, tool_input: args }) + '\n'),
})
