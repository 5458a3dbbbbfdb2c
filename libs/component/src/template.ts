import { Mistake } from './mistake.ts';

/** Text with `{a|b|'text'}` in it, which stands for the first of these that is not empty (fetcher §3.3). */
export interface Template {
  /** All names in it. */
  readonly names: readonly string[];
  /** The name, where the template is nothing but one name in braces. */
  readonly onlyName: string | undefined;
  /**
   * `resolve` gives the text of a name, empty or `undefined` where it has none; later alternatives are not asked for.
   * `isOptedOut`: its braces end with the word that opts out.
   */
  fill(resolve: (name: string, isOptedOut: boolean) => string | undefined): string;
}

export interface TemplateNames {
  isName(name: string): boolean;
  /** What the names are, for the sentence about another one: "there are repo, sha and payload.<path>". */
  readonly known: string;
  /** A word that is no name where it ends the braces: the values of these braces are exempt from what others go through. */
  readonly optOut?: string;
}

const charactersMax = 1024;

type Alternative = { readonly name: string; readonly isOptedOut: boolean } | { readonly text: string };

/** Braces with what is in them, in which a quoted text may hold anything; else plain text; else a brace that stays open. */
const part = /\{((?:'[^']*'|[^{}'])*)\}|[^{]+|\{/g;
const alternative = /(?:^|\|)((?:'[^']*'|[^|'])*)/g;

/** @throws Mistake */
export function compileTemplate(text: string, { isName, known, optOut }: TemplateNames): Template {
  if (text.length > charactersMax) throw new Mistake(`has more than ${charactersMax} characters`);
  const parts = [...text.matchAll(part)].map(([written, inBraces]): readonly Alternative[] => {
    if (written === '{') {
      throw new Mistake(`has a "{" without its "}", or a quote without its pair, in ${JSON.stringify(text)}`);
    }
    return inBraces === undefined ? [{ text: written }] : alternativesOf(inBraces, optOut);
  });
  const names = parts.flat().flatMap((item) => ('name' in item ? [item.name] : []));
  const unknown = names.find((name) => !isName(name));
  if (unknown !== undefined) {
    throw new Mistake(
      `names ${JSON.stringify(unknown)} in ${JSON.stringify(text)}, which is not known; there are ${known}`,
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
    if (item.includes("'")) throw new Mistake(`has a name beside a quoted text in "{${inBraces}}"; put | between them`);
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
