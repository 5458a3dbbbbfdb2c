import { ageOf, pluralize, versionOf } from '@shiplog/text';
import { clockTime } from '../board/age.ts';
import type { Attention } from '../board/attention.ts';
import type { Shown } from '../board/shown.ts';
import { failedInProduction, type WallContent } from './wall-content.ts';

export interface Headline {
  readonly tone: 'ok' | 'bad' | 'none' | 'out';
  /** The service in the headline, which may be truncated; '' = no service. */
  readonly service: string;
  readonly text: string;
}

/** A part of the line below the headline: a text with emphasized words. */
export type SubPart = readonly { readonly text: string; readonly emphasis?: 'strong' | 'bad' }[];

interface WallFacts {
  readonly shown: Shown;
  readonly attention: readonly Attention[];
  readonly production: string | undefined;
}

/** "orders-api failed in prod", "3 failed in prod" or "prod is healthy"; about all columns if prod isn't shown. */
export function headlineOf({ shown, attention, production }: WallFacts): Headline {
  if (shown.counts.services === 0) return { tone: 'none', service: '', text: 'Nothing to show' };
  const isShown = production !== undefined && shown.columns.includes(production);
  const failed = attention.filter(isShown ? failedInProduction : ({ kind }) => kind === 'failed');
  const [first] = failed;
  if (!first) return { tone: 'ok', service: '', text: isShown ? `${short(production)} is healthy` : 'No failures' };
  const where = isShown ? ` in ${short(production)}` : '';
  if (failed.length > 1) return { tone: 'bad', service: '', text: `${failed.length} failed${where}` };
  return { tone: 'bad', service: first.service, text: ` failed in ${short(first.environment ?? '')}` };
}

/** The texts during an outage: its duration and the age of the board, by this machine's clock. */
export function outageTexts(sinceMs: number, asOfMs: number, nowMs: number): { headline: Headline; sub: SubPart[] } {
  const board: SubPart = [
    { text: 'The board below is from ' },
    { text: clockTime(asOfMs, nowMs), emphasis: 'strong' },
    { text: '. It may be out of date.' },
  ];
  return {
    headline: { tone: 'out', service: '', text: `No answer from Shiplog for ${ageOf(sinceMs, nowMs)}` },
    sub: [...(asOfMs > 0 ? [board] : []), [{ text: 'Retrying every few seconds.' }]],
  };
}

/** The line below the headline: details of a single failure, and other counts. */
export function subOf(facts: WallFacts, content: WallContent, filters: readonly string[], nowMs: number): SubPart[] {
  const { attention, production, shown } = facts;
  const isShown = production !== undefined && shown.columns.includes(production);
  const count = (...kinds: Attention['kind'][]) => attention.filter(({ kind }) => kinds.includes(kind)).length;
  const inProduction = attention.filter(failedInProduction);
  const failed = count('failed');
  const [only] = isShown ? inProduction : attention.filter(({ kind }) => kind === 'failed');
  const isAlone = only !== undefined && (isShown ? inProduction.length : failed) === 1;
  const parts: (SubPart | undefined)[] = [
    isAlone ? failureOf(only, nowMs) : undefined,
    isShown ? part(failed - inProduction.length, 'failed elsewhere', 'bad') : undefined,
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
    { text: `${short(versionOf(box.named))}, ` },
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
