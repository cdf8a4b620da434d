// Everything that has to hold, each step once: format, lint, types, build, tests (layers, exports, READMEs and packed packages
// among them), publint, unused code. Ends with `N passed, N failed`: the tests, and one for each other step.
// `--tests-ran STATUS` takes the results of a test run that has just ended instead of running the tests again.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const bin = (name) => join(root, 'node_modules', '.bin', name);
const resultsFile = join(root, 'coverage', 'results.json');
const environment = {
  ...process.env,
  CI: 'true',
  NO_COLOR: '1',
  TURBO_TELEMETRY_DISABLED: '1',
  PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}`,
};

const testsRan = process.argv.indexOf('--tests-ran');

const totals = { passed: 0, failed: 0 };
const lines = [];

const tell = (name, ok, seconds, detail = '') => {
  const line = `${ok ? '✓' : '✗'} ${name.padEnd(16)} ${seconds.toFixed(1).padStart(6)} s  ${detail}`.trimEnd();
  lines.push(line);
  console.log(line);
};

const step = (name, ...commands) => {
  const start = Date.now();
  const runs = commands.map(([program, ...words]) => ({
    words,
    ...spawnSync(program, words, { cwd: root, env: environment, encoding: 'utf8', maxBuffer: 2 ** 28 }),
  }));
  const failed = runs.filter(({ status }) => status !== 0);
  for (const { stdout, stderr, error } of failed)
    console.log([error?.message, stdout, stderr].filter(Boolean).join('\n'));
  totals[failed.length === 0 ? 'passed' : 'failed']++;
  tell(name, failed.length === 0, (Date.now() - start) / 1000);
};

const runTests = () => {
  if (testsRan >= 0) return Number(process.argv[testsRan + 1]);
  rmSync(resultsFile, { force: true });
  return spawnSync(bin('vitest'), ['run'], { cwd: root, env: environment, stdio: 'inherit' }).status;
};

// A run that ends badly with no failed test (a file that can't be loaded, an error outside any test) counts as one failure.
const countTests = () => {
  const start = Date.now();
  const status = runTests();
  const results = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : undefined;
  const {
    numPassedTests: passed = 0,
    numFailedTests = 0,
    numPendingTests: skipped = 0,
    testResults = [],
  } = results ?? {};
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  const failed = numFailedTests + brokenFiles.length || (status === 0 && results ? 0 : 1);
  totals.passed += passed;
  totals.failed += failed;
  const seconds =
    testsRan >= 0 && results
      ? Math.max(...testResults.map(({ endTime }) => endTime), results.startTime) - results.startTime
      : Date.now() - start;
  tell('tests', failed === 0, seconds / 1000, `${passed} passed, ${failed} failed, ${skipped} skipped`);
};

const packages = ['packages', 'apps'].flatMap((group) =>
  readdirSync(join(root, group)).map((name) => join(group, name)),
);

step('format and lint', [bin('biome'), 'ci', '--colors=off', '--max-diagnostics=30', '.']);
step('types', [process.execPath, join(root, 'node_modules/ts7/bin/tsc'), '-p', 'tsconfig.json', '--noEmit']);
step('build', [bin('turbo'), 'run', 'build', '--output-logs=errors-only', '--log-order=grouped']);
countTests();
step('publint', ...packages.map((folder) => [bin('publint'), 'run', folder, '--pack', 'pnpm', '--level', 'warning']));
step('unused code', [bin('knip')]);

console.log(`\n${lines.join('\n')}\n\n${totals.passed} passed, ${totals.failed} failed`);
process.exit(totals.failed === 0 ? 0 : 1);
