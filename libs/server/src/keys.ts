import { hash, timingSafeEqual } from 'node:crypto';
import { developmentApiKey, type KeyName } from '@shiplog/contract';

/** The valid values of each credential: one normally, two while a key is being rotated (reading 2.1). */
export type KeySettings = Readonly<Record<KeyName, readonly string[]>>;

/** The default keys, valid only on a developer's own machine (readings 2.2, 9.13, 10.4). */
export const developmentKeys = { api: developmentApiKey, control: 'dev-control-key' } as const;

/**
 * The configured keys. They are stored as digests, so that a comparison takes the same time for every value and length.
 */
export class Keys {
  readonly #digests: Readonly<Record<KeyName, readonly Buffer[]>>;

  constructor(settings: KeySettings) {
    this.#digests = {
      api: settings.api.map((key) => digest(Buffer.from(key, 'utf8'))),
      control: settings.control.map((key) => digest(Buffer.from(key, 'utf8'))),
    };
  }

  /** Whether a header value, in Node's form (bytes as Latin-1), is a valid value of the credential. */
  accepts(name: KeyName, header: string | string[] | undefined): boolean {
    if (typeof header !== 'string') return false;
    const offered = digest(Buffer.from(header, 'latin1'));
    let accepted = false;
    for (const valid of this.#digests[name]) accepted = timingSafeEqual(offered, valid) || accepted;
    return accepted;
  }
}

function digest(bytes: Buffer): Buffer {
  return hash('sha256', bytes, 'buffer');
}
