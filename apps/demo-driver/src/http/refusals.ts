import { type Endpoint, headerNames } from '@shiplog/contract';
import type { Scenario } from '@shiplog/scenarios';
import { Problem, type RouteOptions } from '@shiplog/server';
import type { Controller } from '../controller.ts';

/** Reasons to refuse a call before its body is read: a reset in progress, then an unknown scenario (reading 9.4). */
export function refusals(
  controller: Controller,
  scenarios: ReadonlyMap<string, Scenario>,
): NonNullable<RouteOptions<Endpoint>['refusal']> {
  return ({ params, problems }, request) => {
    const seconds = controller.blockedSeconds;
    if (problems[503]?.includes('reset-in-progress') && seconds !== undefined) return blocked(seconds);
    const { name } = request.params as { readonly name?: string };
    return params && !(name !== undefined && scenarios.has(name)) ? unknown(scenarios) : undefined;
  };
}

function blocked(seconds: number): Problem {
  return new Problem('reset-in-progress', {
    detail: 'The service is being reset. Try again when the reset is over.',
    headers: { [headerNames.retryAfter]: String(seconds) },
  });
}

function unknown(scenarios: ReadonlyMap<string, Scenario>): Problem {
  return new Problem('not-found', {
    detail: `No such scenario. Scenarios: ${[...scenarios.keys()].join(', ')}.`,
  });
}
