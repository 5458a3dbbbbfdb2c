import { readFile } from 'node:fs/promises';
import { type AccessFile, foldedName, type Issuer, parseAccessFile } from '@shiplog/access';
import { foreignOrigin, isForeign, SettingsError, StartError, type Stoppable } from '@shiplog/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CatalogFile } from '../catalog-file.ts';
import { forgetPins, readPins } from '../db/access/pins.ts';
import type { Database } from '../db/database.ts';
import type { PartOptions } from '../times.ts';
import { WatchedFile } from '../watched-file.ts';
import { ActRecord } from './act-record.ts';
import { Credentials } from './credentials.ts';
import { noteVersion } from './file-acts.ts';
import { AccessGuard } from './guard.ts';
import { HoldJudge } from './hold-judge.ts';
import { IssuerKeys, keysOf } from './issuer-keys.ts';
import { OutageJudge } from './outage-judge.ts';
import { PostJudge } from './post-judge.ts';
import { Provider } from './provider.ts';
import { Readers } from './readers.ts';
import { SessionKeys } from './session-keys.ts';
import { SignIn } from './sign-in.ts';
import { StreamEnds } from './stream-ends.ts';
import { TokenCheck } from './token-check.ts';

interface AccessOptions extends PartOptions {
  readonly database: Pick<Database, 'writes'>;
  readonly catalog: CatalogFile;
}

const fileBytesMax = 1024 * 1024;

/** Who may do what: the access file, and everything that follows from it (access.md). */
export class Access implements Stoppable {
  readonly acts: ActRecord;
  readonly credentials: Credentials;
  readonly guard: AccessGuard;
  readonly readers: Readers;
  readonly posts: PostJudge;
  readonly holds: HoldJudge;
  readonly outages: OutageJudge;
  readonly streamEnds: StreamEnds;
  /** Where readers have sessions. */
  readonly sessions: SessionKeys | undefined;
  /** Where readers sign in. */
  readonly signIn: SignIn | undefined;
  readonly #options: AccessOptions;
  readonly #issuers = new Map<string, IssuerKeys>();
  #file: AccessFile | undefined;
  #watched: WatchedFile<AccessFile> | undefined;

