import { type Endpoint, invalid, lastEventId, tooLarge } from '@shiplog/contract';
import { Type } from 'typebox';
import {
  ApiReset,
  DemoStatus,
  demoSet,
  driverLimits,
  Emission,
  HealthStatus,
  IngestRequest,
  RunRequest,
  ScenarioList,
  ScenarioOutlook,
  Switch,
} from './driver-shapes.ts';
import { driverStreams } from './driver-streams.ts';

/** The path of the driver's panel. */
export const driverPanelPath = '/demo/';

/** Paths that the driver calls on other programs, besides the application API (companion services §2, §4). */
export const neighbourPaths = {
  targetDocument: '/openapi.json',
  emulatorStatus: '/_ci/status',
  emulatorSeed: '/_ci/seed',
  emulatorClear: '/_ci/clear',
  emulatorEmission: '/_ci/emit',
  fetcherHealth: '/health',
} as const;

const blocked = { 503: ['reset-in-progress'] } as const;
/** Problems of every POST. */
const posted = { 403: ['forbidden-origin'], ...tooLarge } as const;
const upstream = { 502: ['upstream'], 504: ['upstream'] } as const;
const scenario = Type.Object({ name: Type.String({ examples: [demoSet.name] }) });
const status = { 200: { description: 'The status of the driver.', body: DemoStatus } } as const;
const emission = { 200: { description: 'Whether emission is on.', body: Emission } } as const;
const eventStream = { 200: { description: 'An event stream.' } } as const;
const forwarded = { 200: { description: 'The answer of the emulator.' } } as const;
/** Calls that are forwarded with their body. */
const withBody = {
  description: 'Forwards query and body unchanged; a body may have up to 5 MiB.',
  bodyBytesMax: driverLimits.forwardedBodyBytes,
} as const;

