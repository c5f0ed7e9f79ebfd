import { html, nothing } from '../page/part.js';
import { post } from '../page/api.js';
import { age, moment, plain } from '../text/text.js';
import { SettingsList } from './settings-list.js';

const SCOPES = ['read', 'write', 'admin', 'decide'];

/** The page of API keys: creates keys, shows each new one once, and revokes keys. */
class KeyList extends SettingsList {
  static properties = { me: { attribute: false } };

  constructor() {
    super({
      path: 'keys',
      noun: 'key',
      title: 'API keys',
      lead: html`A program sends one as <code>Authorization: ApiKey …</code>. It sees this workspace and nothing else.`,
      columns: ['Name', 'May', 'Last used', 'Expires'],
      saving: 'Create',
      removing: 'Revoke',
      isMain: true,
    });
    this.me = null;
  }

  row(key) {
    const ended = key.revoked_at ? `revoked ${moment(key.revoked_at)}` : key.expires_at && Date.parse(key.expires_at) < Date.now() ? 'ended' : '';
    return html`<tr class=${ended ? 'ended' : ''}><td dir="auto">${plain(key.name ?? 'unnamed')}${key.id === this.me?.key_id ? ' (this page)' : ''}
      ${key.made_by ? html`<small>made by <bdi>${plain(this.nameOf(key.made_by))}</bdi></small>` : nothing}</td><td>${key.scopes.join(', ')}</td>
      <td>${used(key.last_used_at)}</td><td>${ended || expiry(key.expires_at)}</td><td>${ended ? nothing : this.actions(key)}</td></tr>`;
  }

  nameOf(id) {
    const name = this.items.find((key) => key.id === id)?.name;
    return name ? `${name} (${id})` : id;
  }

  fields() {
    return html`<label for="key-name">Name</label><input class="field" id="key-name" name="name" required maxlength="100" dir="auto" placeholder="ci-nightly">
      <fieldset><legend>May</legend>${this.scopes().map((scope) => html`<label class="choice"><input type="checkbox" name="scopes" value=${scope} ?checked=${SCOPES.indexOf(scope) < 2}> ${scope}</label> `)}</fieldset>
      <label for="days">Ends after</label>
      <select class="field" id="days" name="days"><option value="90">90 days</option><option value="30">30 days</option><option value="7">7 days</option><option value="365">a year</option><option value="">never</option></select>`;
  }

  /** Only a key that may decide makes keys that may. */
  scopes() {
    return SCOPES.filter((scope) => scope !== 'decide' || this.me?.scopes?.includes(scope));
  }

  async save(form) {
    const days = String(form.get('days'));
    const body = { name: String(form.get('name')).trim(), scopes: form.getAll('scopes'), ...(days && { expires_in_days: Number(days) }) };
    const { name, key } = await post('keys', body);
    this.made = { words: html`<b>${plain(name)} was created.</b> Copy it now: it is kept nowhere and cannot be shown again.`, value: key };
  }
}

function used(time) {
  if (!time) return 'never';
  return Date.now() - Date.parse(time) < 3_600_000 * 2 ? 'this hour' : `${age(time, Date.now())} ago`;
}

function expiry(time) {
  if (!time) return 'never';
  const days = Math.ceil((Date.parse(time) - Date.now()) / 86_400_000);
  return days > 1 ? `in ${days} days` : moment(time);
}
customElements.define('key-list', KeyList);
