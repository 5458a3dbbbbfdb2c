import { Mistake } from './mistake.ts';

/** Text with `{a|b|'text'}` in it, which stands for the first of these that is not empty (fetcher §3.3). */
export interface Template {
  /** All names in it. */
  readonly names: readonly string[];
  /** The name, where the template is nothing but one name in braces. */
  readonly onlyName: string | undefined;
  /** `resolve` gives the text of a name, empty or `undefined` where it has none; later alternatives are not asked for. */
  fill(resolve: (name: string) => string | undefined): string;
}

export interface TemplateNames {
  isName(name: string): boolean;
  /** What the names are, for the sentence about another one: "there are repo, sha and payload.<path>". */
  readonly known: string;
}

const charactersMax = 1024;

type Alternative = { readonly name: string } | { readonly text: string };

/** Braces with what is in them, in which a quoted text may hold anything; else plain text; else a brace that stays open. */
const part = /\{((?:'[^']*'|[^{}'])*)\}|[^{]+|\{/g;
const alternative = /(?:^|\|)((?:'[^']*'|[^|'])*)/g;

/** @throws Mistake */
export function compileTemplate(text: string, { isName, known }: TemplateNames): Template {
  if (text.length > charactersMax) throw new Mistake(`has more than ${charactersMax} characters`);
  const parts = [...text.matchAll(part)].map(([written, inBraces]): readonly Alternative[] => {
    if (written === '{') {
      throw new Mistake(`has a "{" without its "}", or a quote without its pair, in ${JSON.stringify(text)}`);
    }
    return inBraces === undefined ? [{ text: written }] : alternativesOf(inBraces);
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

function alternativesOf(inBraces: string): Alternative[] {
  return [...inBraces.matchAll(alternative)].map(([, written = '']) => {
    const item = written.trim();
    const [, quoted] = /^'([^']*)'$/.exec(item) ?? [];
    if (quoted !== undefined) return { text: quoted };
    if (item === '') throw new Mistake(`has an empty name in "{${inBraces}}"`);
    if (item.includes("'")) throw new Mistake(`has a name beside a quoted text in "{${inBraces}}"; put | between them`);
    return { name: item };
  });
}

function firstText(alternatives: readonly Alternative[], resolve: (name: string) => string | undefined): string {
  for (const item of alternatives) {
    const text = 'text' in item ? item.text : resolve(item.name);
    if (text) return text;
  }
  return '';
}
