import { parseRelayFile, type RelayFile } from '../../src/config/relay-file.ts';
import { Sender, type SenderOptions } from '../../src/sender/sender.ts';
import type { Target } from '../../src/targets/target.ts';

export const secrets = {
  PASSWORD: 'secret-of-mail',
  TOKEN: 'secret-of-the-target',
  SIGNING: `whsec_${Buffer.from('secret-of-the-webhook').toString('base64')}`,
};

/** The file that the lines below `version: 1` make. */
export function fileOf(lines: readonly string[], environment: Readonly<Record<string, string>> = {}): RelayFile {
  return parseRelayFile(['version: 1', ...lines].join('\n'), 'relay.yaml', { ...secrets, ...environment });
}

/** The sentences about such a file. */
export function mistakesIn(lines: readonly string[], environment: Readonly<Record<string, string>> = {}): string {
  try {
    fileOf(lines, environment);
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
}

/** The only target of a file, opened. */
export function targetOf(line: string, sender: Partial<SenderOptions> = {}): Target {
  const { allowed, targets } = fileOf([`targets: [${line}]`]);
  const [first] = targets;
  if (!first) throw new Error('no target');
  return first.entry.open(new Sender({ allowed, now: () => new Date('2026-05-04T09:12:03Z'), ...sender }));
}

export const noSignal = { signal: new AbortController().signal };
