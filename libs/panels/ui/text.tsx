import { plain as plainText } from '@shiplog/text';

/** Shows a value of any type as one line of safe text. */
export function plain(value: unknown): string {
  return plainText(String(value));
}

/** Text that is truncated if it doesn't fit. The tooltip has the full text. */
export function Cut({ text, class: name = '' }: { readonly text: unknown; readonly class?: string }) {
  const shown = plain(text);
  return (
    <bdi class={`cut ${name}`} title={shown}>
      {shown}
    </bdi>
  );
}

const units: readonly (readonly [seconds: number, unit: string])[] = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
];

function ageText(timeMs: number): string {
  const seconds = Math.round((Date.now() - timeMs) / 1000);
  const span = Math.abs(seconds);
  if (span < 5) return 'now';
  const [length, unit] = units.find(([length]) => span >= length) ?? [1, 's'];
  return `${seconds < 0 ? 'in ' : ''}${Math.floor(span / length)} ${unit}`;
}

/** The age of a time, with the full time on hover. Shows any other value unchanged. */
export function Age({ at }: { readonly at: unknown }) {
  const ms = typeof at === 'string' ? Date.parse(at) : Number.NaN;
  if (Number.isNaN(ms)) return <Cut text={at || 'unknown'} class="age" />;
  const iso = new Date(ms).toISOString();
  return (
    <time class="age" dateTime={iso} title={`${iso.slice(0, 19).replace('T', ' ')} UTC`}>
      {ageText(ms)}
    </time>
  );
}
