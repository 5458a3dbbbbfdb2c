/**
 * Numbers and lists of the specification, written down a second time on purpose: a suite that took them from the
 * product's own contract would agree with whatever the product says.
 */

/** §2 Status, in the order of its table. */
export const allStatuses = [
  'pending',
  'queued',
  'waiting',
  'in-progress',
  'success',
  'failure',
  'cancelled',
  'rejected',
] as const;

/** §2: those that can only be the `next` of a slot. */
export const nonEffective = ['pending', 'queued', 'waiting', 'cancelled', 'rejected'] as const;

/** §2 DeploymentEventIngest and §8: the text fields of an ingest body, and the least and the most code points of each. */
export const textFields = [
  ['deployment_id', 1, 200],
  ['service', 1, 128],
  ['environment', 1, 64],
  ['version', 0, 50],
  ['run_number', 0, 128],
  ['actor', 0, 128],
  ['ref', 0, 256],
  ['sha', 0, 128],
] as const;

export const requiredFields = ['deployment_id', 'service', 'environment', 'status', 'happened_at'] as const;

export const allFields = [
  ...requiredFields,
  'version',
  'run_url',
  'run_number',
  'actor',
  'ref',
  'sha',
  'parent_deployments',
] as const;

export const runUrlMax = 2048;
export const parentsMax = 32;
export const parentLengthMax = 200;

/** Reading 3.4: a UUIDv7. */
export const uuid7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The id below every other (reading 6.2). */
export const nil = '00000000-0000-0000-0000-000000000000';

/** The id above every other. */
export const greatestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** §5: the headers that carry the two keys. */
export const keyHeaders = { api: 'X-Api-Key', control: 'X-Control-API-Key' } as const;

/** §2 ComponentEvent, reading 7.1. */
export const componentStates = ['running', 'idle', 'paused', 'error'] as const;
export const knownEventTypes = ['status', 'heartbeat', 'error', 'reset-ack', 'rate-limit'] as const;

/** §8: UTF-8 bytes of a fetcher cursor and of a payload. */
export const storedBytesMax = 8 * 1024;

/** Reading 1.5. */
export const bodyBytesMax = 256 * 1024;
