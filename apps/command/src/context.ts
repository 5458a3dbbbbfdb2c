import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { Client, ClientOptions, Clock, Fetch } from '@shiplog/client';
import type { KeyName } from '@shiplog/contract';
import { away, isAway, usageFailure } from './failure.ts';
import { Output, type OutputOptions } from './output.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Context {
  readonly env: Environment;
  readonly out: Output;
  readonly stdin: AsyncIterable<Buffer | string>;
  readonly clock: Clock;
  /** Whether the address was set by an option or a variable rather than by default. */
  readonly isUrlSet: boolean;
  /**
   * The address of the service, without a trailing slash. @throws Failure if the configured value is not an address.
   */
  readonly url: string;
  /**
   * The configured keys. Keys can't be passed as arguments, because other users of the machine could see them. @throws
   * Failure for a key that is invalid in a header.
   */
  readonly keys: Readonly<Partial<Record<KeyName, string>>>;
  /** Aborted by SIGINT, SIGTERM and SIGHUP. The reason is the Failure with which the process ends. */
  readonly signal: AbortSignal;
  /** Loads the client on first use. */
  readonly client: (options?: Pick<ClientOptions, 'timeoutMs' | 'fetch'>) => Promise<Client>;
}

export interface ContextOptions extends OutputOptions {
  readonly url?: string | undefined;
  readonly env: Environment;
  readonly stdin: AsyncIterable<Buffer | string>;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
}

const defaultUrl = 'http://127.0.0.1:3000';

/**
 * The address and the keys are validated on first use. A command that doesn't use them works with invalid values, and a
 * command that must continue despite problems with Shiplog can report these itself.
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
      return createClient({ baseUrl, keys, ...more, fetch: withAddress(baseUrl, more.fetch ?? fetch) });
    },
  };
}

/** Adds the address to the errors of failed requests. */
function withAddress(baseUrl: string, call: Fetch): Fetch {
  return async (url, init) => {
    try {
      return await call(url, init);
    } catch (error) {
      throw error instanceof Error && isAway(error) ? away(`the service at ${baseUrl}`, error) : error;
    }
  };
}

/** The longest delay of a timer (over three weeks). Node fires a timer with a longer delay at once. */
const timerMsMax = 2 ** 31 - 1;

/** Like `systemClock` of the client, without loading the client. */
const realTime: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) => setTimeout(Math.min(ms, timerMsMax), undefined, { signal }).catch(() => undefined),
};

function urlOf(name: string, text: string): string {
  if (!/^https?:\/\/[^/?#@\s]+(\/[^?#@\s]*)?$/i.test(text) || !URL.canParse(text)) {
    const shown = text.replace(/\/\/.*@/g, '//…@');
    throw usageFailure(`${name} is ${JSON.stringify(shown)}, which is not a service address such as ${defaultUrl}.`);
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
    throw usageFailure(`${variable} and ${variable}_FILE are both set; set only one.`);
  }
  const key = file === undefined ? env[variable] : keyInFile(variable, file);
  if (key === undefined || key === '') return undefined;
  // A key that is invalid in a header would make every request fail with a message that contains the key.
  if (!/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(key)) {
    throw usageFailure(`${variable} must be printable ASCII without leading or trailing blanks.`);
  }
  return key;
}

function keyInFile(variable: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const hint = 'Set it to the path of a readable file.';
    throw usageFailure(`Can't read the file that ${variable}_FILE names (${code}). ${hint}`);
  }
}
