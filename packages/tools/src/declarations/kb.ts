import { badDeclaration, missingEngine } from '../errors.js';
import type { Declaration } from './declaration.js';

/** `kb: name [database…]`: query tools of a knowledge base. */
export const kb: Declaration = async ([name, ...databases], message, sources) => {
  if (name === undefined) throw badDeclaration(message, 'expected the name of a knowledge base');
  if (!sources.knowledgeBase) throw missingEngine(message, 'a knowledge-base engine (`knowledgeBase`)');
  return { tools: await sources.knowledgeBase(name, databases, message) };
};
