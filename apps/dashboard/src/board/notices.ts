import type { Hold, Outage } from '@shiplog/contract';
import { compileGlobs, holdReason, plain } from '@shiplog/text';
import { dayTime } from './day-time.ts';
import { type OutageIn, outagesByPlace } from './open-outages.ts';

/** A hold as cells and columns show it. */
export interface HoldMark {
  readonly kind: Hold['kind'];
  /** "frozen until 4 Jan 08:00: Christmas (Ines)", in the viewer's time zone. */
  readonly text: string;
  /** When the hold was created, in ms since the epoch. */
  readonly sinceMs: number;
}

/** What people and tools besides pipelines say: what holds deployments back (holds.md 4.3), and what is broken. */
export interface Notices {
  /** The freeze or lock of all services in an environment. */
  ofColumn(environment: string): HoldMark | undefined;
  /** The hold of one slot that its column doesn't show, or that its release is marked bad. */
  ofSlot(service: string, environment: string, release: Release | undefined): HoldMark | undefined;
  /** The freezes that are in force, and those that begin soon. */
  readonly freezes: readonly Hold[];
  readonly outageIn: OutageIn;
  /** Changes when a hold begins, ends or is changed, and with every change of an outage; '' = there are neither. */
  readonly key: string;
}

interface Release {
  readonly version?: string | undefined;
  readonly sha?: string | undefined;
}

const nothing = () => undefined;
export const noNotices: Notices = { ofColumn: nothing, ofSlot: nothing, outageIn: nothing, freezes: [], key: '' };

/** Notices that begin within this time are announced. */
const soonMs = 86_400_000;

export interface Noted {
  readonly holds: readonly Hold[];
  /** Open ones, the newest first. */
  readonly outages: readonly Outage[];
}

/** @param before returned again if nothing has changed. */
export function noticesAt({ holds, outages }: Noted, nowMs: number, before?: Notices): Notices {
  const isOpen = ({ until, released }: Hold) => !released && (until === null || nowMs < Date.parse(until));
  const open = holds.filter((hold) => isOpen(hold) && Date.parse(hold.from) <= nowMs + soonMs);
  const inForce = open
    .filter(({ from }) => Date.parse(from) <= nowMs)
    .map((hold) => ({ hold, liftedFor: liftedAt(hold, nowMs) }));
  const isNothing = open.length + outages.length === 0;
  const key = isNothing ? '' : JSON.stringify([open, inForce.map(({ liftedFor }) => liftedFor.length), outages]);
  if (before?.key === key) return before;
  const marked = inForce.map(({ hold, liftedFor }) => markedOf(hold, liftedFor, nowMs));
  const bad = marked.filter(({ hold }) => hold.kind === 'bad');
  const others = marked.filter(({ hold }) => hold.kind !== 'bad');
  return {
    key,
    outageIn: outagesByPlace(outages),
    freezes: open.filter(({ kind }) => kind === 'freeze'),
    ofColumn: (environment) => others.find((each) => each.isOfAll && each.isIn(environment))?.mark,
    ofSlot: (service, environment, release) => {
      const holdsHere = (each: Marked) => each.isIn(environment) && each.isOf(service) && !each.isLifted(service);
      const isBad = ({ hold: { version } }: Marked) => version === release?.version || version === release?.sha;
      return (
        bad.find((each) => isBad(each) && holdsHere(each))?.mark ??
        others.find((each) => !each.isOfAll && holdsHere(each))?.mark
      );
    },
  };
}

interface Marked {
  readonly hold: Hold;
  readonly mark: HoldMark;
  readonly isOfAll: boolean;
  isIn(environment: string): boolean;
  isOf(service: string): boolean;
  isLifted(service: string): boolean;
}

/** The globs of the services that have an exception at a time. */
function liftedAt({ exceptions }: Hold, nowMs: number): string[] {
  return exceptions
    .filter(({ created_at, until }) => Date.parse(created_at) <= nowMs && nowMs < Date.parse(until))
    .flatMap(({ services }) => services);
}

function markedOf(hold: Hold, liftedFor: readonly string[], nowMs: number): Marked {
  const { kind, services, environments } = hold;
  const text = plain(holdReason(hold, (instant) => dayTime(Date.parse(instant), nowMs)));
  return {
    hold,
    mark: { kind, text, sinceMs: Date.parse(hold.created_at) },
    isOfAll: services.includes('*'),
    isIn: compileGlobs(environments),
    isOf: compileGlobs(services),
    isLifted: compileGlobs(liftedFor),
  };
}

/** "Frozen until 4 Jan 08:00: Christmas (Ines)", "From tomorrow 18:00 frozen until 4 Jan 08:00: Christmas (Ines)". */
export function holdText(hold: Hold, nowMs: number): string {
  const written = (instant: string) => dayTime(Date.parse(instant), nowMs);
  const reason = holdReason(hold, written);
  if (Date.parse(hold.from) > nowMs) return `From ${written(hold.from)} ${reason}`;
  return `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}`;
}

export function scopeText({ services, environments, exceptions }: Hold): string {
  const all = services.includes('*') ? 'all services' : services.join(', ');
  const excepted = exceptions.flatMap((exception) => exception.services);
  const except = excepted.length > 0 ? `, except ${[...new Set(excepted)].join(', ')}` : '';
  return `${all} in ${environments.join(', ')}${except}`;
}
