const mix = (hash: number, value: number): number => {
  const mixed = Math.imul(hash ^ value, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
};

const ofText = (text: string, seed: number): number => {
  let hash = mix(seed, text.length);
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mix(hash, seed);
};

const seeds = { string: 1, number: 2, boolean: 3, list: 4, object: 5, other: 6 } as const;

/**
 * 32 bits that tell JSON values apart, the order of keys aside. No protection against people who want two to be equal. Linear in the
 * value; deep ones are read to a depth of some hundreds.
 */
export const fingerprintOf = (value: unknown, depth = 0): number => {
  if (typeof value === 'string') return ofText(value, seeds.string);
  if (typeof value === 'number') return ofText(String(value), seeds.number);
  if (typeof value === 'boolean') return mix(seeds.boolean, Number(value));
  if (typeof value !== 'object' || value === null || depth > 500) return seeds.other;
  if (Array.isArray(value))
    return value.reduce<number>((hash, part) => mix(hash, fingerprintOf(part, depth + 1)), seeds.list);
  let sum: number = seeds.object;
  for (const key in value)
    sum = (sum + mix(ofText(key, seeds.object), fingerprintOf((value as Record<string, unknown>)[key], depth + 1))) | 0;
  return sum;
};
