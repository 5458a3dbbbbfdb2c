import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Client, ClientOptions, Clock, Fetch } from '@shiplog/client';
import type { KeyName } from '@shiplog/contract';
import { usageFailure } from './failure.ts';
import { away, isAway } from './failures.ts';
import { Output, type OutputOptions } from './output.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What every command is handed. */
export interface Context {
  readonly env: Environment;
  readonly out: Output;
  readonly stdin: AsyncIterable<Buffer | string>;
  readonly clock: Clock;
  /** Whether an option or a variable says where the service is. */
  readonly isUrlSet: boolean;
  /** Where the service is, without a slash at its end. @throws Failure where what is set is no address. */
  readonly url: string;
  /** The keys that are set; a key is never an argument, where others see it. @throws Failure for one that no header carries. */
  readonly keys: Readonly<Partial<Record<KeyName, string>>>;
  /** Aborted by SIGINT, SIGTERM and SIGHUP, with the Failure that the process ends with. */
  readonly signal: AbortSignal;
  /** Loads the client only where it is needed. */
  readonly client: (options?: Pick<ClientOptions, 'timeoutMs' | 'fetch'>) => Promise<Client>;
}

export interface ContextOptions extends OutputOptions {
  readonly url?: string | undefined;
  readonly env: Environment;
  readonly stdin: AsyncIterable<Buffer | string>;
  readonly signal: AbortSignal;
  /** Time; tests pass their own. */
  readonly clock?: Clock;
}

const defaultUrl = 'http://127.0.0.1:3000';

/**
 * Address and keys are judged when they are asked for: a command that needs neither works without, and one that must go
 * on whatever is wrong with the log can say so itself.
 */
export function createContext(options: ContextOptions): Context {
  const { env, stdin, signal, clock = realTime } = options;
  const url = () => {
    if (options.url !== undefined) return urlOf('--url', options.url);
    return urlOf('SHIPLOG_URL', env.SHIPLOG_URL || defaultUrl);
  };
  return {
    env,
    stdin,
    clock,
    signal,
    out: new Output(options),
    isUrlSet: options.url !== undefined || Boolean(env.SHIPLOG_URL),
    get url() {
      return url();
    },
    get keys() {
      return keysOf(env);
    },
    client: async (more = {}) => {
      const [baseUrl, keys] = [url(), keysOf(env)];
      const { createClient } = await import('@shiplog/client');
      return createClient({ baseUrl, keys, ...more, fetch: named(baseUrl, more.fetch ?? fetch) });
    },
  };
}

/** The same calls, whose failures name the address. */
function named(baseUrl: string, call: Fetch): Fetch {
  return async (url, init) => {
    try {
      return await call(url, init);
    } catch (error) {
      throw error instanceof Error && isAway(error) ? away(`the service at ${baseUrl}`, error) : error;
    }
  };
}

/** A timer for longer, which is more than three weeks, would be over at once. */
const timerMsMax = 2 ** 31 - 1;

/** As `systemClock` of the client, which is too much to load for what needs the time alone. */
const realTime: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) => setTimeout(Math.min(ms, timerMsMax), undefined, { signal }).catch(() => undefined),
};

function urlOf(name: string, text: string): string {
  if (!/^https?:\/\/[^/?#@\s]+(\/[^?#@\s]*)?$/i.test(text) || !URL.canParse(text)) {
    const shown = text.replace(/\/\/.*@/g, '//…@');
    throw usageFailure(
      `${name} is ${JSON.stringify(shown)}; it takes the address of a service, such as ${defaultUrl}.`,
    );
  }
  return text.replace(/\/+$/, '');
}

function keysOf(env: Environment): Partial<Record<KeyName, string>> {
  const api = keyOf('SHIPLOG_API_KEY', env);
  const control = keyOf('SHIPLOG_CONTROL_API_KEY', env);
  return { ...(api !== undefined && { api }), ...(control !== undefined && { control }) };
}

function keyOf(variable: string, env: Environment): string | undefined {
  const file = env[`${variable}_FILE`] || undefined;
  if (file !== undefined && env[variable]) {
    throw usageFailure(`${variable} and ${variable}_FILE are both set; set one of them.`);
  }
  const key = file === undefined ? env[variable] : keyInFile(variable, file);
  if (key === undefined || key === '') return undefined;
  // A key that no header can carry would make every call fail, with an error message that contains the key.
  if (!/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(key)) {
    throw usageFailure(`${variable} takes printable ASCII that neither begins nor ends with a blank.`);
  }
  return key;
}

function keyInFile(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw usageFailure(`${variable}_FILE names a file that cannot be read (${code}); it takes the path of a file.`);
  }
}
