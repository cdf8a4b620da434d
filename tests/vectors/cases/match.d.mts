export function deepEqual(a: unknown, b: unknown): boolean;
export function match(expected: unknown, actual: unknown, path?: string): string[];
