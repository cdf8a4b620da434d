const parseObject = (text: string): Record<string, unknown> | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Places of the commas between members, and of the brace that closes the object where it is there. */
const scan = (text: string): { commas: number[]; end?: number } => {
  const commas: number[] = [];
  let depth = 0;
  let inText = false;
  for (let index = 0; index < text.length; index++) {
    const sign = text[index]!;
    if (inText) {
      if (sign === '\\') index++;
      else if (sign === '"') inText = false;
    } else if (sign === '"') inText = true;
    else if (sign === '{' || sign === '[') depth++;
    else if (sign === ',' && depth === 1) commas.push(index);
    else if ((sign === '}' || sign === ']') && --depth === 0) return { commas, end: index };
  }
  return { commas };
};

/**
 * The members of a JSON object whose text breaks off, goes on with something else, or is no JSON somewhere: those that are
 * complete before that place. Undefined where it does not begin as an object. Cost: the length of the text times the logarithm
 * of the number of members.
 */
export const parsePartialObject = (text: string): Record<string, unknown> | undefined => {
  if (!/^\s*\{/.test(text)) return undefined;
  const { commas, end } = scan(text);
  const whole = end === undefined ? undefined : parseObject(text.slice(0, end + 1));
  if (whole) return whole;
  const upTo = (comma: number): Record<string, unknown> | undefined => parseObject(`${text.slice(0, comma)}}`);
  const last = commas.at(-1);
  const most = last === undefined ? undefined : upTo(last);
  if (most) return most;
  let best: Record<string, unknown> = {};
  // What is before a complete part is complete, so that the last one can be searched by halves.
  for (let low = 0, high = commas.length - 2; low <= high; ) {
    const middle = (low + high) >> 1;
    const part = upTo(commas[middle]!);
    if (part) {
      best = part;
      low = middle + 1;
    } else high = middle - 1;
  }
  return best;
};
