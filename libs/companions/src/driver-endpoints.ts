import {
  ComponentEventRecord,
  ControlStreamEvent,
  DeploymentEvent,
  type Endpoint,
  invalid,
  lastEventId,
  type Stream,
  tooLarge,
} from '@shiplog/contract';
import { Type } from 'typebox';
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
const posted = { 403: ['forbidden-origin'], ...tooLarge } as const;
const upstream = { 502: ['upstream'], 504: ['upstream'] } as const;
const scenario = Type.Object({ name: Type.String({ examples: [demoSet.name] }) });
const status = { 200: { description: 'The status of the driver.', body: DemoStatus } } as const;
const emission = { 200: { description: 'Whether emission is on.', body: Emission } } as const;

const get = { method: 'GET', tag: 'demo', problems: {} } as const;
const post = { method: 'POST', tag: 'demo', sameOrigin: true, problems: { ...posted, ...blocked } } as const;
const follow = {
  method: 'GET',
  tag: 'stream',
  replies: { 200: { description: 'An event stream.' } },
  problems: {},
} as const;
const forward = { tag: 'proxies', replies: { 200: { description: "The emulator's response." } } } as const;
const getForwarded = { ...forward, method: 'GET', problems: upstream } as const;
const postForwarded = {
  ...forward,
  method: 'POST',
  description: 'Forwards the query and the body unchanged. The body may have up to 5 MiB.',
  sameOrigin: true,
  bodyBytesMax: driverLimits.forwardedBodyBytes,
  problems: { ...posted, ...blocked, ...upstream },
} as const;

/** The four event streams of the driver (companion services §4, §6: its feeds). No stream keeps a history. */
export const driverStreams = {
  posted: {
    path: '/demo/stream',
    frameName: 'posted',
    data: Type.Union([PostedFrame, ErrorFrame]),
    filter: undefined,
    replayHours: 0,
    description:
      'The stream sends a `posted` frame for each stored event, and an `error` frame for each event that the driver gave up on.',
  },
  control: {
    path: '/demo/control-stream',
    frameName: undefined,
    nameFirst: true,
    data: ControlStreamEvent,
    filter: undefined,
    replayHours: 0,
    description: 'The stream sends every frame of the control stream, unchanged.',
  },
  components: {
    path: '/demo/control-events',
    frameName: 'component',
    data: ComponentEventRecord,
    filter: undefined,
    replayHours: 0,
    description: 'The stream sends every component event, unchanged.',
  },
  deployments: {
    path: '/demo/deployments-stream',
    frameName: 'deployment',
    data: DeploymentEvent,
    filter: 'service',
    replayHours: undefined,
    description:
      "The service's deployment stream, byte for byte. After 20 s of silence, a `: ping` is added between two blocks.",
  },
} as const satisfies Record<string, Stream>;

/**
 * The endpoints of the driver. Endpoints that list `reset-in-progress` are refused during a reset (companion services
 * §7).
 */
export const driverEndpoints = {
  getDemoStatus: { ...get, path: '/demo/status', summary: 'Show the status of the driver', replies: status },
  listScenarios: {
    ...get,
    path: '/demo/scenarios',
    summary: 'List the scenarios that can be run',
    replies: { 200: { description: 'The names of the scenarios.', body: ScenarioList } },
  },
  getScenario: {
    ...get,
    path: '/demo/scenarios/{name}',
    summary: 'Preview a run of a scenario',
    description:
      'Counts the events that the target will refuse. The mock, for example, accepts three of the eight statuses.',
    params: scenario,
    replies: {
      200: {
        description: 'The number of events in the run, and how many of them the target will refuse.',
        body: ScenarioOutlook,
      },
    },
    problems: { 404: ['not-found'] },
  },
  runScenario: {
    ...post,
    path: '/demo/scenarios/{name}/run',
    summary: 'Run a scenario',
    description: 'If a run is in progress, returns its status and starts nothing.',
    params: scenario,
    body: RunRequest,
    bodyOptional: true,
    replies: status,
    problems: { ...posted, ...blocked, 404: ['not-found'], ...invalid },
  },
  stopScenario: {
    ...post,
    path: '/demo/scenarios/{name}/stop',
    summary: 'Stop a scenario',
    description: 'Does nothing if this scenario is not running.',
    params: scenario,
    replies: status,
    problems: { ...posted, ...blocked, 404: ['not-found'] },
  },
  resetDemo: {
    ...post,
    path: '/demo/reset',
    summary: 'Reset the counters',
    description: "Stops a run and sets the counters to zero. The service's log stays unchanged.",
    replies: status,
    problems: posted,
  },
  startIngest: {
    ...post,
    path: '/demo/ingest',
    summary: 'Post the demo set, or random events',
    description: 'If a run is in progress, returns its status and starts nothing.',
    body: IngestRequest,
    bodyOptional: true,
    replies: status,
    problems: { ...posted, ...blocked, ...invalid },
  },
  stopIngest: { ...post, path: '/demo/ingest/stop', summary: 'Stop the run', replies: status },
  getEmission: { ...get, path: '/demo/emit', summary: 'Show whether live emission is on', replies: emission },
  switchEmission: {
    ...post,
    path: '/demo/emit',
    summary: 'Turn live emission on or off',
    body: Switch,
    bodyOptional: true,
    replies: emission,
    problems: { ...posted, ...blocked, ...invalid },
  },
  resetApi: {
    ...post,
    path: '/demo/api-reset',
    summary: 'Reset the service',
    description: 'Makes one attempt with the control key, which stays in the driver.',
    replies: { 200: { description: 'The outcome.', body: ApiReset } },
  },
  getDemoHealth: {
    ...get,
    path: '/demo/health',
    summary: 'Show which programs are up',
    replies: { 200: { description: '`up` or `down` for each program.', body: HealthStatus } },
  },
  streamPosted: {
    ...follow,
    path: driverStreams.posted.path,
    summary: "Follow the driver's posts",
    stream: driverStreams.posted,
  },
  streamDemoControl: {
    ...follow,
    path: driverStreams.control.path,
    summary: 'Follow the control stream',
    stream: driverStreams.control,
  },
  streamDemoComponents: {
    ...follow,
    path: driverStreams.components.path,
    summary: 'Follow the component events',
    stream: driverStreams.components,
  },
  streamDemoDeployments: {
    ...follow,
    path: driverStreams.deployments.path,
    summary: 'Follow the log through the driver',
    query: Type.Object({
      service: Type.Optional(Type.String({ description: 'Returns only events of this service.' })),
      last_event_id: lastEventId,
    }),
    headers: Type.Object({ 'Last-Event-ID': lastEventId }),
    problems: { ...invalid, ...upstream },
    stream: driverStreams.deployments,
  },
  getEmulatorStatus: { ...getForwarded, path: '/demo/ci/status', summary: 'Show the status of the CI emulator' },
  seedEmulator: { ...postForwarded, path: '/demo/ci/seed', summary: 'Seed the CI emulator' },
  clearEmulator: { ...postForwarded, path: '/demo/ci/clear', summary: 'Clear the CI emulator' },
  getEmulatorEmission: { ...getForwarded, path: '/demo/ci/emit', summary: 'Show whether the CI emulator emits events' },
  switchEmulatorEmission: {
    ...postForwarded,
    path: '/demo/ci/emit',
    summary: 'Turn event emission by the CI emulator on or off',
  },
} as const satisfies Record<string, Endpoint>;
