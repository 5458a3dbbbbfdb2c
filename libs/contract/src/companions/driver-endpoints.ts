import { Type } from 'typebox';
import type { Endpoint } from '../endpoint.ts';
import { invalid, lastEventId, tooLarge } from '../endpoints/parts.ts';
import { ComponentEventRecord, ControlStreamEvent } from '../shapes/control.ts';
import { DeploymentEvent } from '../shapes/deployment.ts';
import type { Stream } from '../streams.ts';
import {
  ApiReset,
  DemoStatus,
  demoSet,
  driverLimits,
  Emission,
  ErrorFrame,
  HealthStatus,
  IngestRequest,
  PostedFrame,
  RunRequest,
  ScenarioList,
  ScenarioOutlook,
  Switch,
} from './driver-shapes.ts';

/** Where the panel of the driver is. */
export const demoPanelPath = '/demo/';

/** What the driver asks of other programs beside the application API (companion services §2, §4). */
export const neighbourPaths = {
  targetDocument: '/openapi.json',
  emulatorStatus: '/_ci/status',
  emulatorSeed: '/_ci/seed',
  emulatorClear: '/_ci/clear',
  emulatorEmission: '/_ci/emit',
  fetcherHealth: '/health',
} as const;

/** The four feeds of the driver (companion services §4, §6). None keeps a history. */
export const demoFeeds = {
  posted: {
    path: '/demo/stream',
    frameName: 'posted',
    data: Type.Union([PostedFrame, ErrorFrame]),
    filter: undefined,
    replayHours: 0,
    description: 'A `posted` frame for each event that was stored, an `error` frame for each that was given up.',
  },
  control: {
    path: '/demo/control-stream',
    frameName: undefined,
    nameFirst: true,
    data: ControlStreamEvent,
    filter: undefined,
    replayHours: 0,
    description: 'Every frame of the control stream, as it came.',
  },
  components: {
    path: '/demo/control-events',
    frameName: 'component',
    data: ComponentEventRecord,
    filter: undefined,
    replayHours: 0,
    description: 'Every component event, as it came.',
  },
  deployments: {
    path: '/demo/deployments-stream',
    frameName: 'deployment',
    data: DeploymentEvent,
    filter: 'service',
    replayHours: undefined,
    description:
      'The deployment stream of the service, byte for byte. Where that is silent for 20 s, a `: ping` comes between two of its blocks.',
  },
} as const satisfies Record<string, Stream>;

const blocked = { 503: ['reset-in-progress'] } as const;
/** What a POST may be refused with, whatever it is for. */
const posted = { 403: ['forbidden-origin'], ...tooLarge } as const;
const upstream = { 502: ['upstream'], 504: ['upstream'] } as const;
const scenario = Type.Object({ name: Type.String({ examples: [demoSet.name] }) });
const status = { 200: { description: 'What the driver does.', body: DemoStatus } } as const;
const emission = { 200: { description: 'Whether it emits.', body: Emission } } as const;
const feed = { 200: { description: 'An event stream.' } } as const;
const forwarded = { 200: { description: 'As the emulator answers.' } } as const;
/** What is forwarded with its body. */
const withBody = {
  description: 'Query and body go on as they were sent; a body may be up to 5 MiB large.',
  bodyBytesMax: driverLimits.forwardedBodyBytes,
} as const;

