import type { ExceptionRequest, HoldRequest, Outage, OutageLink } from '@shiplog/contract';
import { shellQuoted } from '@shiplog/text';

/** A word of a POSIX shell, quoted where necessary. */
function word(text: string): string {
  return /^[\w.,:/@%+-]+$/.test(text) ? text : shellQuoted(text);
}

function line(...parts: readonly (string | readonly [option: string, value: string | undefined])[]): string {
  return parts
    .flatMap((part) => {
      if (typeof part === 'string') return [word(part)];
      const [option, value] = part;
      return value === undefined ? [] : [`--${option}`, word(value)];
    })
    .join(' ');
}

/** The command that makes a hold. */
export function holdLine({ kind, services, environments, version, from, until, reason }: HoldRequest): string {
  return line(
    ...['shiplog', 'hold', kind],
    ['services', services.join(',')],
    ['environments', environments.join(',')],
    ['version', version ?? undefined],
    ['from', from ?? undefined],
    ['until', until ?? undefined],
    ['reason', reason],
  );
}

export function releaseLine(id: string): string {
  return line('shiplog', 'release', id);
}

export function exceptLine(id: string, { services, until, reason }: ExceptionRequest): string {
  return line('shiplog', 'except', id, ['services', services.join(',')], ['until', until], ['reason', reason]);
}

/** The command that names the cause of an outage; without a link, it says that no deployment caused it. */
export function blameLine({ source, outage_id }: Outage, link: OutageLink | undefined): string {
  const cause = link ? ([['deployment', link.deployment_id]] as const) : ['--not-by-deployment'];
  return line('shiplog', 'outage', 'blame', outage_id, ['source', source], ...cause);
}
