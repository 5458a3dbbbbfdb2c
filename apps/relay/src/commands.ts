import { answeredStatus, createClient, systemClock } from '@shiplog/client';
import { pluralize } from '@shiplog/text';
import { Catalog } from './catalog.ts';
import type { RelayConfig } from './config.ts';
import { isHistory, linked, testMessage } from './domain/message.ts';
import { matchesRules } from './domain/rule.ts';
import { plain, shown } from './domain/shown.ts';
import { factsOf } from './facts.ts';
import { LogReader } from './log-reader.ts';
import { Sender, type SenderOptions } from './sender/sender.ts';
import { Stages } from './stages.ts';

export interface CommandOptions {
  readonly config: RelayConfig;
  readonly signal: AbortSignal;
  /** Prints the result to standard output. */
  readonly write: (text: string) => void;
  /** Prints everything else, line by line. */
  readonly tell: (line: string) => void;
  readonly sender?: Pick<SenderOptions, 'resolve' | 'silentMs'>;
}

const eventsChecked = 50;

/**
 * `--check`: prints what the last 50 events of the log would have sent, and sends nothing (relay §9.13).
 * @returns the exit code: 0, 3 if the service refuses, 4 if it can't be reached
 */
export async function checkCommand({ config, signal, write, tell }: CommandOptions): Promise<number> {
  const { baseUrl, apiKey, targets } = config;
  const log = new LogReader(createClient({ baseUrl, keys: { api: apiKey } }), signal);
  const catalog = new Catalog({ baseUrl, apiKey, clock: systemClock, signal });
  const stages = new Stages({ log, clock: systemClock, warn: tell });
  try {
    const events = [...(await log.newest(eventsChecked))].toSorted((one, other) => (one.id < other.id ? -1 : 1));
    let messages = 0;
    for (const event of events) {
      const facts = factsOf(event, { log, catalog, stages });
      for (const { target, rules, maxAgeMs } of targets) {
        const { name, defaultStatuses, only } = target;
        if (isHistory(event, maxAgeMs) || !(only?.includes(event.status) ?? true)) continue;
        if (!(await matchesRules(rules, event, defaultStatuses, facts))) continue;
        const cells = [name, event.service, event.environment, event.status].map((cell) => shown(cell, plain));
        write(`${cells.join('\t')}\n`);
        messages += 1;
      }
    }
    tell(`${pluralize(events.length, 'event')} would have sent ${pluralize(messages, 'message')}; nothing was sent.`);
    return 0;
  } catch (error) {
    const status = answeredStatus(error);
    const what =
      status === undefined ? "can't be reached. Start it, or correct DASHBOARD_API_BASE_URL" : `answered ${status}`;
    tell(`The service at ${baseUrl} ${what}.`);
    return status !== undefined && status < 500 ? 3 : 4;
  }
}

/**
 * `--test NAME`: sends one test message and changes no position (relay §9.13). @returns the exit code: 0 if sent, 1 if
 * refused or unreachable, 2 if the target doesn't exist
 */
export async function testCommand(name: string, options: CommandOptions): Promise<number> {
  const { config, signal, tell } = options;
  const found = config.targets.find(({ target }) => target.name === name);
  if (!found) {
    tell(
      `No target is named ${JSON.stringify(name)}. Targets: ${config.targets.map(({ target }) => target.name).join(', ')}.`,
    );
    return 2;
  }
  try {
    const message = linked(testMessage(new Date()), config.publicUrl);
    const sender = new Sender({ allowed: config.allowed, now: () => new Date(), ...options.sender });
    await found.target.send(message, { sender, signal });
    tell(`The test message was delivered to ${name}.`);
    return 0;
  } catch (error) {
    tell(`The test message was not delivered to ${name}: ${(error as Error).message}.`);
    return 1;
  }
}
