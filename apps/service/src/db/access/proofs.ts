import type { Queries } from '../database.ts';

/** The stored form of a proof, and the event that it belongs to. */
export interface StoredProof {
  /** `null` for the shared key. */
  readonly proof: string | null;
  /** Whether the event was stored before proofs were. */
  readonly isUnknown: boolean;
  /** When the event was stored, in milliseconds since 1970. */
  readonly storedMs: number;
}

export async function readProof(queries: Queries, id: string): Promise<StoredProof | undefined> {
  const [row] = await queries.query<StoredProof>({
    name: 'read-proof',
    text: `
      select proof, proof is null and deployments.id < tick_floor(proven_after + 1) as "isUnknown",
        arrival_ms(deployments.id)::float8 as "storedMs"
      from deployments, log_heads where deployments.id = $1 and log = 'deployments'`,
    values: [id],
  });
  return row;
}
