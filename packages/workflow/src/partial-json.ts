/**
 * The members of a JSON object whose text breaks off or goes on with something else: those that are complete. Undefined where it does not begin as an object.
 * Cost: the length of the text.
 */
export const parsePartialObject = (text: string): Record<string, unknown> | undefined => {
  if (!/^\s*\{/.test(text)) return undefined;
  let depth = 0;
  let inText = false;
  let comma = -1;
  for (let index = 0; index < text.length; index++) {
    const sign = text[index]!;
    if (inText) {
      if (sign === '\\') index++;
      else if (sign === '"') inText = false;
    } else if (sign === '"') inText = true;
    else if (sign === '{' || sign === '[') depth++;
    else if (sign === ',' && depth === 1) comma = index;
    else if ((sign === '}' || sign === ']') && --depth === 0) {
      const whole = parseObject(text.slice(0, index + 1));
      if (whole) return whole;
      break;
    }
  }
  // Where a member itself is no JSON, nothing behind it can be told apart.
  return comma === -1 ? {} : (parseObject(`${text.slice(0, comma)}}`) ?? {});
};

const parseObject = (text: string): Record<string, unknown> | undefined => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
