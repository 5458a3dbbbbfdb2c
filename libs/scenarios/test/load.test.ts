import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  builtInDemoSet,
  demoDataFolder,
  elapsedMinutesMax,
  eventAt,
  loadScenario,
  loadScenarios,
  ScenarioError,
  type ScenarioEvent,
} from '@shiplog/scenarios';
import { describe, expect, onTestFinished, test } from 'vitest';

const event: ScenarioEvent = {
  elapsed_minutes: 2.5,
  deployment_id: 'gha-1',
  service: 'payments-api',
  environment: 'prod',
  status: 'success',
};
const { elapsed_minutes: _, ...template } = event;

/** Creates a folder with these files. Content that isn't a string or bytes is written as JSON. */
function folderOf(files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'shiplog-scenarios-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    const raw = typeof content === 'string' || content instanceof Uint8Array;
    writeFileSync(join(folder, name), raw ? content : JSON.stringify(content));
  }
  return folder;
}

/** The error message for a file, without the path at its beginning. */
function faultOf(content: unknown): string | undefined {
  const path = join(folderOf({ 'a.json': content }), 'a.json');
  try {
    loadScenario(path);
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(ScenarioError);
    const { message } = error as ScenarioError;
    expect(message.startsWith(path)).toBe(true);
    return message.slice(path.length);
  }
}

describe('a file', () => {
  test("is loaded as a scenario that has the file's name and its events and templates in order", () => {
    const other = { ...event, deployment_id: 'gha-2', elapsed_minutes: 1 };
    const content = { title: 'whatever a file says of itself', events: [event, other], sse_templates: [template] };
    const folder = folderOf({ 'a.b.json': content, 'short.json': { events: [] } });
    expect(loadScenario(join(folder, 'a.b.json'))).toEqual({
      name: 'a.b',
      events: [event, other],
      templates: [template],
    });
    expect(loadScenario(join(folder, 'short.json'))).toEqual({ name: 'short', events: [], templates: [] });
  });

  const items = (...events: unknown[]) => ({ events });
  const range = `must be a number from 0 to ${elapsedMinutesMax}`;
  test.each<[string, unknown, unknown, string]>([
    ['must be an object', { events: [] }, [], ': the file must be an object'],
    ['must have events', { events: [] }, {}, ': /events is required'],
    ['must have its events in an array', { events: [] }, { events: {} }, ': /events must be an array'],
    ['must have an age in each event', items(event), items(event, template), ': /events/1/elapsed_minutes is required'],
    [
      'must have a number as the age of an event',
      items(event),
      items({ ...event, elapsed_minutes: '5' }),
      ': /events/0/elapsed_minutes must be a number',
    ],
    [
      'must not have a negative age',
      items({ ...event, elapsed_minutes: 0 }),
      items({ ...event, elapsed_minutes: -0.1 }),
      `: /events/0/elapsed_minutes ${range}`,
    ],
    [
      'must not have an age above the maximum',
      items({ ...event, elapsed_minutes: elapsedMinutesMax }),
      items({ ...event, elapsed_minutes: elapsedMinutesMax + 1 }),
      `: /events/0/elapsed_minutes ${range}`,
    ],
    [
      'must have a service in each event',
      items(event),
      items({ ...event, service: '' }),
      ': /events/0/service must not be empty',
    ],
    [
      'must not have a version above the length limit',
      items({ ...event, version: 'v'.repeat(50) }),
      items({ ...event, version: 'v'.repeat(51) }),
      ': /events/0/version must have at most 50 characters',
    ],
    [
      'must not have unknown fields',
      items(event),
      items({ ...event, colour: 'red' }),
      ': /events/0/colour is not a known field',
    ],
    [
      'must not have a time in an event',
      items(event),
      items({ ...event, happened_at: '2026-05-04T09:12:02Z' }),
      ': /events/0/happened_at is not a known field',
    ],
    [
      'must not have an age in a template',
      { events: [], sse_templates: [template] },
      { events: [], sse_templates: [template, event] },
      ': /sse_templates/1/elapsed_minutes is not a known field',
    ],
    [
      'is refused with its first error and the number of others',
      items(event),
      items(event, { ...event, service: 1, environment: 2 }),
      ': /events/1/service must be a string, so put the number in quotes (and 1 more)',
    ],
    [
      'must be JSON',
      '{"events": []}',
      '{\n  "events": [\n    {"service":}\n  ]\n}',
      ': is not JSON at line 3, column 16',
    ],
    ['must be UTF-8', Buffer.from('\u{feff}{"events": []}'), Buffer.from([0x7b, 0xff]), ': is not UTF-8'],
  ])('%s', (_rule, good, bad, fault) => {
    expect(faultOf(good)).toBe(undefined);
    expect(faultOf(bad)).toBe(fault);
  });

  test('that is missing is reported with its path', () => {
    expect(() => loadScenario('/nowhere/a.json')).toThrow(new ScenarioError('/nowhere/a.json cannot be read (ENOENT)'));
  });
});

