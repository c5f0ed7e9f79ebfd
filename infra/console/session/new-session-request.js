/** A new session as its form asks for it. */

/** What can be bounded, of a turn or of all of them. */
export const CEILINGS = [
  { name: 'max_cost_usd', label: 'Dollars', step: '0.01' },
  { name: 'max_tokens', label: 'Tokens', step: '1' },
  { name: 'max_model_requests', label: 'Model requests', step: '1' },
  { name: 'max_seconds', label: 'Seconds', step: '1' },
];

/**
 * The request that the form stands for.
 * @param {FormData} form
 * @param {{url: string}[]} repositories
 * @param {{path: string}[]} files as a message has them
 */
export function asked(form, repositories, files) {
  const text = (name) => String(form.get(name) ?? '').trim();
  const body = { agent_name: text('agent_name'), message: String(form.get('message')) };
  if (text('title')) body.title = text('title');
  if (text('model')) body.model = text('model');
  if (repositories.length) body.repositories = repositories;
  if (files.length) body.files = files;
  const limits = Object.fromEntries(['turn', 'session'].map((scope) => [scope, ceiling(scope, text)]).filter(([, set]) => set));
  if (Object.keys(limits).length) body.limits = limits;
  const environment = surroundings(text, String(form.get('variables') ?? ''));
  return Object.keys(environment).length ? { ...body, environment } : body;
}

/** What was asked for of them; nothing where nothing was. */
function ceiling(scope, text) {
  const set = CEILINGS.map((each) => [each.name, text(`${scope}-${each.name}`)]).filter(([, value]) => value);
  return set.length ? Object.fromEntries(set.map(([name, value]) => [name, Number(value)])) : null;
}

function surroundings(text, variables) {
  const pairs = variables.split('\n').filter((line) => line.trim()).map((line) => {
    const equals = line.indexOf('=');
    return equals < 0 ? [line.trim(), ''] : [line.slice(0, equals).trim(), line.slice(equals + 1)];
  });
  const secrets = text('secrets').split(',').map((name) => name.trim()).filter(Boolean);
  return {
    ...(pairs.length && { variables: Object.fromEntries(pairs) }),
    ...(secrets.length && { secrets }),
    ...(text('setup') && { setup: text('setup') }),
  };
}
