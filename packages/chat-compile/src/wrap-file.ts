const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Text as the value of an XML attribute in double quotes; control characters by their number. */
const attribute = (text: string): string =>
  text.replace(/[&<>"\u0000-\u001f\u007f]/g, (letter) => entities[letter] ?? `&#${letter.charCodeAt(0)};`);

/** What the model sees of a file: `<file name="…">`, its text as it is, `</file>`, each on lines of their own. */
export const wrapFile = (name: string, text: string): string => `<file name="${attribute(name)}">\n${text}\n</file>`;
