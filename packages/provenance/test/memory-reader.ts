import { parseChat } from '@colophon/chat-format';
import { chatFacts, type FolderEntry, type JobFacts, type Reader } from '@colophon/provenance';

/** Files by absolute path. */
export type Files = Record<string, string>;

/** A reader of files in memory that counts what it is asked. `shuffle` gives names of a folder in another order. */
export const memoryReader = (
  files: Files,
  shuffle: (entries: FolderEntry[]) => FolderEntry[] = (entries) => entries,
): Reader & { calls: Record<string, number> } => {
  const folders = new Map<string, Map<string, FolderEntry>>();
  for (const path of Object.keys(files)) {
    const parts = path.split('/');
    for (let depth = 1; depth < parts.length; depth++) {
      const folder = parts.slice(0, depth).join('/') || '/';
      const names = folders.get(folder) ?? new Map<string, FolderEntry>();
      folders.set(folder, names);
      names.set(parts[depth]!, { name: parts[depth]!, kind: depth === parts.length - 1 ? 'file' : 'folder' });
    }
  }
  const calls: Record<string, number> = {};
  const counted = <Values extends unknown[], Result>(name: string, action: (...values: Values) => Result) => {
    calls[name] = 0;
    return async (...values: Values): Promise<Result> => {
      calls[name]! += 1;
      return action(...values);
    };
  };
  const has = (path: string): boolean => Object.hasOwn(files, path);
  return {
    calls,
    roots: [],
    look: counted('look', (path: string) => {
      if (has(path)) return { path, kind: 'file' as const, size: files[path]!.length, modified: 0 };
      return folders.has(path) ? { path, kind: 'folder' as const, size: 0, modified: 0 } : undefined;
    }),
    chat: counted('chat', (path: string) => (has(path) ? chatFacts(parseChat(files[path]!), path) : undefined)),
    job: counted('job', (path: string) => {
      const info = JSON.parse(files[`${path}.info`] ?? '{}');
      const [name = '', task = '', workflow = ''] = path.split('/').reverse();
      const facts: JobFacts = {
        workflow,
        task,
        name,
        cleanName: name,
        shortPath: `${workflow}/${task}/${name}`,
        status: info.status ?? 'noinfo',
        ...(info.type === undefined ? {} : { type: info.type }),
        done: has(path),
        dependencies: info.dependencies ?? [],
        modified: null,
      };
      return { facts, warnings: [] };
    }),
    list: counted('list', (folder: string) => {
      const names = folders.get(folder);
      return names && shuffle([...names.values()]);
    }),
    findJob: counted('findJob', (reference: string, referrer: string) => {
      const folders = referrer.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/'));
      const places = [reference, ...folders.map((folder) => `${folder}/var/jobs/${reference}`)];
      return places.find((path) => has(path) || has(`${path}.info`));
    }),
    same: counted('same', (first: string, second: string) => files[first] === files[second]),
    messages: counted('messages', (path: string) => (has(path) ? parseChat(files[path]!) : undefined)),
  };
};
