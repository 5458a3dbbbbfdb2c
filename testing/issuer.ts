import { createServer } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';

interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
}

/** An issuer of identity tokens on a free port. Tests can change its keys and make it fail. */
export class TestIssuer {
  readonly url: string;
  #keys: SigningKey[] = [];
  #made = 0;
  /** How often its keys were fetched. */
  fetches = 0;
  isAway = false;

  private constructor(url: string) {
    this.url = url;
  }

  /** @param path the issuer's path, such as `/_services/token`. */
  static async start(path = ''): Promise<TestIssuer> {
    let issuer: TestIssuer | undefined;
    const server = createServer((request, response) => {
      if (!issuer || issuer.isAway) {
        response.writeHead(503).end();
        return;
      }
      const documents: Readonly<Record<string, () => unknown>> = {
        [`${path}/.well-known/openid-configuration`]: () => ({ issuer: issuer?.url, jwks_uri: `${issuer?.url}/jwks` }),
        [`${path}/jwks`]: () => issuer?.published(),
      };
      const document = documents[request.url ?? ''];
      response.writeHead(document ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(document?.()));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    issuer = new TestIssuer(`http://127.0.0.1:${port}${path}`);
    await issuer.rotate();
    return issuer;
  }

  /** Replaces its keys with a new one. */
  async rotate(alg = 'RS256'): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
    this.#made += 1;
    const kid = `key-${this.#made}`;
    this.#keys = [{ kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }];
  }

  /** A token with these claims, valid for five minutes. A claim of `undefined` is left out. */
  async token(claims: JWTPayload, header: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const [key] = this.#keys;
    if (!key) throw new Error('the issuer has no key');
    const now = Math.floor(Date.now() / 1000);
    const payload = { iss: this.url, iat: now, nbf: now, exp: now + 300, ...claims };
    return new SignJWT(payload)
      .setProtectedHeader({ alg: key.jwk.alg ?? '', kid: key.kid, ...header })
      .sign(key.privateKey);
  }

  published() {
    this.fetches += 1;
    return { keys: this.#keys.map(({ jwk }) => jwk) };
  }
}
