/**
 * Reads an event stream as the HTML standard has it.
 * @typedef {{id?: string, type: string, data: string}} StreamEvent
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} body
 * @returns {AsyncGenerator<StreamEvent>}
 */
export async function* events(body) {
  let rest = '';
  for await (const piece of texts(body)) {
    rest += piece;
    // a carriage return at the end may be the first half of a line end
    const held = rest.endsWith('\r') ? 1 : 0;
    const blocks = rest.slice(0, rest.length - held).replace(/\r\n?/g, '\n').split('\n\n');
    rest = blocks.pop() + rest.slice(rest.length - held);
    for (const block of blocks) {
      const event = parsed(block);
      if (event) yield event;
    }
  }
}

/** @param {ReadableStream<Uint8Array<ArrayBuffer>>} body */
async function* texts(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** @param {string} block @returns {StreamEvent | null} */
function parsed(block) {
  const event = { type: 'message', data: [] };
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') event.data.push(value);
    if (name === 'event') event.type = value;
    if (name === 'id') event.id = value;
  }
  return event.data.length === 0 ? null : { ...event, data: event.data.join('\n') };
}
