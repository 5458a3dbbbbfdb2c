import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { CiFaultEffect } from '@shiplog/companions';
import type { ToolAnswer } from './answer.ts';

/** Writes a response with its fault: delayed, byte by byte, cut, or never. Resolves when it is written or aborted. */
export async function writeAnswer(
  response: ServerResponse,
  { status, headers, body }: ToolAnswer,
  { date, effect, signal }: { readonly date: Date; readonly effect: CiFaultEffect; readonly signal: AbortSignal },
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  if (response.destroyed) return;
  const over = AbortSignal.any([signal, gone.signal]);
  if (effect.hang) return untilOver(over).then(() => void response.destroy());
  if (effect.delay_ms !== undefined) await waited(effect.delay_ms, over);
  if (response.destroyed) return;
  const length = status === 304 ? {} : { 'content-length': String(body.length) };
  // Headers that both tools send.
  const always = { 'x-content-type-options': 'nosniff', date: date.toUTCString() };
  response.writeHead(status, { ...headers, ...length, ...always });
  if (effect.cut !== undefined) {
    response.write(body.subarray(0, effect.cut), () => response.destroy());
    response.flushHeaders();
    return untilOver(over);
  }
  if (effect.drip_ms !== undefined) {
    for (const byte of body) {
      if (over.aborted) break;
      response.write(Buffer.of(byte));
      await waited(effect.drip_ms, over);
    }
    response.end();
    return;
  }
  response.end(body);
}

async function waited(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal }).catch(() => undefined);
}

function untilOver(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
