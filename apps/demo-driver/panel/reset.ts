import { type Fields, fieldText } from '@shiplog/panels/ui/api.ts';

export type ResetPhase = 'draining' | 'clearing' | 'done' | 'aborted';

const phases: Readonly<Record<string, ResetPhase>> = {
  'reset-initiated': 'draining',
  'reset-started': 'clearing',
  'reset-completed': 'done',
  'reset-aborted': 'aborted',
};

/** The components whose acks the service awaits by default (§3). */
export const awaited: readonly string[] = ['dashboard-fetcher', 'demo-driver'];
/** The time for which the service keeps component reports. */
const reportedMs = 2 * 3_600_000;
const componentsMax = 40;

interface Component {
  readonly at: string;
  /** The id of the reset for which the component has paused. */
  readonly acked: string | undefined;
}

/** A reset as this page knows it. */
export interface ResetView {
  readonly id: string;
  readonly phase: ResetPhase | undefined;
  readonly at: string;
  /**
   * The id of the reset that began while this page was open. For other resets, the page doesn't know which components
   * have paused.
   */
  readonly begun: string;
  readonly components: ReadonlyMap<string, Component>;
}

export const noReset: ResetView = { id: '', phase: undefined, at: '', begun: '', components: new Map() };

/** The view after a frame of the control stream. */
export function withFrame(view: ResetView, frame: Fields): ResetView {
  const phase = phases[fieldText(frame, 'type')];
  if (!phase) return view;
  const id = fieldText(frame, 'correlation_id');
  const begun = phase === 'draining' ? id : view.begun;
  return { ...view, id, phase, begun, at: fieldText(frame, 'occurred_at') };
}

/** The view after a component event. */
export function withComponent(view: ResetView, record: Fields): ResetView {
  const name = fieldText(record, 'component_id', 128);
  const acked =
    record.event_type === 'reset-ack' ? fieldText(record, 'correlation_id') : view.components.get(name)?.acked;
  const components = new Map(view.components).set(name, { at: fieldText(record, 'received_at'), acked });
  if (components.size > componentsMax) components.delete([...components.keys()][0] ?? '');
  return { ...view, components };
}

/** The view after the driver's status; a page opened during a reset learns of the reset only from this. */
export function withCorrelation(view: ResetView, correlation: string | null): ResetView {
  if (!correlation || correlation === view.id) return view;
  return { ...view, id: correlation, phase: 'draining', at: new Date().toISOString() };
}

export function pausedIn({ id, components }: ResetView): string[] {
  return [...components].filter(([, { acked }]) => acked === id).map(([name]) => name);
}

/** The components that have not paused: the awaited ones, and others that have sent reports recently. */
export function unpausedIn({ id, phase, begun, components }: ResetView): string[] {
  if (phase !== 'draining' || begun !== id) return [];
  const since = Date.now() - reportedMs;
  const others = [...components].filter(([, { at }]) => Date.parse(at) > since).map(([name]) => name);
  return [...new Set([...awaited, ...others])].filter((name) => components.get(name)?.acked !== id);
}
