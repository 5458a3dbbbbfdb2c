import type { incidentSeverities } from '@shiplog/contract';

/** The longer, the graver; one that is open is critical (reading 5.12). */
export function severity(durationMinutes: number | null): (typeof incidentSeverities)[number] {
  if (durationMinutes === null) return 'critical';
  if (durationMinutes <= 60) return 'low';
  if (durationMinutes <= 240) return 'medium';
  return durationMinutes <= 1440 ? 'high' : 'critical';
}
