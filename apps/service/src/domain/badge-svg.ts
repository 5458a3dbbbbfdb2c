import type { BadgeState, BadgeStatus } from './badge.ts';
import { escapeXml, shorten, singleLine, textWidth } from './badge-text.ts';

/** The colour, mark (a path in a 16 × 16 square) and word for a state. Success has no word. */
interface Style {
  readonly colour: string;
  readonly mark: string;
  readonly word: string;
}

/** Each colour has a contrast ratio of at least 4.5 with the white text. */
const styles: Readonly<Record<BadgeState, Style>> = {
  succeeded: { colour: '#1a7f4b', mark: 'M3.5 8.5l3 3 6-7', word: '' },
  failed: { colour: '#b3261e', mark: 'M4 4l8 8M12 4l-8 8', word: 'failed' },
  running: { colour: '#9a5b00', mark: 'M8 2.5A5.5 5.5 0 1 1 2.5 8', word: 'running' },
  'called off': { colour: '#5a6472', mark: 'M3.5 8h9', word: 'called off' },
  waits: { colour: '#5a6472', mark: 'M6 4v8M10 4v8', word: 'waits' },
  'not deployed': { colour: '#5a6472', mark: 'M8 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8z', word: 'not deployed' },
};

const height = 20;
const typePx = 11;
const padPx = 6;
const markPx = 11;
const labelMax = 40;
const versionMax = 40;

interface Badge {
  readonly service: string;
  readonly environment: string;
  /** The text on the left. */
  readonly label: string;
  readonly status: BadgeStatus;
}

/**
 * A badge as SVG without scripts, styles or fonts. The text and mark show the state, so that it doesn't depend on
 * colour alone.
 */
export function badgeSvg({ service, environment, label, status }: Badge): string {
  const { colour, mark, word } = styles[status.state];
  const version = status.version === undefined ? [] : [shorten(singleLine(status.version), versionMax)];
  const left = shorten(singleLine(label), labelMax);
  const right = [...version, ...(word ? [word] : [])].join(' ');
  const [leftPx, rightPx] = [textWidth(left, typePx), textWidth(right, typePx)];
  const edge = Math.round(leftPx + 2 * padPx);
  const width = Math.round(edge + padPx + markPx + 4 + rightPx + padPx);
  const shown = [status.version, status.state].flatMap((text) => (text === undefined ? [] : singleLine(text)));
  const sentence = escapeXml(`${singleLine(service)} in ${singleLine(environment)}: ${shown.join(' ')}`);
  const text = (x: number, textPx: number, content: string) =>
    `<text x="${x}" y="14" textLength="${textPx}" lengthAdjust="spacingAndGlyphs">${escapeXml(content)}</text>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${sentence}">`,
    `<title>${sentence}</title>`,
    `<clipPath id="r"><rect width="${width}" height="${height}" rx="4"/></clipPath>`,
    `<g clip-path="url(#r)"><path fill="#3b4450" d="M0 0h${edge}v${height}H0z"/><path fill="${colour}" d="M${edge} 0H${width}v${height}H${edge}z"/></g>`,
    `<path fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" transform="translate(${edge + padPx} 4.5) scale(${markPx / 16})" d="${mark}"/>`,
    `<g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="${typePx}">`,
    text(padPx, leftPx, left),
    text(edge + padPx + markPx + 4, rightPx, right),
    '</g></svg>\n',
  ].join('');
}
