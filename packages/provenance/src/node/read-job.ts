import type { Stats } from 'node:fs';
import { parseInfo } from '@colophon/workflow';
import type { JobFacts, Read } from '../facts.js';
import type { Warning } from '../warning.js';
import { readWhole } from './read-whole.js';

/** What is kept of an `.info`. */
export type InfoFacts = Omit<Partial<JobFacts>, 'name' | 'shortPath' | 'done' | 'modified'>;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const damaged = (path: string, address: string, why: string): Warning => ({
  code: 'damaged_info',
  message: `damaged_info: ${address}: ${why} What it would say of the job is unknown.`,
  path,
  address,
});

/** Reads the `.info` of a job; undefined where it has vanished. */
export const readInfo = (
  path: string,
  before: Stats,
): { value: { facts: InfoFacts; warnings: Warning[] }; stats: Stats; stable: boolean; bytes: number } | undefined => {
  const address = `${path}.info`;
  const file = readWhole(address, before);
  if (file.kind === 'vanished') return undefined;
  if (file.kind === 'unreadable') {
    const warnings = [damaged(path, address, `It can't be read (${file.problem}).`)];
    return { value: { facts: {}, warnings }, stats: file.stats, stable: false, bytes: 0 };
  }
  const { info, warnings } = parseInfo(file.bytes, address);
  const entries = Object.entries({
    workflow: textOf(info.workflow),
    task: textOf(info.task_name),
    cleanName: textOf(info['clean_name']),
    status: textOf(info.status),
    type: textOf(info.type),
    start: info.start,
    end: info.end,
  }).filter(([, value]) => value !== undefined);
  return {
    value: {
      facts: { ...Object.fromEntries(entries), dependencies: info.dependencies ?? [] },
      warnings: warnings.map((warning) => damaged(path, warning.address, warning.message)),
    },
    stats: file.stats,
    stable: !file.changed,
    bytes: file.bytes.length,
  };
};

/** A file name without its digest and what follows it, or without the extension of its type. */
const cleanNameOf = (name: string, type = ''): string =>
  /^(.+)_[a-z0-9]{32}(?:\.[A-Za-z0-9]+)?$/s.exec(name)?.[1] ??
  (type !== '' && name.endsWith(`.${type}`) && name.length > type.length + 1 ? name.slice(0, -type.length - 1) : name);

/** Facts of a job by its path, what its `.info` says, and what stands on disk. */
export const toJob = (
  path: string,
  known: Read<InfoFacts> | undefined,
  stats: { info: Stats | undefined; result: Stats | undefined },
): Read<JobFacts> => {
  const [name = '', task = '', workflow = ''] = path.split('/').reverse();
  const facts: JobFacts = {
    workflow,
    task,
    name,
    cleanName: cleanNameOf(name, known?.facts.type),
    shortPath: `${workflow}/${task}/${name}`,
    status: !stats.info && stats.result ? 'done' : 'noinfo',
    done: stats.result?.isFile() ?? false,
    dependencies: [],
    modified: (stats.info ?? stats.result)?.mtimeMs ?? null,
    ...known?.facts,
  };
  return { facts, warnings: known?.warnings ?? [] };
};
