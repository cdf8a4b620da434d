import type { Operation } from '../vector.js';
import { analyst } from './analyst.js';
import { backends } from './backends.js';
import { compile } from './compile.js';
import { format } from './format.js';
import { lineage } from './lineage.js';
import { meta } from './meta.js';
import { prompt } from './prompt.js';
import { prov } from './prov.js';
import { provenance } from './provenance.js';
import { receipts } from './receipts.js';
import { tools } from './tools.js';

/** Every operation by its name. */
export const operations: Record<string, Operation> = {
  ...format,
  ...meta,
  ...lineage,
  ...receipts,
  ...provenance,
  ...prov,
  ...analyst,
  ...tools,
  ...prompt,
  ...compile,
  ...backends,
};
