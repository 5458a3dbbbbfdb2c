import { CallRefused, createClient } from '@shiplog/client';
import { endpoints, type KeyName, keyHeaders } from '@shiplog/contract';
import { developmentKeys } from '@shiplog/server/keys';
import { type Check, type Examined, type Finding, finding } from './finding.ts';

const variables = { api: 'SHIPLOG_API_KEY', control: 'SHIPLOG_CONTROL_API_KEY' } as const;
const settings = { api: 'API_KEY', control: 'CONTROL_API_KEY' } as const;
const others = { api: 'control', control: 'api' } as const;

/** Whether a key is that of the service; nothing is changed by it. */
export const checkKey =
  (name: KeyName): Check =>
  async (examined) => {
    const say = (level: Finding['level'], text: string) => [finding(level, 'keys', text)];
    const key = examined.keys[name];
    const variable = variables[name];
    if (key === undefined) return say('note', `${variable} is not set, so this key was not tried.`);
    if (await isTaken(name, key, examined)) return say('ok', `${variable} is taken.`);
    const other = others[name];
    if (!(await isTaken(other, key, examined))) {
      return say('fault', `${variable} is not taken; set it to the ${settings[name]} of the service.`);
    }
    const text = `${variable} holds the other key; it takes the ${settings[name]} of the service, and ${variables[other]} this one.`;
    return say('fault', text);
  };

/** Everyone knows the development keys, which are fine on this machine alone. */
export const checkDevelopmentKeys: Check = async (examined) => {
  if (examined.isLocal) return [];
  for (const name of ['api', 'control'] as const) {
    if (await isTaken(name, developmentKeys[name], examined)) {
      const text = `The service takes the development key that everyone knows; set ${settings[name]} of the service to a secret.`;
      return [finding('fault', 'keys', text)];
    }
  }
  return [finding('ok', 'keys', 'The service takes no development key.')];
};

/** A cursor that nobody stores: reading it needs the key, and changes nothing. */
const adapter = 'shiplog-doctor';

async function isTaken(name: KeyName, key: string, { url, signal }: Examined): Promise<boolean> {
  if (name === 'control') {
    const response = await fetch(`${url}${endpoints.streamControl.path}`, {
      headers: { [keyHeaders.control]: key },
      redirect: 'manual',
      signal,
    });
    await response.body?.cancel();
    return response.status === 200;
  }
  try {
    await createClient({ baseUrl: url, keys: { api: key } }).getFetcherState({ params: { adapter }, signal });
    return true;
  } catch (error) {
    if (error instanceof CallRefused && (error.status === 404 || error.status === 401)) return error.status === 404;
    throw error;
  }
}
