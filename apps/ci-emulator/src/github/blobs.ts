import { strToU8, zipSync } from 'fflate';
import type { Artifact } from '../domain/model.ts';
import type { Random } from '../random.ts';
import { type Call, Refusal, type ToolAnswer } from '../surface/answer.ts';

/** How long the address of an artifact is valid. */
const validMs = 60_000;
const keptMax = 1000;

/** The addresses of artifacts, like those of GitHub's storage (CI emulator §3.8). */
export class Blobs {
  readonly #random: Random;
  readonly #handedOut = new Map<string, { readonly artifact: Artifact; readonly until: number }>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns the token of a new address. */
  handOut(artifact: Artifact, now: number): string {
    const token = this.#random.hex(32);
    this.#handedOut.set(token, { artifact, until: now + validMs });
    const [oldest] = this.#handedOut.keys();
    if (this.#handedOut.size > keptMax && oldest !== undefined) this.#handedOut.delete(oldest);
    return token;
  }

  /**
   * A zip with one text file.
   * @throws Refusal 400 for a request with credentials, 403 if the address has expired, 404.
   */
  answer(token: string, { headers, now }: Call): ToolAnswer {
    if (headers.authorization !== undefined) {
      throw new Refusal(400, 'Only one auth mechanism allowed; Authorization must not be sent to the storage');
    }
    const blob = this.#handedOut.get(token);
    if (!blob) throw new Refusal(404, 'The specified blob does not exist');
    if (now >= blob.until)
      throw new Refusal(403, 'Server failed to authenticate the request: the signature has expired');
    const file = `${blob.artifact.name.replace(/[^\w.-]/g, '_')}`;
    // A zip stores local time without a zone, so a date built from local parts results in the same bytes in every time
    // zone.
    const zip = zipSync({ [file]: [strToU8(blob.artifact.content), { mtime: new Date(2020, 0, 1) }] });
    return { status: 200, headers: { 'content-type': 'application/zip' }, body: Buffer.from(zip) };
  }
}
