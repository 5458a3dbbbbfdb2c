/** A UUIDv7 of an instant in milliseconds and ten random bytes: what names a process in its cursors (fetcher §5.9). */
export function ownerId(nowMs: number, random: Uint8Array): string {
  const bytes = Buffer.concat([Buffer.alloc(6), Buffer.from(random.subarray(0, 10))]);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
