import { answeredStatus, type Client } from '@shiplog/client';
import { type ApiReset, demoSet, driverLimits, type IngestRequest, type ScenarioOutlook } from '@shiplog/companions';
import { headerNames } from '@shiplog/contract';
import type { Scenario } from '@shiplog/scenarios';
import { type Answer, momentary } from '@shiplog/server';
import type { Controller } from '../controller.ts';
import { eventsPerEnvironment, type Random, randomEvents } from '../domain/random-scenario.ts';
import { type RunPlan, reporterOf } from '../domain/run-plan.ts';
import type { Emission } from '../emission.ts';
import { type Neighbours, probeHealth } from '../health.ts';
import { countOf, type Target } from '../target.ts';
import type { DriverApi } from './api.ts';

export interface ControlParts {
  readonly controller: Controller;
  readonly emission: Emission;
  readonly scenarios: ReadonlyMap<string, Scenario>;
  /** Calls the service, keys included. */
  readonly client: Client;
  readonly target: Target;
  readonly neighbours: Neighbours;
  readonly healthProbeMs: number;
  /** The pause between events if the call does not set one. */
  readonly emitDelayMs: number;
  readonly random: Random;
}

/** Scenarios, ingest, emission, the reset of the service, status and health (companion services §4). */
export function addControl(api: DriverApi, parts: ControlParts): void {
  const { controller, emission, scenarios, client, target, neighbours, healthProbeMs, emitDelayMs } = parts;
  /** While calls are refused, `Retry-After` says for how long. */
  const status = (): Answer => {
    const { blockedSeconds } = controller;
    const headers = blockedSeconds === undefined ? {} : { [headerNames.retryAfter]: String(blockedSeconds) };
    return { ...momentary(controller.status), headers };
  };

  api.serve('getDemoStatus', async () => status());
  api.serve('listScenarios', async () => momentary({ items: [...scenarios.keys()] }));
  api.serve('getDemoHealth', async () => momentary(await probeHealth(neighbours, healthProbeMs)));

  api.serve('getScenario', async ({ params: { name } }) => {
    const events = scenarios.get(name)?.events ?? [];
    const refused = await target.refusedStatuses(events);
    return momentary({
      name,
      events_total: events.length,
      events_refused: countOf(events, refused),
      statuses_refused: [...refused],
    } satisfies ScenarioOutlook);
  });
  api.serve('runScenario', async ({ params: { name }, body }) => {
    controller.start(scenarioPlan(scenarios, name, { dataset: name, delayMs: body.delay_ms ?? emitDelayMs }));
    return status();
  });
  api.serve('stopScenario', async ({ params }) => {
    controller.stopRun(params.name);
    return status();
  });
  api.serve('resetDemo', async () => {
    controller.resetCounters();
    return status();
  });

  api.serve('startIngest', async ({ body }) => {
    controller.start(ingestPlan(body, parts));
    return status();
  });
  api.serve('stopIngest', async () => {
    controller.stopRun();
    return status();
  });

  api.serve('getEmission', async () => momentary({ emitting: emission.emitting }));
  api.serve('switchEmission', async ({ body: { enabled = !emission.emitting } }) => {
    if (enabled) emission.start();
    else void emission.stop();
    return momentary({ emitting: emission.emitting });
  });

  api.serve('resetApi', async () => momentary(await resetApi(client)));
}

function ingestPlan(
  { dataset, count = driverLimits.randomScenariosMax, delay_ms }: IngestRequest,
  { scenarios, emitDelayMs, random }: ControlParts,
): RunPlan {
  const delayMs = delay_ms ?? emitDelayMs;
  if (dataset !== 'random') return scenarioPlan(scenarios, demoSet.name, { dataset: 'demo', delayMs });
  const events = randomEvents(count, random);
  return { scenario: dataset, reporter: reporterOf(dataset), delayMs, events, eventsPerMoment: eventsPerEnvironment };
}

function scenarioPlan(
  scenarios: ReadonlyMap<string, Scenario>,
  name: string,
  { dataset, delayMs }: { readonly dataset: string; readonly delayMs: number },
): RunPlan {
  const events = scenarios.get(name)?.events ?? [];
  return { scenario: name, reporter: reporterOf(dataset), delayMs, events, eventsPerMoment: 1 };
}

/** Makes a single attempt (companion services §4, reading 9.2). */
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
