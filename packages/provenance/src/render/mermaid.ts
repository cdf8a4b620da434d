import { type DrawnEdge, type DrawnNode, draw } from '../drawing.js';
import type { Render } from './render.js';

/** Text inside a quoted label: everything that mermaid, Markdown or HTML could read as theirs is a numbered entity. */
const mermaidText = (text: string): string =>
  text.replace(/["#&<>`\\*_~$;:{}()[\]|%@]/g, (character) => `#${character.codePointAt(0)};`);

const nodeLine = ({ node, lines, role }: DrawnNode, index: number): string => {
  const label = `"${lines.map(mermaidText).join('<br/>')}"`;
  const [open, close] = node.kind === 'job' || role === 'root' ? ['[', ']'] : ['(', ')'];
  return `n${index}${open}${label}${close}:::${role}`;
};

const arrows: Record<DrawnEdge['kind'], string> = {
  delegates: '-->|delegates|',
  produces: '-->|produces|',
  result: '-->|result|',
  sidecar: '-.->',
  continues: '-.->|continues|',
};

const looks = [
  'classDef root fill:#ddf4ff,stroke:#0969da,stroke-width:2px,color:#1f2328',
  'classDef job fill:#f6f8fa,stroke:#57606a,color:#1f2328',
  'classDef error fill:#ffebe9,stroke:#cf222e,color:#1f2328',
  'classDef society fill:#fbefff,stroke:#8250df,color:#1f2328',
  'classDef chat fill:#fffdf0,stroke:#57606a,color:#1f2328',
];

/** A session as a mermaid flowchart, which Markdown pages show; the same nodes and edges as the Graphviz picture. */
export const renderMermaid: Render = (graph, events, options) => {
  const { nodes, edges } = draw(graph, events, options);
  return [
    'flowchart LR',
    ...[...nodes.map(nodeLine), ...edges.map(({ from, to, kind }) => `n${from} ${arrows[kind]} n${to}`), ...looks].map(
      (line) => `  ${line}`,
    ),
  ].join('\n');
};
