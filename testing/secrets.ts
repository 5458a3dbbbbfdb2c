/** What every secret begins with that a test gives to a program: keys, passwords. */
export const secretMark = 'secret-of-';

/** @throws Error where what a program said holds a secret: no answer and no line of a log may (§5 rule 3). */
export function refuseSecrets(where: string, said: Buffer | string): void {
  const at = said.indexOf(secretMark);
  if (at < 0) return;
  const context = said.slice(Math.max(0, at - 200), at + 100).toString();
  throw new Error(`${where} holds a secret: ${JSON.stringify(context)}`);
}
