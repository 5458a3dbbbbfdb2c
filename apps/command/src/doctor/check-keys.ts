import { CallRefused, createClient } from '@shiplog/client';
import { endpoints, type KeyName, keyHeaders } from '@shiplog/contract';
import { developmentKeys } from '@shiplog/server/keys';
import { type Check, type Finding, finding, type Installation } from './finding.ts';

const variables = { api: 'SHIPLOG_API_KEY', control: 'SHIPLOG_CONTROL_API_KEY' } as const;
const settings = { api: 'API_KEY', control: 'CONTROL_API_KEY' } as const;
const remedies = {
  api: 'Set it to a named key of its access file, or to its API_KEY unless the file has shared_key: off.',
  control: 'Set it to the CONTROL_API_KEY of the service.',
} as const;
const others = { api: 'control', control: 'api' } as const;

/** Checks whether the service accepts a key, with read-only requests. */
export const checkKey =
  (name: KeyName): Check =>
  async (installation) => {
    const say = (level: Finding['level'], text: string) => [finding(level, 'keys', text)];
    const key = installation.keys[name];
    const variable = variables[name];
    if (key === undefined) return say('note', `${variable} is not set, so this key was not tested.`);
    if (await isAccepted(name, key, installation)) return say('ok', `The service accepts ${variable}.`);
    const other = others[name];
    if (!(await isAccepted(other, key, installation))) {
      return say('fault', `The service rejects ${variable}. ${remedies[name]}`);
    }
    const text = `${variable} contains the other key. Set it to the ${settings[name]} of the service, and ${variables[other]} to this one.`;
    return say('fault', text);
  };

/** The development keys are public, so they are safe only on this machine. */
export const checkDevelopmentKeys: Check = async (installation) => {
  if (installation.isLocal) return [];
  for (const name of ['api', 'control'] as const) {
    if (await isAccepted(name, developmentKeys[name], installation)) {
      const text = `The service accepts the public development key. Set ${settings[name]} of the service to a secret.`;
      return [finding('fault', 'keys', text)];
    }
  }
  return [finding('ok', 'keys', 'The service rejects the development keys.')];
};

/**
 * An unused adapter name. If the service can't identify the caller, reading this adapter's cursor tests the key and
 * changes nothing.
 */
const adapter = 'shiplog-doctor';

async function isAccepted(name: KeyName, key: string, { url, signal }: Installation): Promise<boolean> {
  if (name === 'control') {
    const response = await fetch(`${url}${endpoints.streamControl.path}`, {
      headers: { [keyHeaders.control]: key },
      redirect: 'manual',
      signal,
    });
    await response.body?.cancel();
    return response.status === 200;
  }
  const client = createClient({ baseUrl: url, keys: { api: key } });
  const self = await isKnown(client.getAccessSelf({ signal }));
  return self ?? (await isKnown(client.getFetcherState({ params: { adapter }, signal }))) ?? true;
}

/** Whether the sender of a call is known; `undefined` if the service answers 404. */
async function isKnown(call: Promise<unknown>): Promise<boolean | undefined> {
  try {
    await call;
    return true;
  } catch (error) {
    if (!(error instanceof CallRefused) || ![401, 403, 404].includes(error.status)) throw error;
    return error.status === 404 ? undefined : error.status === 403;
  }
}
