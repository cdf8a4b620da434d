import type { EventCosts } from '../event-costs.js';
import type { Graph } from '../graph.js';
import type { LabelOptions } from '../labels.js';
import type { TokenEvent } from '../token-event.js';

/** How a session is shown. */
export type RenderOptions = LabelOptions & {
  /** Each node's own tokens, which add up to the total, in place of all that it leads to. */
  component?: boolean;
  /** With the costs of events, they are told in money too. */
  costs?: EventCosts;
  /** Paints what must not be missed; a terminal may show it in red. */
  paint?: (text: string) => string;
};

/**
 * Shows a session as text, without a line end at its end. The same graph and events give the same text. Nothing that a name or
 * text of the session holds is obeyed by a terminal, Graphviz or mermaid.
 */
export type Render = (graph: Graph, events: readonly TokenEvent[], options?: RenderOptions) => string;
