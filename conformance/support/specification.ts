/**
 * Numbers and lists from the specification. The suite has its own copy on purpose: if it imported the product's
 * contract, it would not notice errors there.
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

/** §2: the statuses that can only be the `next` of a slot. */
export const nonEffective = ['pending', 'queued', 'waiting', 'cancelled', 'rejected'] as const;

/** §2 DeploymentEventIngest and §8: the text fields of an ingest body, with their minimum and maximum code points. */
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

/** The smallest id (reading 6.2). */
export const nil = '00000000-0000-0000-0000-000000000000';

/** The greatest id. */
export const greatestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** §5: the headers that carry the two keys. */
export const keyHeaders = { api: 'X-Api-Key', control: 'X-Control-API-Key' } as const;

/** §2 ComponentEvent, reading 7.1. */
export const componentStates = ['running', 'idle', 'paused', 'error'] as const;
export const knownEventTypes = ['status', 'heartbeat', 'error', 'reset-ack', 'rate-limit'] as const;

/** §8: the maximum UTF-8 bytes of a fetcher cursor and of a payload. */
export const storedBytesMax = 8 * 1024;

/** Reading 1.5: the maximum bytes of a body. */
export const bodyBytesMax = 256 * 1024;
