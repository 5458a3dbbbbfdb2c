import { answeredStatus, type Client } from '@shiplog/client';
import {
  type ApiReset,
  demoSet,
  driverLimits,
  headerNames,
  type IngestRequest,
  type ScenarioOutlook,
} from '@shiplog/contract';
import type { Scenario } from '@shiplog/scenarios';
import type { Answer } from '@shiplog/server';
import type { Demo } from '../demo.ts';
import { eventsPerPlace, type Random, randomEvents } from '../domain/random-scenario.ts';
import { type RunPlan, reporterOf } from '../domain/run-plan.ts';
import type { Emission } from '../emission.ts';
import { type Neighbours, probeHealth } from '../health.ts';
import { countOf, type Target } from '../target.ts';
import type { DemoSurface } from './surface.ts';

export interface ControlParts {
  readonly demo: Demo;
  readonly emission: Emission;
  readonly scenarios: ReadonlyMap<string, Scenario>;
  /** Calls the service, keys included. */
  readonly client: Client;
  readonly target: Target;
  readonly neighbours: Neighbours;
  readonly healthProbeMs: number;
  /** The pause between events where a call says nothing of it. */
  readonly emitDelayMs: number;
  readonly random: Random;
}

/** Scenarios, ingest, emission, the reset of the service, and how things are (companion services §4). */
export function addControl(surface: DemoSurface, parts: ControlParts): void {
  const { demo, emission, scenarios, client, target, neighbours, healthProbeMs, emitDelayMs } = parts;
  /** With the seconds for which calls are refused, while they are. */
  const status = (): Answer => {
    const { blockedSeconds } = demo;
    const headers = blockedSeconds === undefined ? {} : { [headerNames.retryAfter]: String(blockedSeconds) };
    return { ...answer(demo.status), headers };
  };

  surface.serve('getDemoStatus', async () => status());
  surface.serve('listScenarios', async () => answer({ items: [...scenarios.keys()] }));
  surface.serve('getDemoHealth', async () => answer(await probeHealth(neighbours, healthProbeMs)));

  surface.serve('getScenario', async ({ params: { name } }) => {
    const events = scenarios.get(name)?.events ?? [];
    const refused = await target.refusedStatuses(events);
    return answer<ScenarioOutlook>({
      name,
      events_total: events.length,
      events_refused: countOf(events, refused),
      statuses_refused: [...refused],
    });
  });
  surface.serve('runScenario', async ({ params: { name }, body }) => {
    demo.start(scenarioPlan(scenarios, name, { dataset: name, delayMs: body.delay_ms ?? emitDelayMs }));
    return status();
  });
  surface.serve('stopScenario', async ({ params }) => {
    demo.stopRun(params.name);
    return status();
  });
  surface.serve('resetDemo', async () => {
    demo.setBack();
    return status();
  });

  surface.serve('startIngest', async ({ body }) => {
    demo.start(ingestPlan(body, parts));
    return status();
  });
  surface.serve('stopIngest', async () => {
    demo.stopRun();
    return status();
  });

  surface.serve('getEmission', async () => answer({ emitting: emission.emitting }));
  surface.serve('switchEmission', async ({ body: { enabled = !emission.emitting } }) => {
    if (enabled) emission.start();
    else void emission.stop();
    return answer({ emitting: emission.emitting });
  });

  surface.serve('resetApi', async () => answer(await resetApi(client)));
}

/** Every answer tells of a moment. */
function answer<Body extends object>(body: Body): Answer {
  return { status: 200, headers: { 'Cache-Control': 'no-store' }, json: JSON.stringify(body) };
}

function ingestPlan(
  { dataset, count = driverLimits.randomScenariosMax, delay_ms }: IngestRequest,
  { scenarios, emitDelayMs, random }: ControlParts,
): RunPlan {
  const delayMs = delay_ms ?? emitDelayMs;
  if (dataset !== 'random') return scenarioPlan(scenarios, demoSet.name, { dataset: 'demo', delayMs });
  const events = randomEvents(count, random);
  return { scenario: dataset, reporter: reporterOf(dataset), delayMs, events, together: eventsPerPlace };
}

function scenarioPlan(
  scenarios: ReadonlyMap<string, Scenario>,
  name: string,
  { dataset, delayMs }: { readonly dataset: string; readonly delayMs: number },
): RunPlan {
  const events = scenarios.get(name)?.events ?? [];
  return { scenario: name, reporter: reporterOf(dataset), delayMs, events, together: 1 };
}

/** One attempt (companion services §4, reading 9.2). */
async function resetApi(client: Client): Promise<ApiReset> {
  try {
    const { status } = await client.startReset();
    return outcome(status);
  } catch (error) {
    return outcome(answeredStatus(error) ?? 0);
  }
}

function outcome(status: number): ApiReset {
  return status >= 200 && status < 300 ? { ok: true, http_status: 204 } : { ok: false, http_status: status };
}
