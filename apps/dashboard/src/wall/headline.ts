import { ageOf, pluralize, versionOf } from '@shiplog/text';
import { clockTime } from '../board/age.ts';
import type { Attention } from '../board/attention.ts';
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

interface WallFacts {
  readonly shown: Shown;
  readonly attention: readonly Attention[];
  readonly stages: Stages;
}

/** "orders-api failed in prod", "3 failed in prod" or "prod is healthy"; about all columns if prod isn't shown. */
export function headlineOf({ shown, attention, stages }: WallFacts): Headline {
  if (shown.counts.services === 0) return { tone: 'none', service: '', text: 'Nothing to show' };
  const isShown = shown.columns.some((name) => stages.production.has(name));
  const production = stages.productionName ?? '';
  const failed = attention.filter(isShown ? failedInProduction : ({ kind }) => kind === 'failed');
  const [first] = failed;
  const bad = attention.filter(({ kind }) => kind === 'bad');
  const outages = attention.filter(outageInProduction);
  if (!first && isShown && outages[0]) return alarmHeadline(outages[0], outages.length, production, outageWords);
  if (!first && isShown && bad[0]) return alarmHeadline(bad[0], bad.length, production, badWords);
  if (!first) {
    const isStuck = attention.some(({ kind, isProduction }) => isProduction && (kind === 'stuck' || kind === 'slow'));
    const text = isStuck ? `Nothing failed in ${short(production)}` : `${short(production)} is healthy`;
    return { tone: 'ok', service: '', text: isShown ? text : 'No failures' };
  }
  const where = isShown ? ` in ${short(production)}` : '';
  if (failed.length > 1) return { tone: 'bad', service: '', text: `${failed.length} failed${where}` };
  return { tone: 'bad', service: first.service, text: ` failed in ${short(first.environment ?? '')}` };
}

interface AlarmWords {
  readonly one: string;
  readonly many: string;
}

const outageWords = { one: ' has an outage in', many: 'outages in' };
const badWords = { one: ' runs a bad version in', many: 'bad versions in' };

function alarmHeadline({ service, environment }: Attention, count: number, place: string, words: AlarmWords): Headline {
  if (count > 1) return { tone: 'bad', service: '', text: `${count} ${words.many} ${short(place)}` };
  return { tone: 'bad', service, text: `${words.one} ${short(environment ?? '')}` };
}

/** The texts during an outage: its duration and the age of the board, by this machine's clock. */
export function outageTexts(sinceMs: number, asOfMs: number, nowMs: number): { headline: Headline; sub: SubPart[] } {
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
export function endedTexts(sinceMs: number, asOfMs: number, nowMs: number): { headline: Headline; sub: SubPart[] } {
  const at = clockTime(sinceMs, nowMs);
  const board: SubPart = [{ text: 'The board below is from then and no longer live.' }];
  return {
    headline: { tone: 'out', service: '', text: `Signed out since ${at}`, alert: 'This display is signed out.' },
    sub: [...(asOfMs > 0 ? [board] : []), [{ text: 'Sign in again: reload this page, or open /wall with the key.' }]],
  };
}

/** The line below the headline: details of a single failure, and other counts. */
export function subOf(facts: WallFacts, content: WallContent, filters: readonly string[], nowMs: number): SubPart[] {
  const { attention, stages, shown } = facts;
  const isShown = shown.columns.some((name) => stages.production.has(name));
  const count = (...kinds: Attention['kind'][]) => attention.filter(({ kind }) => kinds.includes(kind)).length;
  const inProduction = attention.filter(failedInProduction);
  const failed = count('failed');
  const [only] = isShown ? inProduction : attention.filter(({ kind }) => kind === 'failed');
  const isAlone = only !== undefined && (isShown ? inProduction.length : failed) === 1;
  const parts: (SubPart | undefined)[] = [
    isAlone ? failureOf(only, nowMs) : undefined,
    isShown ? part(failed - inProduction.length, 'failed elsewhere', 'bad') : undefined,
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
