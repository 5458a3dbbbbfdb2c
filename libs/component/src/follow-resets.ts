import { followControl } from '@shiplog/client';
import { outagesOf } from '@shiplog/server';
import type { Logger } from 'pino';
import type { ResetPart } from './reset-part.ts';

export interface FollowedService {
  readonly baseUrl: string;
  /** Without it there is nothing to follow. */
  readonly controlApiKey: string | undefined;
  readonly componentId: string;
}

/** Hands the steps of resets to the part of a component, over outages of the service, until the signal is aborted. */
export async function followResets(
  reset: ResetPart,
  { baseUrl, controlApiKey: controlKey, componentId: component }: FollowedService,
  { logger, signal }: { readonly logger: Logger; readonly signal: AbortSignal },
): Promise<void> {
  if (controlKey === undefined) return;
  const frames = followControl({ baseUrl, controlKey, component, signal, ...outagesOf('control stream', logger) });
  for await (const frame of frames) reset.take(frame);
}
