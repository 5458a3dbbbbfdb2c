/** The value of a credential's header, in Node's form (bytes as Latin-1); an empty one counts as absent. */
export function sent(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && header !== '' ? header : undefined;
}

/** The credential of `Authorization: Bearer`; another scheme counts as absent (access.md 9.4). */
export function bearerOf(authorization: string | undefined): string | undefined {
  const [, value] = /^bearer +(.+?) *$/i.exec(authorization ?? '') ?? [];
  return value;
}

/** Whether a string is meant to be a named key rather than a token. */
export function isNamedKey(text: string): boolean {
  return text.startsWith('shl_');
}
