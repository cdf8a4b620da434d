/**
 * Hands messages on one after the other as they come, except that those of one id keep the order of their calls: readers pair
 * repeated ids first in, first out. After a failure of `hand` nothing more is handed on, `onFailure` is told, and `done`
 * rejects with it. Linear.
 */
export const emitInOrder = <M>(
  ids: readonly string[],
  hand: (message: M, index: number) => Promise<unknown>,
  onFailure: (error: unknown) => void,
) => {
  const queues = new Map<string, { indexes: number[]; next: number }>();
  ids.forEach((id, index) => {
    const queue = queues.get(id);
    if (queue) queue.indexes.push(index);
    else queues.set(id, { indexes: [index], next: 0 });
  });
  const waiting = new Map<number, M>();
  let failed: { error: unknown } | undefined;
  let last: Promise<void> = Promise.resolve();
  const enqueue = (message: M, index: number) => {
    last = last.then(async () => {
      if (failed) return;
      try {
        await hand(message, index);
      } catch (error) {
        failed = { error };
        onFailure(error);
      }
    });
  };
  return {
    emit: (message: M, index: number) => {
      const queue = queues.get(ids[index]!)!;
      waiting.set(index, message);
      for (
        let head = queue.indexes[queue.next];
        head !== undefined && waiting.has(head);
        head = queue.indexes[queue.next]
      ) {
        enqueue(waiting.get(head)!, head);
        waiting.delete(head);
        queue.next++;
      }
    },
    done: async () => {
      await last;
      if (failed) throw failed.error;
    },
  };
};
