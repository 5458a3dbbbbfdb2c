const textOid = 25;
const headBytes = 20;
const lengthBytes = 4;
/** UTF-8 takes three bytes at most for a unit of UTF-16. */
const bytesPerUnitMax = 3;

/**
 * A list as the binary form of a `text[]`, which the server takes without parsing it; `undefined` becomes null. The
 * texts hold neither U+0000 nor lone surrogates (`patterns.storableText`). Source: `array_recv` of PostgreSQL.
 */
export function textArray(texts: readonly (string | undefined)[]): Buffer {
  let bytesMax = headBytes;
  for (const text of texts) bytesMax += lengthBytes + (text?.length ?? 0) * bytesPerUnitMax;
  const buffer = Buffer.allocUnsafe(bytesMax);
  let hasNulls = 0;
  let end = headBytes;
  for (const text of texts) {
    const start = end + lengthBytes;
    const length = text === undefined ? -1 : buffer.write(text, start);
    if (length < 0) hasNulls = 1;
    buffer.writeInt32BE(length, end);
    end = start + Math.max(length, 0);
  }
  const [dimensions, lowerBound] = [1, 1];
  for (const [index, value] of [dimensions, hasNulls, textOid, texts.length, lowerBound].entries())
    buffer.writeInt32BE(value, index * lengthBytes);
  return buffer.subarray(0, end);
}
