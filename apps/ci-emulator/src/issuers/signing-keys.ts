import { generateKeyPairSync, hash, type JsonWebKey, type KeyObject } from 'node:crypto';

interface SigningKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly jwk: JsonWebKey;
}

/** As with real issuers, the previous key stays published, so that its tokens are still accepted. */
const published = 2;

/** The keys of one issuer, newest first. They are made on first use, because most runs need none. */
export class SigningKeys {
  #keys: readonly SigningKey[] = [];
  #wrong = new Map<string, JsonWebKey>();

  get current(): SigningKey {
    const [newest] = this.#keys;
    return newest ?? this.rotate();
  }

  get ids(): string[] {
    return [this.current, ...this.#keys.slice(1)].map(({ kid }) => kid);
  }

  rotate(): SigningKey {
    const key = newKey();
    this.#keys = [key, ...this.#keys].slice(0, published);
    return key;
  }

  /** The published key set (RFC 7517). With `areWrong`, each id has a key other than the one that signs. */
  jwks(areWrong: boolean): { readonly keys: readonly object[] } {
    return { keys: this.ids.map((kid) => ({ ...this.#jwk(kid, areWrong), kid, alg: 'RS256', use: 'sig' })) };
  }

  #jwk(kid: string, isWrong: boolean): JsonWebKey | undefined {
    if (!isWrong) return this.#keys.find((key) => key.kid === kid)?.jwk;
    const wrong = this.#wrong.get(kid) ?? newKey().jwk;
    this.#wrong.set(kid, wrong);
    return wrong;
  }
}

function newKey(): SigningKey {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const jwk = publicKey.export({ format: 'jwk' });
  return { kid: hash('sha256', jwk.n ?? '', 'base64url'), privateKey, jwk };
}
