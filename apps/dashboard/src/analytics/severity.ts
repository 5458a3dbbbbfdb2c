import type { IncidentsReport } from '@shiplog/contract';

type Incident = IncidentsReport['incidents'][number];
export type Severity = Incident['severity'] | 'not production';

/** Incidents outside production have no severity, because they affect no users. */
export function severityIn({ environment, severity }: Incident, production: string): Severity {
  return environment.toLowerCase() === production.toLowerCase() ? severity : 'not production';
}
