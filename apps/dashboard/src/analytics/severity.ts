import type { IncidentsReport } from '@shiplog/contract';

type Incident = IncidentsReport['incidents'][number];
export type Severity = Incident['severity'] | 'not production';

/** How severe an incident is. Elsewhere than in production none is: nobody is served there. */
export function severityIn({ environment, severity }: Incident, production: string): Severity {
  return environment.toLowerCase() === production.toLowerCase() ? severity : 'not production';
}
