import { hash } from 'node:crypto';
import type { CiFaultEffect, CiTool } from '@shiplog/companions';
import { etagMatches } from '@shiplog/server';
import type { Call, Judged, ToolAnswer } from './answer.ts';
import type { Rate } from './rate-windows.ts';

/** One emulated tool, which answers requests. */
export interface Surface {
  readonly tool: CiTool;
  /** A request's credentials. */
  tokenOf(headers: Call['headers']): string | undefined;
  /** Answers a request, with the effect of a fault if any. `atOnce`: open requests of the token, including this one. */
  judge(call: Call, effect: CiFaultEffect, atOnce: number): Judged;
  /** The quota of the latest token; `undefined` before the first request, or without a limit. */
  lastRate(now: number): Rate | undefined;
  /** What happens to each request that no fault rule matches. */
  readonly standingEffect?: CiFaultEffect | undefined;
}

/** The required token; if unset, all tokens are accepted. */
export interface SurfaceLimits {
  readonly requireToken: string | undefined;
}

/** The response of a fault, which replaces the response of either tool. */
export function faultAnswer(effect: CiFaultEffect): ToolAnswer | undefined {
  if (effect.status !== undefined) {
    const { status, body = '', headers = {} } = effect;
    const type = body.startsWith('{') ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8';
    return { status, headers: { 'content-type': type, ...headers }, body: Buffer.from(body) };
  }
  if (effect.garbage) {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    return { status: 200, headers, body: Buffer.from('[{"id": 4830001, "state": "succ') };
  }
  return undefined;
}

/** Adds a validator for the body and the caller; answers 304 if the request already has it. */
export function conditional(answer: ToolAnswer, call: Call, more: Readonly<Record<string, string>>): ToolAnswer {
  if (answer.status !== 200 || call.method !== 'GET') return answer;
  const digest = hash('sha256', Buffer.concat([Buffer.from(`${call.token ?? ''}\n`), answer.body]));
  const etag = `W/"${digest}"`;
  const headers: Record<string, string> = { ...answer.headers, ...more, etag };
  if (!etagMatches(call.headers['if-none-match'], etag)) return { ...answer, headers };
  const { 'content-type': _, ...rest } = headers;
  return { status: 304, headers: rest, body: Buffer.alloc(0) };
}
