import type { EvidenceItem, EvidenceReport } from '@shiplog/contract';
import { csvOf } from '../../ui/csv.ts';

export function evidenceCsv(
  { figure, unit }: Pick<EvidenceReport, 'figure' | 'unit'>,
  items: readonly EvidenceItem[],
): string {
  const head = [
    'figure',
    'service',
    'environment',
    'deployment_id',
    'status',
    'at',
    `value (${unit})`,
    'counted',
    'reason',
    'event_ids',
  ];
  return csvOf(
    head,
    items.map((item) => [
      figure,
      item.service,
      item.environment,
      item.deployment_id,
      item.status ?? null,
      item.at,
      item.value,
      item.counted ? 'yes' : 'no',
      item.reason,
      item.event_ids.join(' '),
    ]),
  );
}
