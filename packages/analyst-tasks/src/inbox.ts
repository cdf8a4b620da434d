import { join } from 'node:path';
import { z } from 'zod';
import type { AnalystFiles } from './task.js';

/** A note of an inbox. */
export const noteSchema = z.object({
  name: z.string(),
  mtime: z.string().describe('last change, ISO 8601'),
  size: z.number().int().describe('bytes'),
  content: z.string(),
});

export type Note = z.input<typeof noteSchema>;

/** The visible regular files at the top of a folder, by name; what vanishes meanwhile, or can't be read, is left out. */
export const readNotes = async (folder: string, files: AnalystFiles): Promise<Note[]> => {
  const notes: Note[] = [];
  for (const { name, kind } of await files.list(folder)) {
    if (kind !== 'file' || name.startsWith('.')) continue;
    const path = join(folder, name);
    const [facts, content] = [await files.stat(path), await files.readText(path)];
    if (facts === undefined || content === undefined) continue;
    notes.push({ name, mtime: new Date(facts.modified).toISOString(), size: facts.size, content });
  }
  return notes;
};
