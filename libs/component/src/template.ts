import { Mistake } from './mistake.ts';

/** Text with `{a|b|'text'}`, which is replaced by the first alternative that is not empty (fetcher §3.3). */
export interface Template {
  readonly names: readonly string[];
  /** The name if the template consists of a single name in braces. */
  readonly onlyName: string | undefined;
  /**
   * `resolve` returns the value of a name, or an empty string or `undefined` if it has no value. Alternatives after the
   * first value are not resolved. `isOptedOut` is true if the braces end with the opt-out word.
   */
  fill(resolve: (name: string, isOptedOut: boolean) => string | undefined): string;
}

export interface TemplateNames {
  isName(name: string): boolean;
  /** The known names, for an error message: "known names: repo, sha and payload.<path>". */
  readonly known: string;
  /** A word at the end of the braces that disables escaping for their value. */
  readonly optOut?: string;
}

const charactersMax = 1024;

type Alternative = { readonly name: string; readonly isOptedOut: boolean } | { readonly text: string };

/** A token: braces with their content (quoted text may contain any character), plain text, or an unclosed brace. */
const part = /\{((?:'[^']*'|[^{}'])*)\}|[^{]+|\{/g;
const alternative = /(?:^|\|)((?:'[^']*'|[^|'])*)/g;

/** @throws Mistake */
export function compileTemplate(text: string, { isName, known, optOut }: TemplateNames): Template {
  if (text.length > charactersMax) throw new Mistake(`has more than ${charactersMax} characters`);
  const parts = [...text.matchAll(part)].map(([written, inBraces]): readonly Alternative[] => {
    if (written === '{') {
      throw new Mistake(`has an unclosed "{" or quote in ${JSON.stringify(text)}`);
    }
    return inBraces === undefined ? [{ text: written }] : alternativesOf(inBraces, optOut);
  });
  const names = parts.flat().flatMap((item) => ('name' in item ? [item.name] : []));
  const unknown = names.find((name) => !isName(name));
  if (unknown !== undefined) {
    throw new Mistake(
      `names ${JSON.stringify(unknown)} in ${JSON.stringify(text)}, which is unknown; known names: ${known}`,
    );
  }
  const isOneName = parts.length === 1 && parts[0]?.length === 1;
  return {
    names,
    onlyName: isOneName ? names[0] : undefined,
    fill: (resolve) => parts.map((alternatives) => firstText(alternatives, resolve)).join(''),
  };
}

function alternativesOf(inBraces: string, optOut: string | undefined): Alternative[] {
  const items = [...inBraces.matchAll(alternative)].map(([, written = '']) => written.trim());
  const isOptedOut = items.length > 1 && items.at(-1) === optOut;
  return (isOptedOut ? items.slice(0, -1) : items).map((item) => {
    const [, quoted] = /^'([^']*)'$/.exec(item) ?? [];
    if (quoted !== undefined) return { text: quoted };
    if (item === '') throw new Mistake(`has an empty name in "{${inBraces}}"`);
    if (item.includes("'")) throw new Mistake(`has a name next to quoted text in "{${inBraces}}"; put | between them`);
    return { name: item, isOptedOut };
  });
}

function firstText(alternatives: readonly Alternative[], resolve: Parameters<Template['fill']>[0]): string {
  for (const item of alternatives) {
    const text = 'text' in item ? item.text : resolve(item.name, item.isOptedOut);
    if (text) return text;
  }
  return '';
}
