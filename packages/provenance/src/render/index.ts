import { renderDot } from './dot.js';
import { renderEvidence } from './evidence.js';
import { renderFlow } from './flow.js';
import { renderJson } from './json.js';
import { renderMermaid } from './mermaid.js';
import type { Render } from './render.js';
import { renderTimeline } from './timeline.js';
import { renderTree } from './tree.js';

/** Every way to show a session, by name. */
export const renders = {
  tree: renderTree,
  flow: renderFlow,
  dot: renderDot,
  timeline: renderTimeline,
  evidence: renderEvidence,
  mermaid: renderMermaid,
  json: renderJson,
} satisfies Record<string, Render>;
