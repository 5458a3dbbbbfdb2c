import type { Hold } from '@shiplog/contract';
import { futureOption } from '../holds/holds.ts';
import { judgePromotion } from '../pipeline/can-promote.ts';
import { type Answer, briefTexts, cutText } from './answer.ts';
import { closed, cursor, type Given, type Log, limit, name, paged, scope, scopeOf, type Tool } from './tool.ts';

const at = name('The time, such as 2026-12-24T18:00:00Z or a date. Defaults to now.');

export const holds: Tool = {
  name: 'holds',
  description:
    'Lists what holds deployments back: freezes, locks and versions that are marked bad, each with its scope (globs), reason, author, end and exceptions.',
  input: closed({
    ...scope,
    at,
    upcoming_hours: {
      type: 'integer',
      minimum: 1,
      maximum: 720,
      description: 'Also include holds that begin within this time.',
    },
    limit: limit(200, 50),
    cursor,
  }),
  answer: async (given, { client }, signal) => {
    const query = {
      ...scopeOf(given),
      at: given.at === undefined ? undefined : futureOption('at', given.at),
      upcoming: given.upcoming_hours,
    };
    const page = async (count: number) =>
      (await client.listHolds({ query: { ...query, limit: count, cursor: given.cursor }, signal })).body;
    const { items, next } = await paged(page, given.limit ?? 50);
    return { members: {}, items: items.map(briefHold), next };
  },
};

/** Globs and exceptions beyond this number are only counted, so that each hold fits into an answer. */
const listMax = 8;

function briefHold({ id, kind, services, environments, version, from, until, reason, by, exceptions }: Hold): object {
  return {
    ...{ id, kind, from, until },
    services: briefList(services),
    environments: briefList(environments),
    ...briefTexts({ version, reason, by }),
    exceptions: exceptions.slice(0, listMax).map((each) => {
      return { services: briefList(each.services), until: each.until, ...briefTexts({ reason: each.reason }) };
    }),
    ...(exceptions.length > listMax && { more_exceptions: exceptions.length - listMax }),
  };
}

function briefList(texts: readonly string[]): string[] {
  const more = texts.length - listMax;
  return [...texts.slice(0, listMax).map(cutText), ...(more > 0 ? [`… and ${more} more`] : [])];
}

export const canPromote: Tool = {
  name: 'can_promote',
  description:
    'Judges from the log and the holds whether a release may be promoted, and lists every reason against it: not deployed or failed in the source, still soaking, frozen, locked or marked bad. It changes nothing.',
  input: closed(
    {
      service: name('The service (full, case-sensitive name).'),
      version: name('The version. Defaults to the one that runs in `from`.'),
      from: name('The environment or stage:<name> it is in. Defaults to the stage before that of `to`.'),
      to: name('The environment or stage:<name> to promote to.'),
      soak_minutes: { type: 'integer', minimum: 0, maximum: 525_600, description: 'How long it must have run.' },
      refuse_open_failures: {
        type: 'boolean',
        description: 'Refuse if the latest completed deployment in an environment of `from` or `to` failed.',
      },
      at,
    },
    ['service', 'to'],
  ),
  answer: promotionAnswer,
};

async function promotionAnswer(given: Given, { client }: Log, signal: AbortSignal): Promise<Answer> {
  const { service = '', version, from, to = '', soak_minutes = 0, refuse_open_failures = false } = given;
  const question = {
    ...{ service, version, from, to },
    soakMs: soak_minutes * 60_000,
    refusesOpenFailures: refuse_open_failures,
    at: given.at === undefined ? undefined : futureOption('at', given.at),
  };
  const asAsked = { text: (text: string) => text };
  const judged = await judgePromotion(client, question, { out: asAsked, signal });
  const reasons = [...judged.reasons, ...judged.held];
  return {
    members: { can_promote: reasons.length === 0, subject: cutText(judged.subject), from: judged.from, to: judged.to },
    items: reasons.map((reason) => ({ reason: cutText(reason) })),
    next: async () => undefined,
  };
}
