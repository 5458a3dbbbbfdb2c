import type { DeploymentEvent, ReleaseDetail } from '@shiplog/contract';
import { ageOf, isInFuture, longAgeOf, shortSha, versionOf } from '@shiplog/text';
import { dayTime } from '../board/day-time.ts';
import { nameOf } from './matches.ts';
import type { Presence, PresenceKind } from './presence.ts';

/** The answer to "Is this release in this environment?". */
export interface Answer {
  readonly kind: PresenceKind;
  /** Begins with yes, no, not yet, perhaps or the environment. Has no full stop. */
  readonly sentence: string;
  /** Complete sentences. */
  readonly details: readonly Detail[];
}

interface Detail {
  readonly text: string;
  readonly isBad: boolean;
}

export interface Question {
  readonly detail: Pick<ReleaseDetail, 'service' | 'version' | 'sha'>;
  readonly environment: string;
  /** The production environments. */
  readonly production: readonly string[];
  /** By environment, in promotion order. */
  readonly presences: ReadonlyMap<string, Presence>;
  readonly nowMs: number;
}

export function answerOf(question: Question): Answer | undefined {
  const { environment, presences, nowMs } = question;
  const presence = presences.get(environment);
  if (!presence) return undefined;
  return {
    kind: presence.kind,
    sentence: wordsOf(presence, environment, nowMs).join(''),
    details: [...ownDetails(presence, nowMs), ...commitDetails(question), ...elsewhere(question)],
  };
}

/** The beginning of the answer, and the reason. */
function wordsOf(presence: Presence, environment: string, nowMs: number): readonly [Beginning, string] {
  if (presence.kind === 'none') return ['No, ', `it was never deployed to ${environment}`];
  const { event } = presence;
  const ago = longAge(event, nowMs);
  switch (presence.kind) {
    case 'runs':
      return ['Yes, ', runsSentence(environment, Date.parse(presence.since), nowMs)];
    case 'last-success':
      return [
        'Perhaps: ',
        `it was the last success in ${environment}, and ${attempt(presence.failed, nowMs)} after it`,
      ];
    case 'was':
      return presence.until === undefined
        ? ['No, ', `it was in ${environment} before`]
        : ['No, ', `it was in ${environment} until ${dayTime(Date.parse(presence.until), nowMs)}`];
    case 'running':
      return ['Not yet: ', `its deployment to ${environment} started ${ago}`];
    case 'failed':
      return ['No, ', `it failed in ${environment} ${ago}`];
    case 'waits':
      return ['Not yet: ', `its deployment to ${environment} has been ${event.status} for ${span(event, nowMs)}`];
    case 'called-off':
      return ['No, ', `its deployment to ${environment} was ${event.status} ${ago}`];
  }
}

type Beginning = 'Yes, ' | 'Perhaps: ' | 'No, ' | 'Not yet: ';

/** The replacement for each beginning if the release runs in no environment. */
const nowhere: Readonly<Record<Beginning, string>> = {
  'Yes, ': '',
  'Perhaps: ': 'Perhaps: ',
  'No, ': 'Nowhere: ',
  'Not yet: ': 'Nowhere yet: ',
};

/** If the question names no environment, the answer names the one with the first of these states. */
const answerOrder: readonly PresenceKind[] = [
  'runs',
  'last-success',
  'running',
  'waits',
  'failed',
  'was',
  'called-off',
  'none',
];

/** The answer to "Where is this release?": the environment nearest to production in which it runs. */
export function whereOf(question: Omit<Question, 'environment'>): Answer | undefined {
  const { presences, nowMs } = question;
  const inProduction = productionOf(question);
  const isThere = ([, { kind }]: Place) => kind === 'runs' || kind === 'last-success';
  const ranked = [...presences].reverse();
  const byKind = ([, one]: Place, [, other]: Place) => answerOrder.indexOf(one.kind) - answerOrder.indexOf(other.kind);
  const [environment, presence] = inProduction.filter(isThere).sort(byKind)[0] ?? ranked.sort(byKind)[0] ?? [];
  if (!environment || !presence) return undefined;
  const rest = [...commitDetails(question), ...elsewhere({ ...question, environment })];
  if (presence.kind !== 'runs') {
    const [beginning, why] = wordsOf(presence, environment, nowMs);
    const sentence = `${nowhere[beginning]}${why}`;
    return { kind: presence.kind, sentence, details: [...ownDetails(presence, nowMs), ...rest] };
  }
  const sinceMs = Date.parse(presence.since);
  const since = isInFuture(sinceMs, nowMs) ? `, ${ageOf(sinceMs, nowMs)}` : ` since ${dayTime(sinceMs, nowMs)}`;
  const missing = inProduction.filter((place) => !isThere(place));
  const beyond = missing.map(([name, state]) => `; ${inFew(state)} ${name}`).join('');
  const by = said(presence.event.actor ? `Deployed there by ${presence.event.actor}.` : '');
  return { kind: 'runs', sentence: `In ${environment}${since}${beyond}`, details: [...by, ...rest] };
}

