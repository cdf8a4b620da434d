/** A list of numbers with at least one in it. */
export const isVector = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === 'number');

/** How near two vectors are: the larger, the nearer. */
export const measures = {
  /** The cosine of their angle, from -1 to 1; 0 where one has no length. */
  cosine: (a, b) => {
    let [product, ofA, ofB] = [0, 0, 0];
    for (const [index, x] of a.entries()) {
      const y = b[index] ?? 0;
      product += x * y;
      ofA += x * x;
      ofB += y * y;
    }
    return ofA === 0 || ofB === 0 ? 0 : product / Math.sqrt(ofA * ofB);
  },
  /** Their Euclidean distance, below zero. */
  l2: (a, b) => -Math.sqrt(a.reduce((sum, x, index) => sum + (x - (b[index] ?? 0)) ** 2, 0)),
} satisfies Record<string, (a: readonly number[], b: readonly number[]) => number>;

/** The name of a measure. */
export type Measure = keyof typeof measures;
