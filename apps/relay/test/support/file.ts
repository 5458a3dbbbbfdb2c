import { parseRelayFile, type RelayFile } from '../../src/config/relay-file.ts';
import { Sender, type SenderOptions } from '../../src/sender/sender.ts';
import type { SendOptions, Target } from '../../src/targets/target.ts';

export const secrets = {
  PASSWORD: 'secret-of-mail',
  TOKEN: 'secret-of-the-target',
  SIGNING: `whsec_${Buffer.from('secret-of-the-webhook').toString('base64')}`,
};

/** The relay file with these lines below `version: 1`. */
export function fileOf(lines: readonly string[], environment: Readonly<Record<string, string>> = {}): RelayFile {
  return parseRelayFile(['version: 1', ...lines].join('\n'), 'relay.yaml', { ...secrets, ...environment });
}

/** The error messages for such a file. */
export function mistakesIn(lines: readonly string[], environment: Readonly<Record<string, string>> = {}): string {
  try {
    fileOf(lines, environment);
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
}

interface TestTarget extends Omit<Target, 'send'> {
  send(message: Parameters<Target['send']>[0], options: Omit<SendOptions, 'sender'>): ReturnType<Target['send']>;
}

/** The only target in a file, with a sender. */
export function targetOf(line: string, options: Partial<SenderOptions> = {}): TestTarget {
  const { allowed, targets } = fileOf([`targets: [${line}]`]);
  const [first] = targets;
  if (!first) throw new Error('no target');
  const { target } = first;
  const sender = new Sender({ allowed, now: () => new Date('2026-05-04T09:12:03Z'), ...options });
  return { ...target, send: (message, more) => target.send(message, { sender, ...more }) };
}

export const noSignal = { signal: new AbortController().signal };
