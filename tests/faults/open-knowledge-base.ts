// Child process: node --import tsx -C colophon-source open-knowledge-base.ts FOLDER ENTITY…
import { openKnowledgeBase } from '@colophon/tools/knowledge-base';

const [, , folder = '', ...entities] = process.argv;
const { databases, close } = await openKnowledgeBase(folder, {
  onProgress: ({ done, total }) => process.stderr.write(`${done} of ${total}\n`),
});
console.log(JSON.stringify(await databases[0]?.pairs(entities)));
close();
