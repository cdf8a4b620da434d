const fileEnding =
  /\.(chat|md|txt|json|ya?ml|toml|csv|tsv|log|ts|js|mjs|py|rb|sh|html?|pdf|png|jpe?g|svg|docx?|xlsx?)$/i;

const looksLikePath = (text: string): boolean =>
  /[/\\]/.test(text) || text.startsWith('~') || /^[A-Za-z]:/.test(text) || fileEnding.test(text);

/** A name of an agent or conversation, unless it could be a path: a timeline tells no file. */
export const opaque = (selector: string | undefined): string | undefined =>
  selector === undefined || looksLikePath(selector) ? undefined : selector;
