import type { emulatorEndpoints } from '@shiplog/companions';
import type { Answer, Api } from '@shiplog/server';

/** The endpoints that control the emulator. */
export type EmulatorApi = Api<typeof emulatorEndpoints>;

/** Answers are not stored, because they soon change. */
export function answer(body: object, status = 200): Answer {
  return { status, headers: { 'Cache-Control': 'no-store' }, json: JSON.stringify(body) };
}
