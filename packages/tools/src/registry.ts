import { defineTool } from './define-tool.js';
import { duplicateTool } from './errors.js';
import type { Tool } from './tool.js';

const origin = (tool: Tool): string => tool.origin ?? 'the tools given in code';

/** Throws `invalid_tool` for a tool of the wrong shape and `duplicate_tool` for two of one name; returns the tools. Linear. */
export const checkRegistry = (tools: readonly Tool[]): readonly Tool[] => {
  const seen = new Map<string, Tool>();
  for (const tool of tools) {
    defineTool(tool);
    const first = seen.get(tool.name);
    if (first) throw duplicateTool(tool.name, origin(first), origin(tool));
    seen.set(tool.name, tool);
  }
  return tools;
};

/** The tools by name; of two with one name the first counts. Things that are no tools are left out: a call never crashes on them. */
export const indexTools = (tools: readonly Tool[]): Map<string, Tool> => {
  const index = new Map<string, Tool>();
  for (const tool of tools) {
    try {
      const { name } = tool;
      if (typeof name === 'string' && !index.has(name)) index.set(name, tool);
    } catch {
      // checkRegistry is where a broken tool is reported
    }
  }
  return index;
};

const bigrams = (text: string): Set<string> => {
  const plain = text.toLowerCase().replaceAll(/[_-]/g, '');
  return new Set(Array.from({ length: Math.max(plain.length - 1, 0) }, (_, index) => plain.slice(index, index + 2)));
};

/** Known names for a message about an unknown one: all where they are few, else the most alike, at most `limit`. */
export const similarNames = (name: string, known: readonly string[], limit = 20): string[] => {
  const wanted = bigrams(name.slice(0, 128));
  const likeness = (candidate: string): number => {
    const parts = bigrams(candidate.slice(0, 128));
    return [...parts].filter((part) => wanted.has(part)).length / Math.max(parts.size + wanted.size, 1);
  };
  const ranked = known
    .map((candidate) => ({ candidate, score: likeness(candidate) }))
    .sort((a, b) => b.score - a.score);
  return ranked.slice(0, limit).map(({ candidate }) => candidate);
};
