import { CallRefused, createClient } from '@shiplog/client';
import { endpoints, type KeyName, keyHeaders } from '@shiplog/contract';
import { developmentKeys } from '@shiplog/server/keys';
import { type Check, type Examined, type Finding, finding } from './finding.ts';

const variables = { api: 'SHIPLOG_API_KEY', control: 'SHIPLOG_CONTROL_API_KEY' } as const;
const settings = { api: 'API_KEY', control: 'CONTROL_API_KEY' } as const;
const others = { api: 'control', control: 'api' } as const;

/** Whether the keys are those of the service; nothing is changed by it. */
export const checkKeys: Check = async (examined) => {
  const findings: Finding[] = [];
  for (const name of ['api', 'control'] as const) findings.push(await judged(name, examined));
  if (!examined.isLocal) findings.push(await withoutDevelopmentKeys(examined));
  return findings;
};

async function judged(name: KeyName, examined: Examined): Promise<Finding> {
  const key = examined.keys[name];
  const variable = variables[name];
  if (key === undefined) return finding('note', 'keys', `${variable} is not set, so this key was not tried.`);
  if (await isTaken(name, key, examined)) return finding('ok', 'keys', `${variable} is taken.`);
  const other = others[name];
  if (await isTaken(other, key, examined)) {
    const text = `${variable} holds the other key; it takes the ${settings[name]} of the service, and ${variables[other]} this one.`;
    return finding('fault', 'keys', text);
  }
  return finding('fault', 'keys', `${variable} is not taken; set it to the ${settings[name]} of the service.`);
}

async function withoutDevelopmentKeys(examined: Examined): Promise<Finding> {
  for (const name of ['api', 'control'] as const) {
    if (await isTaken(name, developmentKeys[name], examined)) {
      const text = `The service takes the development key that everyone knows; set ${settings[name]} of the service to a secret.`;
      return finding('fault', 'keys', text);
    }
  }
  return finding('ok', 'keys', 'The service takes no development key.');
}

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
