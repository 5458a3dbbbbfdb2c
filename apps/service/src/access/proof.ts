import type { ComparedClaim, Proof, ProvenToken } from '@shiplog/contract';
import type { StoredProof } from '../db/access/proofs.ts';

/** What is stored with an event whose poster is known. */
interface ProofRecord {
  readonly key?: Proof['key'];
  readonly token?: ProvenToken;
  readonly claims?: readonly ComparedClaim[];
}

/** The stored form of a proof. It begins with `{"contradicts":true` if a claim disagrees; an index relies on that. */
export function proofText(record: ProofRecord): string {
  const contradicts = record.claims?.some(({ agrees }) => !agrees) ?? false;
  return JSON.stringify({ contradicts, ...record });
}

/** The proof of a stored event (access.md 4.1). */
export function proofOf({ proof, isUnknown, storedMs }: StoredProof): Proof {
  const { key = null, token = null, claims = [] } = (proof === null ? {} : JSON.parse(proof)) as ProofRecord;
  const kind = isUnknown ? 'unknown' : token ? 'token' : key ? 'key' : 'shared';
  const verifiedAt = isUnknown ? null : new Date(storedMs).toISOString();
  return { kind, key, token, verified_at: verifiedAt, claims: [...claims] };
}
