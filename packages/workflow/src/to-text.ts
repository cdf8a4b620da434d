const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** UTF-8 as text, a BOM kept; what is no UTF-8 becomes U+FFFD. */
export const toText = (bytes: Uint8Array): string => decoder.decode(bytes);
