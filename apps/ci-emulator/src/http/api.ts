import type { emulatorEndpoints } from '@shiplog/companions';
import { type Answer, type Api, momentary } from '@shiplog/server';

/** The control API of the emulator. */
export type EmulatorApi = Api<typeof emulatorEndpoints>;

export function created(body: object): Answer {
  return { ...momentary(body), status: 201 };
}
