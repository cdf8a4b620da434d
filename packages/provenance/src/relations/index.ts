import type { Relation } from '../graph.js';
import { agentJob } from './agent-job.js';
import { dependency } from './dependency.js';
import { job } from './job.js';
import { log } from './log.js';
import type { RelationFinder } from './relation.js';
import { result } from './result.js';

/** The one list of relations, in the order in which the edges of a node are told. `imports`, `continue` and `last` are none. */
export const relations = { job, agent_job: agentJob, dependency, log, result } satisfies Record<
  Relation,
  RelationFinder
>;