/** What a reset under way refuses is what lists `reset-in-progress` (companion services §7). */
export const demoEndpoints = {
  getDemoStatus: {
    method: 'GET',
    path: '/demo/status',
    surface: 'demo',
    summary: 'What the driver does',
    replies: status,
    problems: {},
  },
  listScenarios: {
    method: 'GET',
    path: '/demo/scenarios',
    surface: 'demo',
    summary: 'The scenarios that can be run',
    replies: { 200: { description: 'Their names.', body: ScenarioList } },
    problems: {},
  },
  getScenario: {
    method: 'GET',
    path: '/demo/scenarios/{name}',
    surface: 'demo',
    summary: 'What a run of a scenario would come to',
    description: 'The mock, for one, takes three of the eight statuses.',
    params: scenario,
    replies: { 200: { description: 'Its events, and those that are going to be refused.', body: ScenarioOutlook } },
    problems: { 404: ['not-found'] },
  },
  runScenario: {
    method: 'POST',
    path: '/demo/scenarios/{name}/run',
    surface: 'demo',
    summary: 'Run a scenario',
    description: 'While a run is under way, answers its status and starts nothing.',
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
    surface: 'demo',
    summary: 'Stop a scenario',
    description: 'Changes nothing where this scenario is not running.',
    sameOrigin: true,
    params: scenario,
    replies: status,
    problems: { ...posted, ...blocked, 404: ['not-found'] },
  },
  resetDemo: {
    method: 'POST',
    path: '/demo/reset',
    surface: 'demo',
    summary: 'Reset the counters',
    description: 'Stops a run and zeroes the counters. The log of the service stays as it is.',
    sameOrigin: true,
    replies: status,
    problems: { ...posted },
  },
  startIngest: {
    method: 'POST',
    path: '/demo/ingest',
    surface: 'demo',
    summary: 'Post the demo set, or made-up events',
    description: 'While a run is under way, answers its status and starts nothing.',
    sameOrigin: true,
    body: IngestRequest,
    bodyOptional: true,
    replies: status,
    problems: { ...posted, ...blocked, ...invalid },
  },
  stopIngest: {
    method: 'POST',
    path: '/demo/ingest/stop',
    surface: 'demo',
    summary: 'Stop the run',
    sameOrigin: true,
    replies: status,
    problems: { ...posted, ...blocked },
  },
  getEmission: {
    method: 'GET',
    path: '/demo/emit',
    surface: 'demo',
    summary: 'Whether events are made up and posted from time to time',
    replies: emission,
    problems: {},
  },
  switchEmission: {
    method: 'POST',
    path: '/demo/emit',
    surface: 'demo',
    summary: 'Switch live emission on or off',
    sameOrigin: true,
    body: Switch,
    bodyOptional: true,
    replies: emission,
    problems: { ...posted, ...blocked, ...invalid },
  },
  resetApi: {
    method: 'POST',
    path: '/demo/api-reset',
    surface: 'demo',
    summary: 'Reset the service',
    description: 'One attempt with the control key, which stays here.',
    sameOrigin: true,
    replies: { 200: { description: 'What became of it.', body: ApiReset } },
    problems: { ...posted, ...blocked },
  },
  getDemoHealth: {
    method: 'GET',
    path: '/demo/health',
    surface: 'demo',
    summary: 'Which programs are up',
    replies: { 200: { description: 'Each up or down.', body: HealthStatus } },
    problems: {},
  },
  streamPosted: {
    method: 'GET',
    path: demoFeeds.posted.path,
    surface: 'feeds',
    summary: 'Follow what the driver posts',
    replies: feed,
    problems: {},
    stream: demoFeeds.posted,
  },
  streamDemoControl: {
    method: 'GET',
    path: demoFeeds.control.path,
    surface: 'feeds',
    summary: 'Follow the control stream',
    replies: feed,
    problems: {},
    stream: demoFeeds.control,
  },
  streamDemoComponents: {
    method: 'GET',
    path: demoFeeds.components.path,
    surface: 'feeds',
    summary: 'Follow the component events',
    replies: feed,
    problems: {},
    stream: demoFeeds.components,
  },
  streamDemoDeployments: {
    method: 'GET',
    path: demoFeeds.deployments.path,
    surface: 'feeds',
    summary: 'Follow the log through the driver',
    query: Type.Object({
      service: Type.Optional(Type.String({ description: 'Only events of this service.' })),
      last_event_id: lastEventId,
    }),
    headers: Type.Object({ 'Last-Event-ID': lastEventId }),
    replies: feed,
    problems: { ...invalid, ...upstream },
    stream: demoFeeds.deployments,
  },
  getEmulatorStatus: {
    method: 'GET',
    path: '/demo/ci/status',
    surface: 'proxies',
    summary: 'Status of the CI emulator',
    replies: forwarded,
    problems: { ...upstream },
  },
  seedEmulator: {
    method: 'POST',
    path: '/demo/ci/seed',
    surface: 'proxies',
    summary: 'Seed the CI emulator',
    ...withBody,
    sameOrigin: true,
    replies: forwarded,
    problems: { ...posted, ...blocked, ...upstream },
  },
  clearEmulator: {
    method: 'POST',
    path: '/demo/ci/clear',
    surface: 'proxies',
    summary: 'Clear the CI emulator',
    ...withBody,
    sameOrigin: true,
    replies: forwarded,
    problems: { ...posted, ...blocked, ...upstream },
  },
  getEmulatorEmission: {
    method: 'GET',
    path: '/demo/ci/emit',
    surface: 'proxies',
    summary: 'Emission of the CI emulator',
    replies: forwarded,
    problems: { ...upstream },
  },
  switchEmulatorEmission: {
    method: 'POST',
    path: '/demo/ci/emit',
    surface: 'proxies',
    summary: 'Switch the emission of the CI emulator',
    ...withBody,
    sameOrigin: true,
    replies: forwarded,
    problems: { ...posted, ...blocked, ...upstream },
  },
} as const satisfies Record<string, Endpoint>;