describe('a folder', () => {
  test('is loaded as scenarios sorted by name, including the built-in one', () => {
    const folder = folderOf({ 'late.json': { events: [] }, 'calm.json': { events: [event] }, 'notes.txt': 'no' });
    const faults: string[] = [];
    const scenarios = loadScenarios(folder, (fault) => faults.push(fault.message));
    expect([...scenarios.keys()]).toEqual(['calm', 'demo-set', 'late']);
    expect(scenarios.get('calm')?.events).toEqual([event]);
    expect(faults).toEqual([]);
  });

  test('is loaded without its invalid files, with an error message for each', () => {
    const folder = folderOf({ 'bad.json': '{', 'good.json': { events: [] }, 'wrong.json': {} });
    const faults: string[] = [];
    const scenarios = loadScenarios(folder, (fault) => faults.push(fault.message));
    expect([...scenarios.keys()]).toEqual(['demo-set', 'good']);
    expect(faults).toEqual([
      `${join(folder, 'bad.json')}: is not JSON at line 1, column 2`,
      `${join(folder, 'wrong.json')}: /events is required`,
    ]);
  });

  test('cannot replace the built-in scenario', () => {
    const scenarios = loadScenarios(folderOf({ 'demo-set.json': { events: [event] } }), () => undefined);
    expect(scenarios.get('demo-set')).toEqual(builtInDemoSet());
  });

  test('that is missing causes an error message, and only the built-in scenario is loaded', () => {
    const faults: string[] = [];
    const scenarios = loadScenarios('/nowhere', (fault) => faults.push(fault.message));
    expect([...scenarios.keys()]).toEqual(['demo-set']);
    expect(faults).toEqual(["/nowhere can't be read as a folder of scenarios (ENOENT)"]);
  });

  test('in the repository contains the scenarios of the demo', () => {
    const faults: ScenarioError[] = [];
    expect([...loadScenarios(demoDataFolder, (fault) => faults.push(fault)).keys()]).toEqual(['demo-set', 'history']);
    expect(faults).toEqual([]);
  });
});

describe('an event of a scenario', () => {
  const now = new Date('2026-05-04T09:12:02.500Z');

  test('gets the current time minus its age', () => {
    expect(eventAt(event, now)).toEqual({ ...template, happened_at: '2026-05-04T09:09:32.500Z' });
    expect(eventAt({ ...event, elapsed_minutes: 0 }, now).happened_at).toBe(now.toISOString());
    expect(eventAt({ ...event, elapsed_minutes: elapsedMinutesMax }, now).happened_at).toMatch(/^1926-/);
  });

  test('gets the current time if it has no age', () => {
    expect(eventAt(template, now)).toEqual({ ...template, happened_at: now.toISOString() });
  });
});
