/**
 * Text as a quoted string of DOT that shows just this text: backslashes begin escapes there (`\N` is a node's name), `&` begins an
 * entity. Lines of a label are joined by `\n`.
 */
export const dotText = (...lines: readonly string[]): string => {
  const quote = (line: string) => line.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/&/g, '&amp;');
  return `"${lines.map(quote).join('\\n')}"`;
};

/** How pictures look: DejaVu Sans, whose widths Graphviz knows, and what stands in for it. */
export const dotStyle = (direction: 'LR' | 'TB'): string[] => [
  `rankdir=${direction};`,
  'graph [fontname="DejaVu Sans", fontsize=10, fontcolor="#57606a", pad=0.3, nodesep=0.25, ranksep=0.6, bgcolor="white"];',
  'node [fontname="DejaVu Sans", fontsize=10, style=filled, fillcolor="#ffffff", color="#57606a", fontcolor="#1f2328"];',
  'edge [fontname="DejaVu Sans", fontsize=8, color="#8c959f", fontcolor="#57606a"];',
];

/** Shape and colours by a node's role. */
export const dotLooks: Record<'root' | 'job' | 'error' | 'society' | 'chat', string> = {
  root: 'penwidth=2, fillcolor="#ddf4ff", color="#0969da", fontsize=12',
  job: 'fillcolor="#f6f8fa"',
  error: 'fillcolor="#ffebe9", color="#cf222e"',
  society: 'fillcolor="#fbefff", color="#8250df"',
  chat: 'fillcolor="#fffdf0"',
};
