import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Json, Vector } from './vector.js';

/** What a folder of vectors holds; `broken` names files that are not JSON, with the reason. */
export type FoundVectors = { vectors: Vector[]; broken: { file: string; reason: string }[] };

const isVector = (value: Json): value is Vector =>
  typeof value?.id === 'string' && typeof value?.input?.op === 'string' && 'expect' in value;

const readVectors = (file: string, found: FoundVectors): void => {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    found.broken.push({ file, reason: String(error) });
    return;
  }
  const files = join(dirname(file), 'files');
  const tree = basename(file) === 'expected.json' && existsSync(files) ? { tree: files } : {};
  for (const item of [value].flat()) if (isVector(item)) found.vectors.push({ ...item, ...tree });
};

const walk = (folder: string, found: FoundVectors): void => {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  const isCase = entries.some(({ name }) => name === 'expected.json');
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      // The files of a case are its input, whatever they look like.
      if (!(isCase && entry.name === 'files')) walk(path, found);
    } else if (entry.name.endsWith('.json')) readVectors(path, found);
  }
};

/**
 * Finds the vectors at a path: a JSON file with one vector or an array of them, or a folder, at any depth. JSON that is no vector
 * is passed over.
 */
export const findVectors = (path: string): FoundVectors => {
  const found: FoundVectors = { vectors: [], broken: [] };
  if (statSync(path).isDirectory()) walk(path, found);
  else readVectors(path, found);
  return found;
};
