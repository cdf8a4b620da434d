/** ISO text of a time as Ruby dumps it: two little-endian words of bit fields, in UTC; or seconds since 1970 in old dumps. */
export const toTime = (bytes: Uint8Array): string | undefined => {
  if (bytes.length < 8) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
  const high = view.getUint32(0, true);
  const low = view.getUint32(4, true);
  const fields = [(high >>> 14) & 0xffff, (high >>> 10) & 0xf, (high >>> 5) & 0x1f, high & 0x1f] as const;
  const milliseconds =
    high >>> 31 === 0
      ? high * 1000
      : Date.UTC(
          1900 + fields[0],
          fields[1],
          fields[2],
          fields[3],
          low >>> 26,
          (low >>> 20) & 0x3f,
          (low & 0xfffff) / 1000,
        );
  return new Date(milliseconds).toISOString();
};
