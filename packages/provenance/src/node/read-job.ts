import type { Stats } from 'node:fs';
import type { JobFacts, Read } from '../facts.js';
import type { Warning } from '../warning.js';
import { readWhole } from './read-whole.js';

/** What is kept of an `.info`. */
export type InfoFacts = Omit<Partial<JobFacts>, 'name' | 'shortPath' | 'done' | 'modified'>;

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

const dependenciesOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [])
    .map((dependency) => (Array.isArray(dependency) ? dependency.at(-1) : dependency))
    .filter((dependency): dependency is string => typeof dependency === 'string' && dependency !== '');

const parseInfo = (text: string): { info: Record<string, unknown>; problem?: string } => {
  if (text.trim() === '') return { info: {}, problem: 'is empty' };
  try {
    const info: unknown = JSON.parse(text);
    if (typeof info === 'object' && info !== null && !Array.isArray(info))
      return { info: info as Record<string, unknown> };
    return { info: {}, problem: 'holds no object' };
  } catch {
    return { info: {}, problem: 'holds no JSON' };
  }
};

/** Reads the `.info` of a job; undefined where it has vanished. */
export const readInfo = (
  path: string,
  before: Stats,
): { value: { facts: InfoFacts; warnings: Warning[] }; stats: Stats; stable: boolean; bytes: number } | undefined => {
  const address = `${path}.info`;
  const file = readWhole(address, before);
  if (file.kind === 'vanished') return undefined;
  const warn = (code: Warning['code'], why: string): Warning => ({
    code,
    message: `${code}: ${address} ${why}; what it would say of the job is unknown.`,
    path,
    address,
  });
  if (file.kind === 'unreadable') {
    const warnings = [warn('unreadable', `can't be read (${file.problem})`)];
    return { value: { facts: {}, warnings }, stats: file.stats, stable: false, bytes: 0 };
  }
  const { info, problem } = parseInfo(file.bytes.toString('utf8'));
  const entries = Object.entries({
    workflow: textOf(info['workflow']),
    task: textOf(info['task_name']),
    cleanName: textOf(info['clean_name']),
    status: textOf(info['status']),
    type: textOf(info['type']),
    start: textOf(info['start']),
    end: textOf(info['end']),
  }).filter(([, value]) => value !== undefined);
  const facts: InfoFacts = { ...Object.fromEntries(entries), dependencies: dependenciesOf(info['dependencies']) };
  const warnings = problem === undefined ? [] : [warn('damaged_info', problem)];
  return { value: { facts, warnings }, stats: file.stats, stable: !file.changed, bytes: file.bytes.length };
};

/** Facts of a job by its path, what its `.info` says, and what stands on disk. */
export const toJob = (
  path: string,
  known: Read<InfoFacts> | undefined,
  stats: { info: Stats | undefined; result: Stats | undefined },
): Read<JobFacts> => {
  const [name = '', task = '', workflow = ''] = path.split('/').reverse();
  const dot = name.lastIndexOf('.');
  const facts: JobFacts = {
    workflow,
    task,
    name,
    cleanName: (dot > 0 ? name.slice(0, dot) : name).replace(/_[a-z0-9]{32}$/, ''),
    shortPath: `${workflow}/${task}/${name}`,
    status: !stats.info && stats.result ? 'done' : 'noinfo',
    done: stats.result?.isFile() ?? false,
    dependencies: [],
    modified: (stats.info ?? stats.result)?.mtimeMs ?? null,
    ...known?.facts,
  };
  return { facts, warnings: known?.warnings ?? [] };
};
