import type { DeploymentEvent, MatrixRow, Status } from '@shiplog/contract';
import { expect, test } from 'vitest';
import type { Board } from '../src/board/board.ts';
import { positionUnder, roomLeftOf } from '../src/pipelines/column-position.ts';
import { deploymentsOf } from '../src/pipelines/deployment.ts';
import type { GraphNode } from '../src/pipelines/graph.ts';
import { chainLabel, deploymentSentence } from '../src/pipelines/labels.ts';
import { outcomeOf } from '../src/pipelines/outcome.ts';
import { chosenService } from '../src/pipelines/pipelines-view.tsx';
import { anEvent } from './support/an-event.ts';

const columns = ['dev', 'staging', 'prod'];

function deployed(environment: string, status: Status = 'success', fields: Partial<DeploymentEvent> = {}) {
  const [found] = deploymentsOf([
    {
      id: environment,
      deployment_id: `gha-${environment}`,
      service: 'payments-api',
      environment,
      version: '1.4.2',
      status,
      happened_at: '2026-05-04T09:00:00Z',
      ...fields,
    },
  ]);
  if (!found) throw new Error('no deployment found');
  return found;
}

const twoHoursLater = Date.parse('2026-05-04T11:00:00Z');
const absent: GraphNode = { kind: 'absent', key: 'x', id: 'gha-1', reason: 'missing' };

test.each<[string, ReturnType<typeof deployed>, GraphNode[], string]>([
  ['no parent', deployed('dev'), [], 'payments-api 1.4.2 in dev succeeded 2 hours ago'],
  [
    'one parent',
    deployed('staging', 'failure'),
    [deployed('dev')],
    'payments-api 1.4.2 in staging failed 2 hours ago, promoted from gha-dev in dev',
  ],
  [
    'an absent parent',
    deployed('prod', 'waiting'),
    [absent],
    'payments-api 1.4.2 in prod moved to waiting 2 hours ago, promoted from gha-1 (not in the log)',
  ],
  [
    'two parents',
    deployed('prod', 'rejected'),
    [deployed('dev', 'success', { service: 'web' }), absent],
    'payments-api 1.4.2 in prod was rejected 2 hours ago, promoted from gha-dev of web in dev and gha-1 (not in the log)',
  ],
  [
    'characters that reverse the text direction',
    deployed('dev', 'success', { version: '1\u202e2' }),
    [],
    'payments-api 1\\u{202e}2 in dev succeeded 2 hours ago',
  ],
])('describes a deployment with %s', (_, deployment, parents, expected) => {
  expect(deploymentSentence(deployment, parents, twoHoursLater)).toBe(expected);
});

test.each([
  ['the newest deployment is the furthest', [deployed('prod'), deployed('dev')], 'reached prod'],
  ['it failed', [deployed('prod', 'failure'), deployed('staging'), deployed('dev')], 'reached staging, failed in prod'],
  ['nothing succeeded', [deployed('dev', 'in-progress')], 'running in dev'],
  [
    'the newest deployment is in an earlier environment',
    [deployed('dev'), deployed('prod')],
    'reached prod, succeeded in dev',
  ],
])('describes a chain: %s', (_, deployments, expected) => {
  const [newest] = deployments;
  if (newest) expect(chainLabel({ deployments, newest }, columns)).toBe(expected);
});

test.each([
  ['success', 'ok'],
  ['in-progress', 'run'],
  ['waiting', 'run'],
  ['failure', 'bad'],
  ['rejected', 'bad'],
  ['cancelled', 'off'],
] as const)('the label of the line to %s is %s', (status, outcome) => {
  expect(outcomeOf(status)).toBe(outcome);
});

function row(service: string, minute?: number): MatrixRow {
  const current = deployed('dev', 'success', { service, happened_at: `2026-05-04T09:0${minute}:00Z` }).latest;
  return { service, slots: minute === undefined ? {} : { dev: { current } } };
}

const all = [row('api', 1), row('Web', 3), row('what?', 2), row('idle')];
const board: Board = { environments: ['dev'], rows: new Map(all.map((each) => [each.service, each])) };
const filter = (...services: string[]) => ({
  services,
  environments: [],
  teams: [],
  mine: false,
  text: undefined,
  only: undefined,
});

test.each([
  ['no name', [], undefined],
  ['one name', ['api'], 'api'],
  ['a name in another case', ['web'], 'Web'],
  ['a name that the board does not have', ['gone'], 'gone'],
  ['several names', ['api', 'Web'], undefined],
  ['a pattern', ['a*'], undefined],
  ['a name that is also a pattern', ['what?'], 'what?'],
])('finds the service that a filter selects: %s', (_, services, expected) => {
  expect(chosenService(filter(...services), board)).toBe(expected);
});

test('a graph is drawn below the stages if they are wide enough and include all its environments', () => {
  const place = { left: 452, step: 130, list: 1400, isNarrow: false };
  const history = (environment: string) => ({ events: new Map([['1', anEvent({ environment })]]) });
  const columns = ['dev', 'prod'];
  expect(positionUnder(place, columns, undefined)).toBe(place);
  expect(positionUnder(place, columns, history('prod'))).toBe(place);
  expect(positionUnder(place, columns, history('qa'))).toBeUndefined();
  expect(positionUnder({ ...place, step: 127 }, columns, undefined)).toBeUndefined();
  expect(positionUnder({ ...place, isNarrow: true }, columns, undefined)).toBeUndefined();
  expect(positionUnder(undefined, columns, undefined)).toBeUndefined();
  expect(roomLeftOf(place)).toBe(322);
  expect(roomLeftOf({ ...place, step: 213 })).toBeUndefined();
  expect(roomLeftOf(undefined)).toBeUndefined();
});
