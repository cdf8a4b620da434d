/** The part of a Markdown text below the heading of this name, without the heading; nothing where there is none. Linear. */
export const sectionOf = (markdown: string, name: string): string | undefined => {
  const lines = markdown.split(/\r?\n/);
  const headings = lines.flatMap((line, index) => {
    const [, marks, title] = /^(#{1,6})\s+(\S.*)$/.exec(line) ?? [];
    return marks && title ? [{ index, level: marks.length, title: title.trim().replace(/^`(.*)`$/, '$1') }] : [];
  });
  const own = headings.findIndex(({ title }) => title === name);
  const heading = headings[own];
  if (!heading) return undefined;
  const next = headings.slice(own + 1).find(({ level }) => level <= heading.level);
  return (
    lines
      .slice(heading.index + 1, next?.index)
      .join('\n')
      .trim() || undefined
  );
};
