import type { EnvironmentsDiff, Release } from '@shiplog/contract';
import { refuseEmptySide, refuseUnknown } from '../log/known-names.ts';
import { refuseUnknownStages } from '../log/stages.ts';
import { viewLink } from '../questions/links.ts';
import { type Answer, briefEvent, briefTexts } from './answer.ts';
import { closed, cursor, type Given, globList, type Log, limit, name, paged, type Tool, teamList } from './tool.ts';

const q = {
  type: 'string',
  minLength: 2,
  maxLength: 128,
  description: 'Part of a version, or the start of a commit sha (at least four hex digits).',
};
const service = name('Returns only releases of this service (full, case-sensitive name).');

export const where: Tool = {
  name: 'where',
  description:
    'Shows where a version or a commit runs. Lists matching releases, newest first, each with the environments it was deployed to, the outcome, and since when it has been running there.',
  input: closed({ q, service, limit: limit(100, 10), cursor }, ['q']),
  answer: releasesAnswer,
};

export const releases: Tool = {
  name: 'releases',
  description:
    'Lists the releases of one service or all services, newest first, with the environments each was deployed to and where it runs.',
  input: closed({ service, limit: limit(100, 10), cursor }),
  answer: releasesAnswer,
};

async function releasesAnswer(given: Given, { client, url }: Log, signal: AbortSignal): Promise<Answer> {
  const page = async (count: number) => {
    const query = { limit: count, q: given.q, service: given.service, cursor: given.cursor };
    return (await client.listReleases({ query, signal })).body;
  };
  const { items, next } = await paged(page, given.limit ?? 10);
  if (items.length === 0 && given.service !== undefined)
    await refuseUnknown(client, { services: [given.service] }, signal);
  return {
    members: { link: viewLink(url, 'releases', { of: given.service, release: given.q }) },
    items: items.map(briefRelease),
    next,
  };
}

/** The maximum number of environments per release, so that each release fits into an answer. */
const placesMax = 8;

function briefRelease({ service, version, sha, ref, actor, first_at, last_at, places }: Release): object {
  const all = Object.entries(places);
  return {
    service,
    ...briefTexts({ version, sha, ref, actor }),
    first_at,
    last_at,
    places: all.slice(0, placesMax).map(([environment, { event, since }]) => {
      const { status, happened_at } = event;
      return { environment, status, happened_at, runs_since: since };
    }),
    ...(all.length > placesMax && { more_places: all.length - placesMax }),
  };
}

export const diff: Tool = {
  name: 'diff',
  description:
    'Compares two environments or promotion stages (stage:<name>). For each service whose last successful releases differ, returns both releases and the number of releases between them. If the environments of a stage run different releases, they are listed as mixed and the oldest release is compared.',
  input: closed(
    {
      from: name('The environment or stage that usually has newer releases, such as staging or stage:staging.'),
      to: name('The other environment or stage, such as prod or stage:production.'),
      services: globList('services'),
      teams: teamList,
      limit: limit(200, 50),
      cursor,
    },
    ['from', 'to'],
  ),
  answer: diffAnswer,
};

/** The API returns all services at once. A cursor is the name of the last service in the previous answer. */
async function diffAnswer(given: Given, { client, url }: Log, signal: AbortSignal): Promise<Answer> {
  const { from = '', to = '', services, teams } = given;
  await refuseUnknownStages(client, [from, to], signal);
  const { body } = await client.diffEnvironments({ query: { from, to, services, teams }, signal });
  await refuseEmptySide(client, { ...body, from, to }, { services, signal });
  const after = given.cursor === undefined ? undefined : Buffer.from(given.cursor, 'base64url').toString();
  const remaining = body.items.filter(
    (item) => item.relation !== 'same' && (after === undefined || item.service > after),
  );
  const page = remaining.slice(0, given.limit ?? 50);
  const link = viewLink(url, 'reach', { source: from, target: to, service: services, teams });
  return {
    members: { link, from, to, counts: body.counts },
    items: page.map(briefDifference),
    next: async (shown) =>
      shown < remaining.length ? Buffer.from(page[shown - 1]?.service ?? '').toString('base64url') : undefined,
  };
}

function briefDifference(item: EnvironmentsDiff['items'][number]): object {
  const { service, relation, behind, since, from, to, mixed } = item;
  const releases = mixed?.slice(0, placesMax).map(({ environment, ...release }) => {
    return { environment, ...briefTexts(release) };
  });
  return {
    ...{ service, relation, behind, since, from: from && briefEvent(from), to: to && briefEvent(to) },
    ...(releases && { mixed: releases }),
    ...(mixed && mixed.length > placesMax && { more_mixed: mixed.length - placesMax }),
  };
}
