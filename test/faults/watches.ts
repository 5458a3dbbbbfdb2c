import { setTimeout as delay } from 'node:timers/promises';
import { type ControlStreamEvent, endpoints, headerNames, keyHeaders, nilId, streams } from '@shiplog/contract';
import { answerOf } from '@shiplog/testing/http';
import type { Dice } from '@shiplog/testing/random';
import { StreamReader } from '@shiplog/testing/stream-reader';
import type { History } from './history.ts';
import { HttpLine } from './http-line.ts';
import { type Instance, keys } from './instance.ts';
import { happenedDay } from './writers.ts';

const probeEveryMs = 100;
const pollEveryMs = 400;
const reconnectMs = 100;
const visitMsMax = 8000;

/** The repeated requests and their allowed statuses. */
const polled = [
  [`${endpoints.getIncidents.path}?from=${happenedDay.from}&to=${happenedDay.to}`, [200, 304]],
  [endpoints.getMatrix.path, [200, 304]],
  [endpoints.listDeployments.path, [200]],
  [endpoints.listServices.path, [200]],
  [endpoints.getLiveness.path, [200]],
] as const;

/** Observes an instance until the signal is aborted. */
type Watch = (instance: Instance, history: History, signal: AbortSignal) => Promise<void>;

/** Polls the readiness of an instance continuously. */
export const probe: Watch = async (instance, history, signal) => {
  const line = new HttpLine(instance.url, history);
  const { method, path } = endpoints.getReadiness;
  while (!signal.aborted) {
    const sentAt = performance.now();
    const answer = await line.call({ name: 'GET /readyz', method, path, good: [200] });
    const answeredAt = performance.now();
    if (answer) history.probes.push({ instance: instance.name, sentAt, answeredAt, status: answer.status });
    await pause(probeEveryMs, signal);
  }
  line.close();
};

/** Polls the endpoints that dashboards read. */
export const poll: Watch = async (instance, history, signal) => {
  const line = new HttpLine(instance.url, history);
  let etag = '';
  for (let turn = 0; !signal.aborted; turn += 1) {
    for (const [path, good] of polled) {
      const headers: Record<string, string> = turn % 2 === 0 ? {} : { [headerNames.ifNoneMatch]: etag };
      const answer = await line.call({ name: `GET ${path}`, method: 'GET', path, headers, good });
      etag = answer?.headers.etag ?? etag;
    }
    await pause(pollEveryMs, signal);
  }
  line.close();
};

/** Follows the control stream from its beginning, switching from one instance to the next. */
export async function followControl(
  instances: readonly Instance[],
  history: History,
  dice: Dice,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const stream = await StreamReader.connect({
      url: `${dice.one(instances).url}${streams.control.path}`,
      headers: {
        [keyHeaders.control]: keys.control,
        [headerNames.lastEventId]: history.controlFrames.at(-1)?.id ?? nilId,
      },
      keeps: 'nothing',
      onFrame: ({ id = '', data }) => {
        const { type, correlation_id: correlationId } = JSON.parse(data) as ControlStreamEvent;
        history.told({ id, type, correlationId });
      },
    }).catch(() => undefined);
    const visitMs = dice.between(reconnectMs, visitMsMax);
    if (stream) {
      const leaving = new AbortController();
      await Promise.race([stream.ends(), pause(visitMs, AbortSignal.any([signal, leaving.signal]))]);
      leaving.abort();
      stream.close();
      history.answered('the control stream', answerOf(stream), [200]);
    }
    await pause(reconnectMs, signal);
  }
}

/** Waits for this long, or until the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