/** The endpoints of the driver. During a reset, those that list `reset-in-progress` are refused (companion services §7). */
export const driverEndpoints = {
  getDemoStatus: {
    method: 'GET',
    path: '/demo/status',
    tag: 'demo',
    summary: 'Status of the driver',
    replies: status,
    problems: {},
  },
  listScenarios: {
    method: 'GET',
    path: '/demo/scenarios',
    tag: 'demo',
    summary: 'The scenarios that can be run',
    replies: { 200: { description: 'Their names.', body: ScenarioList } },
    problems: {},
  },
  getScenario: {
    method: 'GET',
    path: '/demo/scenarios/{name}',
    tag: 'demo',
    summary: 'Preview a run of a scenario',
    description:
      'Counts the events that the target will refuse. The mock, for example, accepts three of the eight statuses.',
    params: scenario,
    replies: {
      200: { description: 'The number of its events, and of those the target will refuse.', body: ScenarioOutlook },
    },
    problems: { 404: ['not-found'] },
  },
  runScenario: {
    method: 'POST',
    path: '/demo/scenarios/{name}/run',
    tag: 'demo',
    summary: 'Run a scenario',
    description: 'During a run, returns its status and starts nothing.',
    sameOrigin: true,
    params: scenario,
    body: RunRequest,
    bodyOptional: true,
    replies: status,
    problems: { ...posted, ...blocked, 404: ['not-found'], ...invalid },
  },
  stopScenario: {
    method: 'POST',
    path: '/demo/scenarios/{name}/stop',
    tag: 'demo',
    summary: 'Stop a scenario',
    description: 'Does nothing if this scenario is not running.',
    sameOrigin: true,
    params: scenario,
    replies: status,
    problems: { ...posted, ...blocked, 404: ['not-found'] },
  },
  resetDemo: {
    method: 'POST',
    path: '/demo/reset',
    tag: 'demo',
    summary: 'Reset the counters',
    description: "Stops a run and sets the counters to zero. The service's log stays unchanged.",
    sameOrigin: true,
    replies: status,
    problems: { ...posted },
  },
  startIngest: {
    method: 'POST',
    path: '/demo/ingest',
    tag: 'demo',
    summary: 'Post the demo set, or random events',
    description: 'During a run, returns its status and starts nothing.',
    sameOrigin: true,
    body: IngestRequest,
    bodyOptional: true,
    replies: status,
    problems: { ...posted, ...blocked, ...invalid },
  },
  stopIngest: {
    method: 'POST',
    path: '/demo/ingest/stop',
    tag: 'demo',
    summary: 'Stop the run',
    sameOrigin: true,
    replies: status,
    problems: { ...posted, ...blocked },
  },
  getEmission: {
    method: 'GET',
    path: '/demo/emit',
    tag: 'demo',
    summary: 'State of live emission',
    replies: emission,
    problems: {},
  },
  switchEmission: {
    method: 'POST',
    path: '/demo/emit',
    tag: 'demo',
    summary: 'Turn live emission on or off',
    sameOrigin: true,
    body: Switch,
    bodyOptional: true,
    replies: emission,
    problems: { ...posted, ...blocked, ...invalid },
  },
  resetApi: {
    method: 'POST',
    path: '/demo/api-reset',
    tag: 'demo',
    summary: 'Reset the service',
    description: 'Makes one attempt with the control key, which stays in the driver.',
    sameOrigin: true,
    replies: { 200: { description: 'The outcome.', body: ApiReset } },
    problems: { ...posted, ...blocked },
  },
  getDemoHealth: {
    method: 'GET',
    path: '/demo/health',
    tag: 'demo',
    summary: 'State of the programs',
    replies: { 200: { description: '`up` or `down` for each program.', body: HealthStatus } },
    problems: {},
  },
  streamPosted: {
    method: 'GET',
    path: driverStreams.posted.path,
    tag: 'stream',
    summary: "Follow the driver's posts",
    replies: eventStream,
    problems: {},
    stream: driverStreams.posted,
  },
  streamDemoControl: {
    method: 'GET',
    path: driverStreams.control.path,
    tag: 'stream',
    summary: 'Follow the control stream',
    replies: eventStream,
    problems: {},
    stream: driverStreams.control,
  },
  streamDemoComponents: {
    method: 'GET',
    path: driverStreams.components.path,
    tag: 'stream',
    summary: 'Follow the component events',
    replies: eventStream,
    problems: {},
    stream: driverStreams.components,
  },
  streamDemoDeployments: {
    method: 'GET',
    path: driverStreams.deployments.path,
    tag: 'stream',
    summary: 'Follow the log through the driver',
    query: Type.Object({
      service: Type.Optional(Type.String({ description: 'Only events of this service.' })),
      last_event_id: lastEventId,
    }),
    headers: Type.Object({ 'Last-Event-ID': lastEventId }),
    replies: eventStream,
    problems: { ...invalid, ...upstream },
    stream: driverStreams.deployments,
  },
  getEmulatorStatus: {
    method: 'GET',
    path: '/demo/ci/status',
    tag: 'proxies',
    summary: 'Status of the CI emulator',
    replies: forwarded,
    problems: { ...upstream },
  },
  seedEmulator: {
    method: 'POST',
    path: '/demo/ci/seed',
    tag: 'proxies',
    summary: 'Seed the CI emulator',
    ...withBody,
    sameOrigin: true,
    replies: forwarded,
    problems: { ...posted, ...blocked, ...upstream },
  },
  clearEmulator: {
    method: 'POST',
    path: '/demo/ci/clear',
    tag: 'proxies',
    summary: 'Clear the CI emulator',
    ...withBody,
    sameOrigin: true,
    replies: forwarded,
    problems: { ...posted, ...blocked, ...upstream },
  },
  getEmulatorEmission: {
    method: 'GET',
    path: '/demo/ci/emit',
    tag: 'proxies',
    summary: 'Emission of the CI emulator',
    replies: forwarded,
    problems: { ...upstream },
  },
  switchEmulatorEmission: {
    method: 'POST',
    path: '/demo/ci/emit',
    tag: 'proxies',
    summary: 'Turn the emission of the CI emulator on or off',
    ...withBody,
    sameOrigin: true,
    replies: forwarded,
    problems: { ...posted, ...blocked, ...upstream },
  },
} as const satisfies Record<string, Endpoint>;
