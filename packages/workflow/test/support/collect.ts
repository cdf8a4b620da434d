/** All that an async iterable yields. */
export const collect = async <Value>(values: AsyncIterable<Value>): Promise<Value[]> => {
  const list: Value[] = [];
  for await (const value of values) list.push(value);
  return list;
};
