import type { PresenceKind } from './presence.ts';

/** How a state looks: a shape that is recognizable without colour, a tone and a text. */
interface PresenceLook {
  readonly tone: 'ok' | 'bad' | 'run' | 'off';
  readonly shape: Shape;
  readonly words: string;
}

export const looks: Readonly<Record<PresenceKind, PresenceLook>> = {
  runs: { tone: 'ok', shape: 'ok', words: 'runs here' },
  'last-success': { tone: 'off', shape: 'tick', words: 'last success' },
  was: { tone: 'off', shape: 'tick', words: 'was here' },
  running: { tone: 'run', shape: 'run', words: 'running' },
  failed: { tone: 'bad', shape: 'bad', words: 'failed' },
  waits: { tone: 'off', shape: 'pause', words: 'waits' },
  'called-off': { tone: 'off', shape: 'dash', words: 'called off' },
  none: { tone: 'off', shape: 'ring', words: 'not yet' },
};
