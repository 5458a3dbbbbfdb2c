import type { IncidentsReport } from '@shiplog/contract';

type Incident = IncidentsReport['incidents'][number];
export type Severity = Incident['severity'] | 'not production';

/** The severity of an incident. Outside production there is no severity, because no users are affected. */
export function severityIn({ environment, severity }: Incident, production: string): Severity {
  return environment.toLowerCase() === production.toLowerCase() ? severity : 'not production';
}
