import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const app = dirname(dirname(fileURLToPath(import.meta.url)));
const repository = dirname(dirname(app));
const builds = join(app, 'node_modules', '.built');

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
  );

/** A digest of everything that goes into the bundle: it changes when a source file does. */
const sourcesDigest = (): string => {
  const packages = readdirSync(join(repository, 'packages')).map((name) => join(repository, 'packages', name));
  const folders = [...packages, app].map((folder) => join(folder, 'src')).filter((folder) => existsSync(folder));
  const files = [
    ...folders.flatMap(filesBelow),
    join(app, 'tsup.config.ts'),
    join(app, 'lazy-packages.ts'),
    join(app, 'package.json'),
  ].sort();
  const digest = createHash('sha256');
  for (const file of files) {
    const { mtimeMs, size } = statSync(file);
    digest.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return digest.digest('hex').slice(0, 16);
};

/**
 * Path of the bundled command line, made from the sources as they are now. A build has a folder of its own, so that a change
 * of a source never pulls the bundle away from under a process that runs it.
 */
export const builtCli = (): string => {
  const place = join(builds, sourcesDigest());
  const bin = join(place, 'dist', 'bin.cjs');
  if (existsSync(bin)) return bin;
  mkdirSync(builds, { recursive: true });
  const making = mkdtempSync(join(builds, 'making-'));
  const tsup = join(app, 'node_modules', '.bin', 'tsup');
  const { status, stdout, stderr } = spawnSync(tsup, ['--out-dir', join(making, 'dist')], {
    cwd: app,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`the command line does not build:\n${stdout}\n${stderr}`);
  symlinkSync(join(app, 'assets'), join(making, 'assets'));
  chmodSync(making, 0o755);
  try {
    renameSync(making, place);
  } catch {
    rmSync(making, { recursive: true, force: true });
  }
  for (const old of readdirSync(builds)) {
    if (Date.now() - statSync(join(builds, old)).mtimeMs > 3_600_000)
      rmSync(join(builds, old), { recursive: true, force: true });
  }
  return bin;
};

const nobody = 65_534;

/** How a run of the command line ended. */
export type CliRun = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };

export type CliOptions = {
  cwd?: string;
  /** Added to an environment that holds nothing but PATH and an empty HOME. */
  environment?: Record<string, string>;
  /** Given on standard input, which is then closed; without it standard input is `/dev/null`. */
  input?: string | Uint8Array;
  /** Run as somebody who may not read everything, where we may. */
  unprivileged?: boolean;
  /** Called with the process as soon as it runs. */
  onStart?: (child: ChildProcess) => void;
};

/** An empty folder, gone when the returned function is called. */
const emptyFolder = (): { path: string; remove: () => void } => {
  const path = mkdtempSync(join(tmpdir(), 'colophon-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

/** Runs the bundled command line as a process of its own, with an empty HOME, and waits for its end. */
export const runCli = async (
  words: readonly string[],
  { cwd, environment = {}, input, unprivileged = false, onStart }: CliOptions = {},
): Promise<CliRun> => {
  const bin = builtCli();
  const home = emptyFolder();
  const child = spawn(process.execPath, [bin, ...words], {
    cwd: cwd ?? home.path,
    env: { PATH: process.env['PATH'] ?? '', HOME: home.path, ...environment },
    ...(unprivileged && process.getuid?.() === 0 ? { uid: nobody } : {}),
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin?.on('error', () => {});
  if (input !== undefined) child.stdin!.end(input);
  onStart?.(child);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.on('close', (...end) => resolve(end));
  });
  home.remove();
  return { code, signal, stdout, stderr };
};
