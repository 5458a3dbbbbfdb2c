import { shortRef } from './release.ts';

/**
 * Who posted an event, as proven by the API. The shape of `Proof` in the contract, which this library doesn't import.
 */
interface Proven {
  readonly kind: string;
  readonly key: { readonly name: string } | null;
  readonly token: {
    readonly kind: string;
    readonly issuer: string;
    readonly repository: string | null;
    readonly run_url: string | null;
    readonly ref: string | null;
    readonly actor: string | null;
  } | null;
}

const tools: Readonly<Record<string, string>> = { github: 'GitHub Actions', gitlab: 'GitLab CI' };

/** Who posted an event: "by GitHub Actions, acme/payments, run 7421, on main"; follows "posted". */
export function posterOf({ kind, key, token }: Proven): string {
  if (kind === 'unknown') return 'before Shiplog recorded who posts';
  if (token) {
    const { repository, run_url: runUrl, ref, actor } = token;
    const run = runUrl?.split('/').at(-1);
    const parts = [
      tools[token.kind] ?? token.issuer,
      repository ?? actor,
      run && `run ${run}`,
      ref && `on ${shortRef(ref)}`,
    ];
    return `by ${parts.filter(Boolean).join(', ')}`;
  }
  return key ? `with the key ${key.name}` : 'with the shared key';
}
