import { ageOf, pluralize, versionOf } from '@shiplog/text';
import { clockTime } from '../board/age.ts';
import type { Attention } from '../board/attention.ts';
import { eventNamed } from '../board/box.ts';
import type { Shown } from '../board/shown.ts';
import type { Stages } from '../board/stages.ts';
import { failedInProduction, outageInProduction, type WallContent } from './wall-content.ts';

export interface Headline {
  readonly tone: 'ok' | 'bad' | 'none' | 'out';
  /** The service in the headline, which may be truncated; '' = no service. */
  readonly service: string;
  readonly text: string;
  /** What screen readers announce while the board isn't live. */
  readonly alert?: string;
}

/** A part of the line below the headline: a text with emphasized words. */
export type SubPart = readonly { readonly text: string; readonly emphasis?: 'strong' | 'bad' }[];

export interface WallTexts {
  readonly headline: Headline;
  readonly sub: readonly SubPart[];
}

interface WallFacts {
  readonly shown: Shown;
  readonly attention: readonly Attention[];
  readonly stages: Stages;
}

/** "orders-api failed in prod", "3 failed in prod" or "prod is healthy"; about all columns if prod isn't shown. */
export function headlineOf(facts: WallFacts): Headline {
  const { shown, attention, stages } = facts;
  if (shown.counts.services === 0) return { tone: 'none', service: '', text: 'Nothing to show' };
  const failed = failuresIn(facts);
  if (!isProductionShown(facts)) {
    return alarmHeadline(failed, 'failed', 'failed', '') ?? { tone: 'ok', service: '', text: 'No failures' };
  }
  const bad = attention.filter(({ kind }) => kind === 'bad');
  const production = short(stages.productionName ?? '');
  const where = ` in ${production}`;
  const isStuck = attention.some(({ kind, isProduction }) => isProduction && (kind === 'stuck' || kind === 'slow'));
  const calm = isStuck ? `Nothing failed${where}` : `${production} is healthy`;
  return (
    alarmHeadline(failed, 'failed', 'failed', where) ??
    alarmHeadline(attention.filter(outageInProduction), 'has an outage', 'outages', where) ??
    alarmHeadline(bad, 'runs a bad version', 'bad versions', where) ?? { tone: 'ok', service: '', text: calm }
  );
}

/** The failures in production; all failures if production isn't shown. */
function failuresIn(facts: WallFacts): Attention[] {
  return facts.attention.filter(isProductionShown(facts) ? failedInProduction : ({ kind }) => kind === 'failed');
}

function isProductionShown({ shown, stages }: WallFacts): boolean {
  return shown.columns.some((name) => stages.production.has(name));
}

/** The words about a single service, or about how many; `undefined` without items. */
function alarmHeadline(items: readonly Attention[], one: string, many: string, where: string): Headline | undefined {
  const [first] = items;
  if (!first) return undefined;
  if (items.length > 1) return { tone: 'bad', service: '', text: `${items.length} ${many}${where}` };
  return { tone: 'bad', service: first.service, text: ` ${one} in ${short(first.environment ?? '')}` };
}

/** The texts during an outage: its duration and the age of the board, by this machine's clock. */
export function outageTexts(sinceMs: number, asOfMs: number, nowMs: number): WallTexts {
  const board: SubPart = [
    { text: 'The board below is from ' },
    { text: clockTime(asOfMs, nowMs), emphasis: 'strong' },
    { text: '. It may be out of date.' },
  ];
  return {
    headline: {
      tone: 'out',
      service: '',
      text: `No response from Shiplog for ${ageOf(sinceMs, nowMs)}`,
      alert: "Shiplog isn't responding.",
    },
    sub: [...(asOfMs > 0 ? [board] : []), [{ text: 'Retrying every few seconds.' }]],
  };
}

/** The texts once the session of this display has ended. */
export function endedTexts(sinceMs: number, asOfMs: number, nowMs: number): WallTexts {
  const at = clockTime(sinceMs, nowMs);
  const board: SubPart = [{ text: 'The board below is from then and no longer live.' }];
  return {
    headline: { tone: 'out', service: '', text: `Signed out since ${at}`, alert: 'This display is signed out.' },
    sub: [...(asOfMs > 0 ? [board] : []), [{ text: 'Sign in again: reload this page, or open /wall with the key.' }]],
  };
}

/** The line below the headline: details of a single failure, and other counts. */
export function subOf(facts: WallFacts, content: WallContent, filters: readonly string[], nowMs: number): SubPart[] {
  const { attention, shown } = facts;
  const count = (...kinds: Attention['kind'][]) => attention.filter(({ kind }) => kinds.includes(kind)).length;
  const failed = failuresIn(facts);
  const [only, other] = failed;
  const parts: (SubPart | undefined)[] = [
    only && !other ? failureOf(only, nowMs) : undefined,
    part(count('failed') - failed.length, 'failed elsewhere', 'bad'),
    part(count('outage'), count('outage') === 1 ? 'outage' : 'outages', 'bad'),
    part(count('bad'), 'bad in production', 'bad'),
    part(count('stuck', 'slow'), 'stuck or slow'),
    part(content.running, 'running'),
    part(count('waits'), 'waiting'),
    part(count('ahead'), 'clock ahead'),
    part(count('silent'), 'silent'),
  ];
  const details = parts.flatMap((each) => (each ? [each] : []));
  const size: SubPart = [{ text: `${pluralize(shown.counts.services, 'service')}` }];
  return [
    ...(details.length > 0 ? details : [[{ text: 'nothing needs attention' }], size]),
    ...(filters.length > 0 ? [[{ text: `only ${filters.join(', ')}` }]] : []),
  ];
}

function part(count: number, text: string, emphasis: 'strong' | 'bad' = 'strong'): SubPart | undefined {
  return count > 0 ? [{ text: String(count), emphasis }, { text: ` ${text}` }] : undefined;
}

const versionCharacters = 24;

function failureOf({ box, sinceMs }: Attention, nowMs: number): SubPart {
  if (!box) return [];
  const age = ageOf(sinceMs, nowMs);
  const success = box.lastSuccess ? `; last success ${short(versionOf(box.lastSuccess))}` : '; no success before';
  return [
    { text: `${short(versionOf(eventNamed(box)))}, ` },
    { text: age === 'now' ? 'just now' : `${age} ago`, emphasis: 'strong' },
    { text: success },
  ];
}

function short(version: string): string {
  const characters = [...version];
  return characters.length <= versionCharacters
    ? version
    : `${characters.slice(0, versionCharacters - 9).join('')}…${characters.slice(-8).join('')}`;
}
