import { html } from '../page/part.js';
import { call } from '../page/api.js';
import { age, plain } from '../text/text.js';
import { SettingsList } from './settings-list.js';

/** The page of secrets: lists their names and sets or removes values, which are never shown. */
class SecretList extends SettingsList {
  constructor() {
    super({
      path: 'secrets',
      noun: 'secret',
      title: 'Secrets',
      lead: 'For repositories and agents. A value can be replaced, never read.',
      columns: ['Name', 'For', 'Changed'],
      saving: 'Save',
      removing: 'Delete',
    });
  }

  row(secret) {
    const replacing = html`<button class="button quiet" @click=${() => this.write(secret)}>Replace</button>`;
    return html`<tr><td class="mono">${secret.name}</td><td>${uses(secret)}</td><td>${ago(secret.updated_at)}</td><td>${this.actions(secret, replacing)}</td></tr>`;
  }

  fields({ name = '', hosts = [], environment = false }) {
    return html`<label for="secret-name">Name</label><input class="field mono" id="secret-name" name="name" required pattern="[A-Z][A-Z0-9_]{0,63}" placeholder="GIT_TOKEN" .value=${name} ?readonly=${name !== ''}>
      <label for="secret-value">Value</label><input class="field mono" id="secret-value" name="value" type="password" required autocomplete="off">
      <label for="secret-hosts">Hosts it may be sent to as a git credential, separated by commas</label><input class="field mono" id="secret-hosts" name="hosts" placeholder="git.example.org" .value=${hosts.join(', ')}>
      <label class="choice"><input type="checkbox" name="environment" ?checked=${environment}> Agents may get it as a variable</label>`;
  }

  async save(form) {
    const hosts = String(form.get('hosts')).split(',').map((host) => host.trim()).filter(Boolean);
    const body = { value: String(form.get('value')), hosts, environment: form.has('environment') };
    await call('PUT', `secrets/${encodeURIComponent(String(form.get('name')))}`, { body });
  }
}

function uses({ hosts, environment }) {
  return [...hosts.map(plain), ...(environment ? ['agents'] : [])].join(', ') || 'nothing yet';
}

function ago(time) {
  const short = age(time, Date.now());
  return short === 'now' ? 'just now' : / [mh]$/.test(short) ? `${short} ago` : short;
}
customElements.define('secret-list', SecretList);