  private constructor(options: AccessOptions) {
    const { database, catalog, config, times, logger } = options;
    const file = () => this.#file;
    const now = () => Date.now();
    this.#options = options;
    this.acts = new ActRecord({ writes: database.writes, afterMs: times.refusalsMs, logger });
    const { acts } = this;
    const tokens = new TokenCheck({ file, keysOf: (issuer) => this.#keysOf(issuer), acts, now });
    this.credentials = new Credentials({
      keys: config.keys,
      acts,
      tokens,
      file,
      now,
      idsOf: (pins) => readPins(database.writes, pins),
    });
    const { credentials } = this;
    this.sessions = sessionsOf(options);
    const { proxyStreamMs } = times;
    this.readers = new Readers({ config, credentials, sessions: this.sessions, acts, file, now, proxyStreamMs });
    this.signIn = this.#signInOf();
    this.streamEnds = new StreamEnds(this.readers, times.streamJudgeMs);
    this.guard = new AccessGuard({ credentials, readers: this.readers, acts });
    this.holds = new HoldJudge(acts);
    this.outages = new OutageJudge(acts);
    this.posts = new PostJudge({ acts, repositoryOf: (service) => catalog.current.itemOf(service).repository });
  }

  /** @throws StartError with one line per error in the file. */
  static async open(options: AccessOptions): Promise<Access> {
    const access = new Access(options);
    try {
      await access.#watch();
      await access.sessions?.open();
      return access;
    } catch (error) {
      await access.stop();
      throw error;
    }
  }

  start(): void {
    this.#watched?.start();
    this.sessions?.start();
  }

  async stop(): Promise<void> {
    await this.#watched?.stop();
    await this.sessions?.stop();
    await this.streamEnds.stop();
    await this.acts.stop();
  }

  /** Forgets the ids of a repository or owner with this name. Returns whether there were any. */
  async forgetPin(issuer: string, name: string): Promise<boolean> {
    const kind = this.#file?.issuers.find((each) => each.name === issuer)?.kind;
    const forgotten = await forgetPins(this.#options.database.writes, issuer, foldedName(kind, name));
    for (const pin of forgotten) {
      this.acts.add({
        kind: 'pin-forgotten',
        subject: `${issuer}/${pin.name}`,
        detail: { kind: pin.kind, id: pin.id },
      });
    }
    return forgotten.length > 0;
  }

  /**
   * Opens a session for the named key of a wall display (access.md 9.26).
   * @throws Problem 401 or 403
   */
  async openWall(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const sender = this.guard.senderOf(request);
    if (sender.kind !== 'key' || !sender.may.read) {
      throw this.readers.refused(sender, request, 'A wall display needs a named key with the right to read.');
    }
    if (isForeign(request.raw.headers, this.#options.config.publicUrl)) throw foreignOrigin();
    const { cookies } = this.readers;
    if (this.readers.isOpen || !cookies || !this.sessions) return;
    const now = Date.now();
    const endsMs = Math.min(sender.expires ?? Number.POSITIVE_INFINITY, now + wallDaysMax * dayMs);
    const content = {
      jti: SessionKeys.newId(),
      sub: sender.id ?? '',
      name: sender.name,
      key: sender.id,
      sha256: sender.sha256,
    };
    const maxAge = Math.floor((endsMs - now) / 1000);
    reply.setCookie(cookies.session, await this.sessions.seal('session', content, endsMs), {
      ...cookies.options,
      maxAge,
    });
  }

  #signInOf(): SignIn | undefined {
    const { config, times, logger } = this.#options;
    const { publicUrl, sessionHours } = config;
    const { cookies } = this.readers;
    if (config.readers !== 'oidc' || publicUrl === undefined || !cookies || !this.sessions) return undefined;
    const provider = new Provider({ config, times, logger, now: () => Date.now() });
    void provider.check();
    const { sessions, acts } = this;
    return new SignIn({ publicUrl, sessionHours, provider, sessions, cookies, acts, now: () => Date.now() });
  }

  async #watch(): Promise<void> {
    const { config, times, metrics, logger, database } = this.#options;
    const { accessFile: path, keys, catalogFile, publicUrl } = config;
    if (path === undefined) return;
    const noted = (digest: string, file: AccessFile) =>
      noteVersion(database.writes, digest, file).catch((error) => {
        logger.warn({ err: error }, 'a new version of the access file could not be recorded as an act');
      });
    this.#watched = await WatchedFile.open({
      path,
      setting: 'ACCESS_FILE',
      bytesMax: fileBytesMax,
      pollMs: times.accessPollMs,
      parse: async (text) => {
        const file = parseAccessFile(text, path, { hasCatalog: catalogFile !== undefined, publicUrl });
        for (const issuer of file.issuers) await requireFiles(issuer, path);
        return file;
      },
      onVersion: (file, digest) => {
        if (this.#file) logger.info({ digest }, 'loaded the changed access file');
        this.#file = file;
        metrics.accessInfo.reset();
        metrics.accessInfo.set({ digest }, 1);
        void noted(digest, file);
      },
      onFault: (message) => {
        metrics.accessFaults.inc();
        logger.error(`The access file is invalid; still using the previous version: ${message}`);
      },
    });
    if (keys.api.length > 0 || this.#file?.sharedKey === false) return;
    throw new StartError(
      `API_KEY is not set, but ${path} does not say "shared_key: off". Set API_KEY, or add "shared_key: off".`,
    );
  }

  /** An issuer's keys are kept while its entry in the file is unchanged. */
  #keysOf(issuer: Issuer): IssuerKeys {
    const { logger, times } = this.#options;
    const entry = JSON.stringify(issuer);
    const keys = this.#issuers.get(entry) ?? new IssuerKeys({ issuer, times, logger });
    this.#issuers.set(entry, keys);
    return keys;
  }
}

const dayMs = 86_400_000;
const wallDaysMax = 400;

/** Where reads are guarded, readers have sessions, from signing in or from the key of a wall display. */
function sessionsOf({ config, database, times, logger }: AccessOptions): SessionKeys | undefined {
  if (config.readers === 'open') return undefined;
  const secret = config.readers === 'oidc' ? (config.oidcClientSecret ?? '') : (config.keys.control[0] ?? '');
  const { sessionHours } = config;
  return new SessionKeys({ writes: database.writes, secret, sessionHours, pollMs: times.sessionsPollMs, logger });
}

/** @throws SettingsError if a file of an issuer can't be read. */
async function requireFiles(issuer: Issuer, path: string): Promise<void> {
  const { name, jwksFile, caFile } = issuer;
  const read = async () => {
    if (jwksFile !== undefined) await keysOf(issuer);
    else if (caFile !== undefined) await readFile(caFile);
  };
  await read().catch((error) => {
    throw new SettingsError(`${path}: a file of the issuer ${name} cannot be used: ${(error as Error).message}.`);
  });
}
