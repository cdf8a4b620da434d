/** Where a report is shown: how wide it may be, how a path is called there, how what matters less is painted. */
export type ReportPage = {
  columns: number;
  /** A path of a report as a person at this place would write it, so that a task takes it as it is shown. */
  place: (path: string) => string;
  dim: (text: string) => string;
};

/** Shows one report: its parts, between which a blank line stands; empty ones are left out. */
export type ReportView<Report> = (report: Report, page: ReportPage) => string[];

/** Counts things in words: `1 chat`, `2 chats`. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

/** Facts in one line, those that there are. */
export const inOneLine = (...facts: (string | false | undefined)[]): string =>
  facts.filter((fact) => fact !== false && fact !== undefined && fact !== '').join(', ');
