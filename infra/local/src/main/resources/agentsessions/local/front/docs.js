// Reads the contract of this very service, and sends what a person tries to it; the page's policy allows no other host.
import { languages, sample, sent } from '/docs/calls.js';

const CONTRACT = '/rest/v1/openapi.yaml';
const key = document.getElementById('key');
let language = 0; // chosen last, for operations that are opened later

const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', paint);
paint();

// Whatever host the contract names, a request goes to where it came from. What parameters are like is no value to begin with: the viewer
// would send the example's Idempotency-Key, and filter by all that there is.
function here(spec) {
  if (!spec?.paths) return spec;
  const parameters = Object.values(spec.paths).flatMap((path) => [path, ...Object.values(path)].flatMap((each) => each.parameters ?? []));
  for (const parameter of [...parameters, ...Object.values(spec.components.parameters)]) delete parameter.example;
  return { ...spec, servers: [{ url: `${location.origin}/rest/v1` }] };
}

// The viewer keeps what it made before this, without the key, and so shows no key.
function withKey(request) {
  request.credentials = 'omit';
  const url = new URL(request.url, location.href);
  if (url.origin === location.origin && url.pathname !== CONTRACT && key.value) {
    request.headers.Authorization = `ApiKey ${key.value.trim()}`;
  }
  return request;
}

function calls({ React, specSelectors }) {
  const { createElement: h, useState, useRef } = React;

  function Calls({ path, method }) {
    const [chosen, choose] = useState(language);
    const tabs = useRef(null);
    const spec = specSelectors.specJson().toJS();
    const request = specSelectors.requestFor(path, method)?.toJS();
    const call = request ? sent(spec, path, method, request) : sample(spec, path, method);
    const text = languages[chosen].write(call, location.origin);
    const turn = (to) => choose((language = (to + languages.length) % languages.length));
    const onKeyDown = ({ key: pressed }) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[pressed];
      if (!step) return;
      turn(chosen + step);
      tabs.current.children[language].focus();
    };
    const tab = ({ name }, index) =>
      h('button', { key: name, type: 'button', role: 'tab', 'aria-selected': index === chosen, tabIndex: index === chosen ? 0 : -1, onClick: () => turn(index) }, name);
    const copy = navigator.clipboard && h('button', { type: 'button', className: 'copy', onClick: () => navigator.clipboard.writeText(text) }, 'Copy');
    return h(
      'section',
      { className: 'calls' },
      h('div', { className: 'bar' }, h('div', { role: 'tablist', 'aria-label': 'Call it by', ref: tabs, onKeyDown }, languages.map(tab)), copy),
      h('pre', { role: 'tabpanel', 'aria-label': languages[chosen].name, tabIndex: 0 }, text),
    );
  }

  const nothing = () => () => null;
  return {
    statePlugins: { spec: { wrapActions: { updateJsonSpec: (update) => (spec) => update(here(spec)) } } },
    wrapComponents: {
      responses: (Responses) => (props) => h(React.Fragment, null, h(Calls, props), h(Responses, props)),
      authorizeBtn: nothing,
      authorizeOperationBtn: nothing,
      curl: nothing,
    },
  };
}

SwaggerUIBundle({
  url: CONTRACT,
  dom_id: '#contract',
  plugins: [calls],
  requestInterceptor: withKey,
  showMutatedRequest: false,
  validatorUrl: null,
  queryConfigEnabled: false,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
});
