import { plain } from '@shiplog/text';
import { statusLabel } from '../ui/status.tsx';
import type { Section, ServiceStages, Stage, StageMark } from './service-stages.ts';

/** The shape of each mark, named as in `libs/panels/files/marks.js`, and its label. */
export const markLooks: Readonly<Record<StageMark, readonly [shape: Shape | undefined, label: string]>> = {
  ok: ['ok', 'succeeded'],
  newer: ['tick', 'newer there now'],
  run: ['run', 'running'],
  slow: ['run', 'slow'],
  stuck: ['stuck', 'stuck'],
  bad: ['bad', 'failed'],
  off: ['dash', 'called off'],
  waits: ['pause', 'waits'],
  queued: ['clock', 'queued'],
  pending: ['dot', 'pending'],
  ahead: ['ahead', 'clock ahead'],
  not: ['ring', 'not yet'],
  none: [undefined, 'not deployed there'],
};

/** `solid` = done, `dashed` = in progress, `dotted` = not yet, `broken` = failed. */
export function strokeOf(mark: StageMark): 'solid' | 'dashed' | 'dotted' | 'broken' | undefined {
  if (mark === 'none') return undefined;
  if (mark === 'ok' || mark === 'newer' || mark === 'ahead') return 'solid';
  if (mark === 'bad') return 'broken';
  return mark === 'run' || mark === 'slow' || mark === 'stuck' ? 'dashed' : 'dotted';
}

export function toneOf(mark: StageMark): 'bad' | 'run' | 'ok' | '' {
  if (mark === 'bad' || mark === 'ok') return mark;
  return mark === 'run' || mark === 'slow' || mark === 'stuck' ? 'run' : '';
}

export function sectionTitle(section: Section, production: string | undefined): readonly [title: string, hint: string] {
  const there = plain(production ?? '');
  if (section === 'halted') return ['Halted', 'failed or stuck, without a later attempt'];
  if (section === 'moving') return ['Moving', 'running, queued or waiting'];
  if (section === 'short')
    return [`Not yet in ${there || 'production'}`, `ended before ${there || 'it'}, and nothing is in progress`];
  return production === undefined
    ? ['Released', 'nothing is in progress']
    : [`Released to ${there}`, `the newest release runs in ${there}`];
}

/** The progress of a release without its age: "failed in prod", "queued for prod", "reached qa". */
export function howFar({ far }: Pick<ServiceStages, 'far'>): string {
  const { mark, event } = far;
  const there = plain(far.environment);
  if (mark === 'queued') return `queued for ${there}`;
  if (mark === 'off') return `${event ? statusLabel(event.status) : 'called off'} in ${there}`;
  if (mark === 'ok' || mark === 'ahead' || mark === 'newer') return `reached ${there}`;
  return `${markLooks[mark][1]} in ${there}`;
}

/** ", usually 4 min". */
export function usually(minutes: number | undefined): string {
  if (minutes === undefined) return '';
  const [count, unit] = minutes < 90 ? [minutes, 'min'] : [minutes / 60, 'h'];
  return `, usually ${Math.max(1, Math.round(count))} ${unit}`;
}

/** For screen readers: "dev succeeded, staging running, prod not yet". */
export function stagesSentence(stages: readonly Stage[]): string {
  return stages
    .filter(({ mark }) => mark !== 'none')
    .map(({ environment, mark }) => `${plain(environment)} ${markLooks[mark][1]}`)
    .join(', ');
}
