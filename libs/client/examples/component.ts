import { createReporter, followControl } from '@shiplog/client';

export interface ComponentOptions {
  readonly baseUrl: string;
  readonly keys: { readonly api: string; readonly control: string };
  readonly id: string;
  /** A unit of the component's work. It is started periodically, never concurrently and never during a reset. */
  readonly work: () => Promise<void>;
  readonly everyMs: number;
  readonly onError: (error: Error) => void;
  readonly signal: AbortSignal;
}

/** A complete component: works, reports its state, and takes part in resets. */
export async function runComponent(options: ComponentOptions): Promise<void> {
  const { baseUrl, keys, id, work, everyMs, onError, signal } = options;
  const reporter = createReporter({ baseUrl, apiKey: keys.api, componentId: id });
  let resetId: string | undefined;
  let giveUp: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;
  const worker = setInterval(() => {
    if (resetId !== undefined || working) return;
    const failed = (error: Error) => reporter.error(error.message).catch(onError);
    working = work()
      .catch(failed)
      .finally(() => (working = undefined));
  }, everyMs);
  const heart = setInterval(() => reporter.heartbeat(resetId ? 'paused' : 'running').catch(onError), 30_000);
  const resume = () => {
    clearTimeout(giveUp);
    resetId = undefined;
  };
  await reporter.status('running').catch(onError);
  for await (const event of followControl({ baseUrl, controlKey: keys.control, component: id, signal })) {
    if (event.type === 'reset-initiated') {
      resume();
      resetId = event.id;
      giveUp = setTimeout(resume, 120_000); // The reset's end may never be reported.
      await working;
      await reporter.ack(event.id).catch(onError);
    } else if (/^reset-(completed|aborted)$/.test(event.type) && event.correlation_id === resetId) {
      resume();
      await reporter.status('running', { correlationId: event.correlation_id }).catch(onError);
    }
  }
  for (const timer of [worker, heart, giveUp]) clearTimeout(timer);
  await working;
}
