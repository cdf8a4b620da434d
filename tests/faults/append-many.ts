// Child process: node --import tsx -C colophon-source append-many.ts FILE NAME COUNT
import { appendMessages, openAppender } from '@colophon/chat-format/node';

const [, , file = '', name = '', count = '0'] = process.argv;
const appender = await openAppender(file);

for (let index = 0; index < Number(count); index++) {
  const message = { role: 'user', content: `${name} ${index}\n\`\`\`\nassistant: no turn of ${name}` };
  if (index % 2 === 0) await appender.append([message]);
  else await appendMessages(file, [message]);
}
