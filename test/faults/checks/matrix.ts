import { type DeploymentEvent, effectiveStatuses, type Matrix, type MatrixSlot } from '@shiplog/contract';

/** The matrix of a log by the words of §2 and readings 4.1 to 4.3, slot by slot, for logs of any length. */
export function matrixOf(log: readonly DeploymentEvent[]): Omit<Matrix, 'generated_at'> {
  const services = new Map<string, Map<string, DeploymentEvent[]>>();
  for (const event of log) {
    const slots = services.get(event.service) ?? new Map<string, DeploymentEvent[]>();
    const events = slots.get(event.environment) ?? [];
    events.push(event);
    services.set(event.service, slots.set(event.environment, events));
  }
  const rows = [...services.keys()].sort().map((service) => {
    const slots = [...(services.get(service) ?? [])].flatMap(([environment, events]) => {
      const slot = slotOf(events);
      return slot ? [[environment, slot] as const] : [];
    });
    const upcoming = [...(services.get(service) ?? [])].flatMap(([environment, events]) => {
      const newest = slotOf(events) ? undefined : latest(events);
      return newest ? [[environment, newest] as const] : [];
    });
    return {
      service,
      slots: Object.fromEntries(slots),
      ...(upcoming.length > 0 && { upcoming: Object.fromEntries(upcoming) }),
    };
  });
  return { environments: [...new Set(rows.flatMap(({ slots }) => Object.keys(slots)))].sort(), rows };
}

function slotOf(events: readonly DeploymentEvent[]): MatrixSlot | undefined {
  const effective: readonly string[] = effectiveStatuses;
  const current = latest(events.filter(({ status }) => effective.includes(status)));
  if (!current) return undefined;
  const success = latest(events.filter(({ status }) => status === 'success'));
  const next = latest(events.filter(({ status }) => !effective.includes(status)));
  const older = latest(
    events.filter(({ status, happened_at }) => /success|failure/.test(status) && happened_at < current.happened_at),
  );
  return {
    current,
    ...(success && current.status !== 'success' && { last_successful: success }),
    ...(current.status === 'in-progress' && older?.status === 'failure' && { prev_failed: true }),
    ...(next && next.happened_at > current.happened_at && { next }),
  };
}

/** By time, then by id. All times of a run are written with milliseconds in UTC, so that text compares like time. */
function latest(events: readonly DeploymentEvent[]): DeploymentEvent | undefined {
  let found: DeploymentEvent | undefined;
  for (const event of events) {
    const later = !found || event.happened_at > found.happened_at;
    if (later || (event.happened_at === found?.happened_at && event.id > found.id)) found = event;
  }
  return found;
}
