import type { CiToken, CiTool } from '@shiplog/companions';
import { invalid } from '@shiplog/server';
import type { Place, Store } from '../store.ts';
import { githubClaims } from './github-claims.ts';
import { gitlabClaims } from './gitlab-claims.ts';
import { Issuer, type TokenOptions } from './issuer.ts';
import type { JobClaims, RequestedJob } from './job-claims.ts';

export interface TokenRequest extends RequestedJob, TokenOptions {
  readonly tool: CiTool;
  readonly repository?: string | undefined;
}

/** The two issuers, and the tokens of the jobs in the store. */
export class Issuers {
  readonly github: Issuer;
  readonly gitlab: Issuer;
  /** Known once the emulator listens, because `PORT` may be 0. */
  baseUrl = '';
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
    this.github = new Issuer('github', () => this.baseUrl);
    this.gitlab = new Issuer('gitlab', () => this.baseUrl);
  }

  /** The issuer whose documents are at a path. */
  at(path: string): Issuer | undefined {
    return [this.github, this.gitlab].find((issuer) => issuer.serves(path));
  }

  /** @throws Problem 422 if the store has no such run. */
  async token(request: TokenRequest): Promise<CiToken> {
    return this[request.tool].token(this.#job(request), request);
  }

  #job({ tool, repository, run, environment }: TokenRequest): JobClaims {
    const place = repository === undefined ? this.#firstOf(tool) : this.#store.place(repository);
    if (place?.tool !== tool) {
      const message = repository === undefined ? 'is required: the store is empty' : `is not known: ${repository}`;
      throw invalid([{ pointer: '/repository', message }]);
    }
    const job =
      place.tool === 'github' ? githubClaims(place, { run, environment }) : gitlabClaims(place, { run, environment });
    if (job) return job;
    throw invalid([
      run === undefined
        ? { pointer: '/repository', message: 'has no run' }
        : { pointer: '/run', message: `is not a run of the repository: ${run}` },
    ]);
  }

  #firstOf(tool: CiTool): Place | undefined {
    const places: readonly Place[] = tool === 'github' ? this.#store.repositories : this.#store.projects;
    return places.find(({ removedAt }) => removedAt === undefined);
  }
}
