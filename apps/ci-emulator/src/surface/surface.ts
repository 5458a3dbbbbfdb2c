import { hash } from 'node:crypto';
import type { CiFaultEffect, CiTool } from '@shiplog/companions';
import { etagMatches } from '@shiplog/server';
import type { Call, Judged, ToolAnswer } from './answer.ts';
import type { Rate } from './rate-windows.ts';

/** The part of one tool: what it answers to a request. */
export interface Surface {
  readonly tool: CiTool;
  /** The credentials of a request, in the way of the tool. */
  tokenOf(headers: Call['headers']): string | undefined;
  /** Answers, under the effect of a fault if there is one. `atOnce` requests of the token are under way, this one included. */
  judge(call: Call, effect: CiFaultEffect, atOnce: number): Judged;
  /** The quota of the token that asked last; `undefined` before the first, or without a limit. */
  lastRate(now: number): Rate | undefined;
}

/** Whoever may ask: a token that is demanded, or everybody. */
export interface SurfaceLimits {
  readonly requireToken: string | undefined;
}

/** Faults that answer in place of a tool, whatever it is. */
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

/** A validator over the body and who asked for it; 304 where the request has it. */
export function conditional(answer: ToolAnswer, call: Call, more: Readonly<Record<string, string>>): ToolAnswer {
  if (answer.status !== 200 || call.method !== 'GET') return answer;
  const digest = hash('sha256', Buffer.concat([Buffer.from(`${call.token ?? ''}\n`), answer.body]));
  const etag = `W/"${digest}"`;
  const headers: Record<string, string> = { ...answer.headers, ...more, etag };
  if (!etagMatches(call.headers['if-none-match'], etag)) return { ...answer, headers };
  const { 'content-type': _, ...rest } = headers;
  return { status: 304, headers: rest, body: Buffer.alloc(0) };
}
