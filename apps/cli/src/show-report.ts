import { isAbsolute, relative, resolve } from 'node:path';
import type { Reports } from '@colophon/analyst-tasks';
import { visibleText } from '@colophon/provenance';
import type { MachineContext } from './context.js';
import type { ReportPage } from './report-page.js';
import { reportViews } from './reports/index.js';

/** Where this machine's reports are shown: paths in the working folder are told from there. */
export const reportPage = (
  columns: number,
  { home, workingDirectory }: Pick<MachineContext, 'home' | 'workingDirectory'>,
  dim: (text: string) => string = (text) => text,
): ReportPage => ({
  // A terminal that does not know its size says 0.
  columns: columns > 0 ? columns : 80,
  dim,
  place: (path) => {
    const whole = path.startsWith('~/') ? resolve(home, path.slice(2)) : path;
    const near = relative(workingDirectory, whole);
    return visibleText(near === '' || near.startsWith('..') || isAbsolute(near) ? path : near);
  },
});

/** The report of a task for people, in the form that suits it; `--json` has what is left out. */
export const showReport = <Name extends keyof Reports>(name: Name, report: Reports[Name], page: ReportPage): string =>
  reportViews[name](report, page)
    .filter((part) => part !== '')
    .join('\n\n');
