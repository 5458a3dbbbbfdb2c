import { cut, el } from './dom.js';

/** @type {[number, string][]} */
const units = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** @param {number} instantMs */
function age(instantMs) {
  const seconds = Math.round((Date.now() - instantMs) / 1000);
  const span = Math.abs(seconds);
  if (span < 5) return 'now';
  const [length, unit] = units.find(([length]) => span >= length) ?? [1, 's'];
  return `${seconds < 0 ? 'in ' : ''}${Math.floor(span / length)} ${unit}`;
}

/**
 * An instant as its age, whole on hover; what is none stands as it is.
 * @param {unknown} instant
 */
export function timeTag(instant) {
  const ms = typeof instant === 'string' ? Date.parse(instant) : Number.NaN;
  if (Number.isNaN(ms)) return cut(instant || 'unknown', 'age');
  const iso = new Date(ms).toISOString();
  return el('time', { class: 'age', datetime: iso, title: `${iso.slice(0, 19).replace('T', ' ')} UTC` }, age(ms));
}

setInterval(() => {
  for (const tag of document.querySelectorAll('time')) {
    const text = age(Date.parse(tag.dateTime));
    if (tag.textContent !== text) tag.textContent = text;
  }
}, 5000);
