import { ColophonError } from '@colophon/chat-format';
import ignore, { type Ignore } from 'ignore';
import { stopIfAborted } from './abort.js';
import type { CompileContext, FileFacts } from './context.js';
import { type Subject, unreadableError } from './errors.js';
import { realPathOf } from './find-file.js';
import { joinPath, parentOf } from './paths.js';
import { readText } from './read-text.js';

/** What a folder gives beside plain visible files. */
export type WalkOptions = { hidden: boolean; ignored: boolean };

/** A file below a folder: its path, its path as seen from the folder, its facts. */
export type FolderFile = { path: string; relative: string; facts: FileFacts };

/** The rules of one `.gitignore`; `prefix` leads from the folder it stands in to the one that is looked at. */
type Rules = { rules: Ignore; prefix: string };

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** More `**` between slashes than a rule needs: matching takes a power of the depth, and each adds one. */
const isCostly = (rule: string): boolean => rule.split('/').filter((name) => name === '**').length > 3;

const rulesOf = async (folder: string, context: CompileContext, subject: Subject): Promise<Ignore | undefined> => {
  const path = joinPath(folder, '.gitignore');
  const facts = await context.files.stat(path);
  if (facts?.kind !== 'file') return undefined;
  const lines = (await readText(path, facts.size, context, subject)).split(/\r?\n/);
  const costly = lines.filter(isCostly);
  if (costly.length > 0) context.log?.(`${path}: rules with more than three ** were not read: ${costly.length}`);
  return ignore({ ignorecase: false }).add(lines.filter((line) => !isCostly(line)));
};

/** The rules of the folders above, up to the one that holds `.git`; none where there is no repository. */
const rulesAbove = async (folder: string, context: CompileContext, subject: Subject): Promise<Rules[]> => {
  const above: { folder: string; prefix: string }[] = [];
  let current = folder;
  let prefix = '';
  while (!(await context.files.stat(joinPath(current, '.git')))) {
    const parent = parentOf(current);
    if (parent === current) return [];
    prefix = `${nameOf(current)}/${prefix}`;
    current = parent;
    above.unshift({ folder: current, prefix });
  }
  const found: Rules[] = [];
  for (const { folder, prefix } of above) {
    const rules = await rulesOf(folder, context, subject);
    // A folder that is named although it is ignored is meant.
    if (rules && !rules.test(prefix).ignored) found.push({ rules, prefix });
  }
  return found;
};

/** As git does: the nearest `.gitignore` that says something decides. */
const isIgnored = (rules: readonly Rules[], name: string): boolean => {
  for (const { rules: here, prefix } of [...rules].reverse()) {
    const { ignored, unignored } = here.test(prefix + name);
    if (ignored || unignored) return ignored;
  }
  return false;
};

/**
 * The files below a folder, sorted by their path. Left out, unless asked for: names that begin with a dot, and what `.gitignore`
 * files ignore, there and up to the root of the repository, `.git` itself included. Left out always: what is no regular file, links
 * to folders (what they show is found under its own name, or does not belong to the folder), and links to files outside.
 *
 * @throws ColophonError `unreadable`, `not_text` for a `.gitignore` that is not text.
 */
export const walkFolder = async (
  folder: string,
  context: CompileContext,
  subject: Subject,
  { hidden, ignored }: WalkOptions,
): Promise<FolderFile[]> => {
  const { files } = context;
  const found: FolderFile[] = [];
  const root = await realPathOf(folder, context);
  const below = root.endsWith('/') ? root : `${root}/`;

  const walk = async (path: string, relative: string, inherited: readonly Rules[]): Promise<void> => {
    const own = ignored ? undefined : await rulesOf(path, context, subject);
    const rules = own ? [...inherited, { rules: own, prefix: '' }] : inherited;
    for (const name of await files.list(path)) {
      stopIfAborted(context);
      if ((!hidden && name.startsWith('.')) || (!ignored && name === '.git')) continue;
      const child = joinPath(path, name);
      const facts = await files.stat(child);
      if (!facts || facts.kind === 'other') continue;
      const isFolder = facts.kind === 'directory';
      if (isIgnored(rules, isFolder ? `${name}/` : name)) continue;
      const real = await realPathOf(child, context);
      if (isFolder ? real !== below + relative + name : !real.startsWith(below)) {
        context.log?.(`${child} is a link and was left out of ${folder}`);
      } else if (isFolder) {
        const nested = rules.map(({ rules, prefix }) => ({ rules, prefix: `${prefix}${name}/` }));
        await walk(child, `${relative}${name}/`, nested);
      } else found.push({ path: child, relative: relative + name, facts });
    }
  };

  try {
    await walk(folder, '', ignored ? [] : await rulesAbove(folder, context, subject));
  } catch (cause) {
    if (cause instanceof ColophonError) throw cause;
    throw unreadableError(subject, folder, cause);
  }
  return found.sort((one, other) => (one.relative < other.relative ? -1 : one.relative > other.relative ? 1 : 0));
};
