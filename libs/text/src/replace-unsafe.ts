import { unsafe } from './safe-text.ts';

/** Text with U+FFFD in place of unsafe characters, where an escape would not be understood. */
export function replaceUnsafe(text: string): string {
  return text.replace(unsafe, '\ufffd');
}