type Place = readonly [environment: string, Presence];

/** The production environments of the service; all of them if it was never deployed to any. */
function productionOf({ production, presences }: Pick<Question, 'production' | 'presences'>): readonly Place[] {
  const all = [...presences].filter(([name]) => production.includes(name));
  const used = all.filter(([, { kind, there }]) => kind !== 'none' || there.lastSuccess);
  return used.length > 0 ? used : all;
}

/** The state of a release in production, if it doesn't run there. */
function inFew(presence: Presence): string {
  const words: Readonly<Partial<Record<PresenceKind, string>>> = {
    was: 'no longer in',
    running: 'arriving in',
    failed: 'failed in',
  };
  return presence.kind === 'waits' ? `${presence.event.status} for` : (words[presence.kind] ?? 'not in');
}

function runsSentence(environment: string, sinceMs: number, nowMs: number): string {
  if (isInFuture(sinceMs, nowMs)) return `it runs in ${environment}, ${ageOf(sinceMs, nowMs)}`;
  const age = ageOf(sinceMs, nowMs);
  return age === 'now' ? `it runs in ${environment}, since just now` : `it has run in ${environment} for ${age}`;
}

function attempt(failed: DeploymentEvent | undefined, nowMs: number): string {
  return failed ? `${versionOf(failed)} failed ${longAge(failed, nowMs)},` : 'an attempt failed';
}

function ownDetails(presence: Presence, nowMs: number): Detail[] {
  const { there } = presence;
  if (presence.kind === 'none') return said(runsThere(presence));
  const { event } = presence;
  const by = event.actor ? `, by ${event.actor}` : '';
  if ('since' in presence) return said(`Since ${dayTime(Date.parse(presence.since), nowMs)}${by}.`);
  const when = dayTime(Date.parse(event.happened_at), nowMs);
  const happened = presence.kind === 'was' ? `Its last success there was ${when}${by}.` : `${capital(when)}${by}.`;
  return said(happened, there.lastSuccess ? runsThere(presence) : '');
}

function runsThere({ there: { lastSuccess, isFailing } }: Presence): string {
  if (!lastSuccess) return 'Nothing has succeeded there.';
  const version = versionOf(lastSuccess);
  return isFailing ? `The last success there is ${version}.` : `${version} runs there.`;
}

function commitDetails({ detail: { version, sha } }: Pick<Question, 'detail'>): Detail[] {
  return said(version !== null && sha !== null ? `Commit ${shortSha(sha)} is release ${version}.` : '');
}

/** The other environments in which the release runs or failed, and whether it is in production. */
function elsewhere({ environment, production, presences, nowMs }: Question): Detail[] {
  const inProduction = productionOf({ production, presences }).filter(([name]) => name !== environment);
  const others = [...presences].filter(([name]) => name !== environment);
  const running = others.filter(([, { kind }]) => kind === 'runs').map(([name]) => name);
  const out = inProduction.filter(([, { kind }]) => !['runs', 'last-success', 'failed'].includes(kind));
  return [
    ...said(running.length > 0 ? `It runs in ${listed(running)}.` : ''),
    ...said(...out.map(([name, presence]) => `Not in ${name}: ${lower(runsThere(presence))}`)),
    ...others.flatMap(([name, presence]) =>
      presence.kind === 'failed'
        ? [{ text: `It failed in ${name} ${longAge(presence.event, nowMs)}.`, isBad: true }]
        : [],
    ),
  ];
}

/** A text to paste into a chat: the question, the answer and the link. */
export function answerText({ service, ...release }: Question['detail'], answer: Answer, url: string): string {
  const details = answer.details.map(({ text }) => text).join(' ');
  return `${service} ${nameOf(release)}: ${answer.sentence}. ${details}\n${url}`;
}

function said(...texts: readonly string[]): Detail[] {
  return texts.filter((text) => text !== '').map((text) => ({ text, isBad: false }));
}

function longAge({ happened_at }: DeploymentEvent, nowMs: number): string {
  const ms = Date.parse(happened_at);
  const age = ageOf(ms, nowMs);
  return age === 'now' || isInFuture(ms, nowMs) ? longAgeOf(ms, nowMs) : `${age} ago`;
}

function span({ happened_at }: DeploymentEvent, nowMs: number): string {
  const age = ageOf(Date.parse(happened_at), nowMs);
  return age === 'now' ? 'a moment' : age;
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function lower(sentence: string): string {
  return sentence.replace(/^(Nothing|The) /, (word) => word.toLowerCase());
}
