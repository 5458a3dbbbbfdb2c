import { plain } from '@shiplog/text';

/** A name in words, each with the separator that follows it. */
function wordsOf(name: string): string[] {
  return name.split(/(?<=[-._/])/);
}

/** The words that all names begin with; '' unless each name has more words. */
export function sharedPrefix(names: readonly string[]): string {
  const [first, ...others] = names;
  if (first === undefined || others.length === 0) return '';
  const words = wordsOf(first);
  let shared = '';
  for (const word of words.slice(0, -1)) {
    const longer = shared + word;
    if (!others.every((name) => name.startsWith(longer) && name.length > longer.length)) break;
    shared = longer;
  }
  return shared;
}

/**
 * Shortens a name in its middle, because names that share a prefix differ at their ends: "payments-…ledger-worker".
 * Keeps whole words if at least the last word fits, and of the prefix only the beginning.
 */
export function cutMiddle(name: string, fits: (text: string) => boolean, prefix = ''): string {
  const shown = plain(name);
  if (fits(shown)) return shown;
  const words = wordsOf(shown);
  const cut = (head: number, tail: number) => `${words.slice(0, head).join('')}…${words.slice(-tail).join('')}`;
  const most = (from: number, fitting: (count: number) => boolean) => {
    let count = from;
    while (count < words.length && fitting(count + 1)) count += 1;
    return count;
  };
  const least = fits(cut(1, 1)) ? 1 : 0;
  const own = prefix === '' ? words.length : wordsOf(plain(name.slice(prefix.length))).length;
  const tail = most(0, (count) => count + least < words.length && count <= own && fits(cut(least, count)));
  if (tail === 0) return cutCharacters([...shown], fits);
  return cut(
    most(least, (count) => count + tail < words.length && fits(cut(count, tail))),
    tail,
  );
}

/** Keeps twice as many characters of the end as of the beginning. */
function cutCharacters(characters: readonly string[], fits: (text: string) => boolean): string {
  for (let kept = characters.length - 1; kept > 1; kept -= 1) {
    const head = Math.floor(kept / 3);
    const text = `${characters.slice(0, head).join('')}…${characters.slice(head - kept).join('')}`;
    if (fits(text)) return text;
  }
  return '…';
}
