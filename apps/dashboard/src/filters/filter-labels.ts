import { globText } from '@shiplog/text';
import type { Address } from '../state/address.ts';
import { statusLabel } from '../ui/status.tsx';

export function filterLabels({ filter, status, actor, deployment }: Address): string[] {
  const given = (value: string | undefined, label: string) => (value === undefined ? [] : [label]);
  return [
    ...filter.services.map((glob) => `service ${globText(glob)}`),
    ...filter.environments.map((glob) => `environment ${globText(glob)}`),
    ...filter.teams.map((team) => `team ${team}`),
    ...(filter.mine ? ['only mine'] : []),
    ...given(filter.text, `“${filter.text}”`),
    ...given(filter.only, `${filter.only} only`),
    ...given(status, `status ${status && statusLabel(status)}`),
    ...given(actor, `actor ${actor}`),
    ...given(deployment, `deployment ${deployment}`),
  ];
}
