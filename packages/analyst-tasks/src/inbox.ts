import { join } from 'node:path';
import { z } from 'zod';
import type { AnalystFiles } from './task.js';

/** A note of an inbox. */
export const noteSchema = z.object({
  name: z.string(),
  mtime: z.string().describe('last change, ISO 8601'),
  size: z.number().int().describe('bytes'),
  content: z.string(),
  problem: z
    .literal('unreadable')
    .optional()
    .describe('it is there, and its content is not: too large, or not allowed'),
});

export type Note = z.input<typeof noteSchema>;

/** The visible regular files at the top of a folder, by name. What vanishes meanwhile is left out; what can't be read says so. */
export const readNotes = async (folder: string, files: AnalystFiles): Promise<Note[]> => {
  const notes: Note[] = [];
  for (const { name, kind } of await files.list(folder)) {
    if (kind !== 'file' || name.startsWith('.')) continue;
    const path = join(folder, name);
    const [facts, content] = [await files.stat(path), await files.readText(path)];
    const note = facts && { name, mtime: new Date(facts.modified).toISOString(), size: facts.size };
    if (note && content !== undefined) notes.push({ ...note, content });
    else if (note && (await files.stat(path))) notes.push({ ...note, content: '', problem: 'unreadable' });
  }
  return notes;
};
