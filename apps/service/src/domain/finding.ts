import { type Finding, type FindingKind, findingKinds, outageFindingKinds, type Reporter } from '@shiplog/contract';
import { lookAlikes, quoted } from './look-alikes.ts';
import { shortDigest } from './page-cursor.ts';

/** Which kinds of findings a service knows (access.md 9.1). */
export interface FindingSettings {
  readonly kinds: readonly FindingKind[];
  /** In these environments, events posted with the shared key are findings. */
  readonly provenEnvironments: readonly string[];
}

/** @param hasFile whether the service has an access file. */
export function findingSettings(hasFile: boolean, provenEnvironments: readonly string[]): FindingSettings {
  const known = { contradicted: hasFile, unproven: provenEnvironments.length > 0 } as const;
  return {
    kinds: findingKinds.filter((kind) => !(kind in known) || known[kind as keyof typeof known]),
    provenEnvironments,
  };
}

/** Rows of one slot that have the same problem. */
interface SlotFault {
  readonly service: string;
  readonly environment: string;
  readonly count: number;
  readonly event_id: string;
  /** The number of these rows that are history imported by a new reporter. */
  readonly before_reporter?: number;
}

type OtherKind = 'look-alike' | 'silent' | (typeof outageFindingKinds)[number];
type SlotFaults = Readonly<Record<Exclude<FindingKind, OtherKind>, readonly SlotFault[]>>;

export interface Names {
  readonly services: readonly string[];
  readonly environments: readonly string[];
}

/** Each string completes a sentence that starts with the number of rows. */
const advice: Readonly<Record<keyof SlotFaults, readonly [one: string, several: string, todo: string]>> = {
  future: [
    'row is dated more than 5 minutes after it arrived',
    'rows are dated more than 5 minutes after they arrived',
    'correct the clock of the posting machine, or have it send happened_at with the right offset',
  ],
  late: [
    'row arrived more than 24 hours after it happened, though its reporter usually takes less than an hour',
    'rows arrived more than 24 hours after they happened, though their reporter usually takes less than an hour',
    'find out what delayed the posts; figures of past days have changed',
  ],
  stuck: [
    'deployment is unfinished and much older than usual',
    'deployments are unfinished and much older than usual',
    'check whether it is still running, and have the pipeline post its final status, even when it is cancelled',
  ],
  'unknown-parent': [
    'row names an unknown parent',
    'rows name an unknown parent',
    'correct parent_deployments, or have the parent posted under that deployment_id',
  ],
  duplicate: [
    'row repeats an event posted in the previous 10 minutes',
    'rows repeat events posted in the previous 10 minutes',
    'have a single reporter post each deployment status, and retry a post only if it was not answered',
  ],
  unversioned: [
    'last row has neither version nor sha',
    'last rows have neither version nor sha',
    'have the pipeline send one of them; releases, differences and rollbacks depend on it',
  ],
  contradicted: [
    'row contradicts the token with which it was posted',
    'rows contradict the tokens with which they were posted',
    'compare them in the proof of the event, and correct what the pipeline posts',
  ],
  unproven: [
    'row was posted with the shared key',
    'rows were posted with the shared key',
    'give the pipeline a key of its own, or have it post with its identity token',
  ],
};

/**
 * All findings, worst first (questions.md 10.2 and 12.10).
 * @param ofOutages findings about outages.
 */
export function findingsOf(
  slots: SlotFaults,
  names: Names,
  { reporters, ofOutages }: { readonly reporters: readonly Reporter[]; readonly ofOutages: readonly Finding[] },
): Finding[] {
  const ofSlots = (Object.keys(advice) as (keyof SlotFaults)[]).flatMap((kind) =>
    slots[kind].map((fault): Finding => ({ kind, ...fault, detail: sentence(kind, fault) })),
  );
  const alike = [
    ...lookAlikes(names.services).map((group) => alikeFinding(group, 'service')),
    ...lookAlikes(names.environments).map((group) => alikeFinding(group, 'environment')),
  ];
  const silent = reporters.filter((reporter) => reporter.silent).map(silentFinding);
  return [...ofSlots, ...alike, ...silent, ...ofOutages].sort(worstFirst);
}

function sentence(kind: keyof SlotFaults, { count, before_reporter: history = 0 }: SlotFault): string {
  const [one, several, todo] = advice[kind];
  const rows = `${count} ${count === 1 ? one : several}`;
  if (history === 0) return `${rows}; ${todo}.`;
  const isAll = history === count;
  const part = isAll ? 'as history' : `${history} of them as history`;
  return `${rows}, ${part} imported by a new reporter; ${isAll ? 'nothing to do' : `for the others, ${todo}`}.`;
}

