import { pagesOf } from '@shiplog/client';
import { holdKinds, parseMoment } from '@shiplog/contract';
import type { Context } from '../context.ts';
import type { Given } from '../definition.ts';
import { exitCodes, usageFailure } from '../failure.ts';
import { textOption } from '../pipeline/release.ts';
import { show } from '../questions/listing.ts';
import { scopeQuery } from '../questions/query-options.ts';
import { durationOption } from '../time-options.ts';
import { dayTime } from './hold-words.ts';

/** `shiplog hold` (holds.md 6.14): prints the id. */
export async function makeHold({ args: [word = ''], options }: Given, context: Context): Promise<number> {
  const { out, signal } = context;
  const kind = holdKinds.find((known) => known === word);
  if (!kind) throw usageFailure(`The kind must be ${holdKinds.join(', ')}, not ${JSON.stringify(word)}.`);
  const from = options.from === undefined ? undefined : futureOption('--from', String(options.from));
  const until = untilOf(options, from ?? context.clock.now().toISOString());
  const body = {
    kind,
    services: listOption(options, 'services'),
    environments: listOption(options, 'environments'),
    reason: textOption(options, 'reason'),
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
    ...texts(options, ['version', 'by']),
    // --url is the address of the service.
    ...(options.link !== undefined && { url: String(options.link) }),
  };
  const { body: hold } = await (await context.client()).makeHold({ body, signal });
  if (out.isJson) out.json(hold);
  else out.line(hold.id);
  return exitCodes.done;
}

/** `shiplog release` */
export async function releaseHold({ args: [id = ''], options }: Given, context: Context): Promise<number> {
  const { out, signal } = context;
  const body = texts(options, ['reason', 'by']);
  const { body: hold } = await (await context.client()).releaseHold({ params: { id }, body, signal });
  if (out.isJson) out.json(hold);
  else if (!out.isQuiet) out.line(`Released ${out.text(id)}.`);
  return exitCodes.done;
}

/** `shiplog except` */
export async function exceptHold({ args: [id = ''], options }: Given, context: Context): Promise<number> {
  const { out, signal, clock } = context;
  const until = untilOf(options, clock.now().toISOString());
  if (until === undefined) throw usageFailure('--until or --for is required; see --help.');
  const body = {
    services: listOption(options, 'services'),
    reason: textOption(options, 'reason'),
    until,
    ...texts(options, ['by']),
  };
  const { body: hold } = await (await context.client()).exceptHold({ params: { id }, body, signal });
  if (out.isJson) out.json(hold);
  else if (!out.isQuiet) out.line(`Excepted until ${dayTime(until)}.`);
  return exitCodes.done;
}

/** `shiplog holds` */
export async function showHolds({ options }: Given, context: Context): Promise<number> {
  const { out, signal } = context;
  const client = await context.client();
  const hours =
    options.upcoming === undefined ? undefined : durationOption('--upcoming', String(options.upcoming)) / 3_600_000;
  const query = {
    ...scopeQuery(options),
    ...(options.at !== undefined && { at: futureOption('--at', String(options.at)) }),
    ...(hours !== undefined && { upcoming: Math.ceil(hours) }),
  };
  const rows: string[][] = [];
  const pages = pagesOf(async (cursor) => {
    return (await client.listHolds({ query: { ...query, ...(cursor && { cursor }) }, signal })).body;
  });
  for await (const { items } of pages) {
    for (const hold of items) {
      if (out.isJson) out.json(hold);
      const { kind, version, services, environments, from, until, reason, by, id } = hold;
      const what = version === null ? kind : `${kind} ${version}`;
      rows.push([what, services.join(' '), environments.join(' '), from, until ?? '', reason, by ?? '', id]);
    }
  }
  if (out.isJson) return exitCodes.done;
  if (rows.length > 0)
    show(out, { head: ['hold', 'services', 'environments', 'from', 'until', 'reason', 'by', 'id'], rows });
  else out.note('Nothing is held: no freeze, no lock and no bad version.');
  return exitCodes.done;
}

type Options = Given['options'];

function listOption(options: Options, name: string): string[] {
  const list = options[name];
  if (Array.isArray(list) && list.length > 0) return list.map(String);
  throw usageFailure(`--${name} is required; see --help.`);
}

function texts<const Name extends string>(options: Options, names: readonly Name[]): Partial<Record<Name, string>> {
  const given = names.flatMap((name) => (options[name] === undefined ? [] : [[name, String(options[name])] as const]));
  return Object.fromEntries(given) as Partial<Record<Name, string>>;
}

/** A time or a date, which may be in the future. */
export function futureOption(option: string, text: string): string {
  const instant = parseMoment(text);
  if (instant !== undefined) return instant;
  throw usageFailure(`${option} must be a time such as 2026-05-04T09:12:02Z or a date, not ${JSON.stringify(text)}.`);
}

function untilOf({ until, for: duration }: Options, from: string): string | undefined {
  if (until !== undefined && duration !== undefined) throw usageFailure('Give --until or --for, not both.');
  if (until !== undefined) return futureOption('--until', String(until));
  if (duration === undefined) return undefined;
  return new Date(Date.parse(from) + durationOption('--for', String(duration))).toISOString();
}
