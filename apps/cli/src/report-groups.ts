/** Entries by the chat that their address `path#message` is in, chats in the order in which they come. Linear. */
export const groupByChat = <Entry>(
  entries: readonly Entry[],
  addressOf: (entry: Entry) => string,
): [chat: string, entries: Entry[]][] => {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const address = addressOf(entry);
    const chat = address.slice(0, address.lastIndexOf('#'));
    const group = groups.get(chat);
    if (group) group.push(entry);
    else groups.set(chat, [entry]);
  }
  return [...groups];
};