function alikeFinding(group: readonly string[], of: 'service' | 'environment'): Finding {
  const listed = group.map(quoted).join(', ');
  const detail =
    group.length === 1
      ? `The ${of} ${listed} contains invisible characters; post under a name without them.`
      : `The ${of}s ${listed} are probably the same; agree on one name and have everyone use it.`;
  const [name = null] = group;
  const slot = { service: of === 'service' ? name : null, environment: of === 'environment' ? name : null };
  return { kind: 'look-alike', ...slot, count: group.length, event_id: null, detail };
}

function silentFinding({ reporter, last_at, usual_interval_minutes: usual }: Reporter): Finding {
  const who =
    reporter === null ? 'The reporter without X-Progress-Reporter' : `The reporter ${JSON.stringify(reporter)}`;
  const often = usual === null ? '' : ` (it usually posts every ${Number(usual.toPrecision(3))} minutes)`;
  const detail = `${who} has posted nothing since ${last_at}${often}; check that it is running and that its key is valid.`;
  return { kind: 'silent', service: null, environment: null, count: 1, event_id: null, detail };
}

function worstFirst(one: Finding, other: Finding): number {
  return (
    rankOf(one) - rankOf(other) ||
    other.count - one.count ||
    compareNames(one.service, other.service) ||
    compareNames(one.environment, other.environment) ||
    compareNames(one.detail, other.detail)
  );
}

function rankOf({ kind }: Finding): number {
  return findingKinds.indexOf(kind);
}

function compareNames(one: string | null, other: string | null): number {
  if (one === other) return 0;
  return (one ?? '\u{10ffff}') < (other ?? '\u{10ffff}') ? -1 : 1;
}

export function countsOf(
  findings: readonly Finding[],
  kinds: readonly FindingKind[],
): Partial<Record<FindingKind, number>> {
  const count = (kind: FindingKind) => findings.filter((finding) => finding.kind === kind).length;
  const isShown = (kind: FindingKind) => !isOfOutages(kind) || count(kind) > 0;
  return Object.fromEntries(kinds.filter(isShown).map((kind) => [kind, count(kind)]));
}

export function isOfOutages(kind: FindingKind): boolean {
  return (outageFindingKinds as readonly FindingKind[]).includes(kind);
}

/** The number of findings that are entirely history imported by a new reporter. */
export function historyIn(findings: readonly Finding[]): number {
  return findings.filter(({ count, before_reporter }) => before_reporter === count).length;
}

/** Where a page ended: after this finding or, if the finding no longer exists, after its rank and count. */
interface FindingKey {
  readonly rank: number;
  readonly count: number;
  readonly digest: string;
}

function findingCursor(finding: Finding): string {
  const { rank, count, digest } = keyOfFinding(finding);
  return Buffer.from(`${rank}.${count}.${digest}`).toString('base64url');
}

const cursorText = new RegExp(`^(${[...findingKinds.keys()].join('|')})\\.(\\d{1,15})\\.([\\w-]{16})$`);

/** The key in a cursor; `undefined` if it is invalid. */
export function parseFindingCursor(cursor: string): FindingKey | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const [, rank, count, digest = ''] = cursorText.exec(text) ?? [];
  if (Buffer.from(text).toString('base64url') !== cursor || digest === '') return undefined;
  return { rank: Number(rank), count: Number(count), digest };
}

/** The page after a key, and the cursor of the next page. */
export function findingPage(findings: readonly Finding[], after: FindingKey | undefined, size: number) {
  const from = after === undefined ? 0 : indexAfter(findings, after);
  const items = findings.slice(from, from + size);
  const last = from + size < findings.length ? items.at(-1) : undefined;
  return { items, next: last ? findingCursor(last) : null };
}

function indexAfter(findings: readonly Finding[], after: FindingKey): number {
  const at = findings.findIndex((finding) => keyOfFinding(finding).digest === after.digest);
  if (at >= 0) return at + 1;
  const next = findings.findIndex(
    (finding) => rankOf(finding) > after.rank || (rankOf(finding) === after.rank && finding.count < after.count),
  );
  return next < 0 ? findings.length : next;
}

/** Uses a digest, because names may be longer than a cursor. */
function keyOfFinding(finding: Finding): FindingKey {
  const { kind, service, environment, count, detail } = finding;
  const digest = shortDigest([kind, service, environment, kind === 'silent' ? detail : null]);
  return { rank: rankOf(finding), count, digest };
}
