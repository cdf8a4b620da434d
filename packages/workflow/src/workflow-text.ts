import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a `workflow.md` or `README.md` beside a workflow says: title, description, and descriptions of tasks by their names. */
export type WorkflowText = { title?: string; description?: string; tasks: Record<string, string> };

/** Names of the files that describe a workflow, the first that is there counts. */
export const textFiles = ['workflow.md', 'README.md'] as const;

type Section = { level: number; heading: string; lines: string[] };

/** Cuts a text at its headings, those inside fenced code left alone. The first section has what stands before the first heading. */
const splitSections = (lines: readonly string[]): Section[] => {
  const sections: Section[] = [{ level: 0, heading: '', lines: [] }];
  let fence: string | undefined;
  for (const line of lines) {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    const heading = fence === undefined ? /^(#{1,6})[ \t]+(.*)$/.exec(line) : null;
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark.startsWith(fence) && line.trim() === mark) fence = undefined;
    }
    if (heading) sections.push({ level: heading[1]!.length, heading: plainHeading(heading[2]!), lines: [] });
    else sections.at(-1)!.lines.push(line);
  }
  return sections;
};

const plainHeading = (text: string): string => text.trim().replace(/ #+$/, '').replaceAll('`', '').trim();

const printSection = ({ level, heading, lines }: Section): string[] =>
  level === 0 ? lines : [`${'#'.repeat(level)} ${heading}`, ...lines];

const text = (lines: readonly string[]): string => lines.join('\n').trim();

/**
 * Reads the text that describes a workflow: its first line is the title, what follows up to the heading "Tasks" the description, the
 * headings one level below it (or `## task`) are names of tasks. Where no such heading stands all is description.
 */
const parseWorkflowText = (markdown: string): WorkflowText => {
  const lines = markdown.replace(/^\uFEFF/, '').split(/\r?\n/);
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first < 0) return { tasks: {} };
  const underlined = /^ {0,3}(=+|-{2,})[ \t]*$/.test(lines[first + 1] ?? '');
  const title = plainHeading(lines[first]!.replace(/^#{1,6}[ \t]+/, ''));
  const sections = splitSections(lines.slice(first + (underlined ? 2 : 1)));
  const start = sections.findIndex(({ level, heading }) => level > 0 && /^tasks:?$/i.test(heading));
  const before = start < 0 ? sections : sections.slice(0, start);
  const description = text(before.flatMap(printSection));
  const tasks: [string, string][] = [];
  const taskLevel = start < 0 ? 0 : Math.max(2, sections[start]!.level);
  let open: { level: number; name: string; lines: string[] } | undefined;
  const close = () => {
    if (open) tasks.push([open.name, text(open.lines)]);
    open = undefined;
  };
  for (const section of start < 0 ? [] : sections.slice(start + 1)) {
    const named = section.level >= taskLevel && section.level <= taskLevel + 1 && /^\S+$/.test(section.heading);
    if (named && (open === undefined || section.level <= open.level)) {
      close();
      open = { level: section.level, name: section.heading, lines: [...section.lines] };
    } else if (open && section.level > open.level) open.lines.push(...printSection(section));
    else close();
  }
  close();
  return {
    ...(title === '' ? {} : { title }),
    ...(description === '' ? {} : { description }),
    tasks: Object.fromEntries(tasks),
  };
};

/** The text beside a workflow in a folder; nothing where there is none, or where it can't be read. */
export const readWorkflowText = async (folder: string): Promise<WorkflowText> => {
  for (const name of textFiles) {
    const markdown = await readFile(join(folder, name), 'utf8').catch(() => undefined);
    if (markdown !== undefined) return parseWorkflowText(markdown);
  }
  return { tasks: {} };
};
