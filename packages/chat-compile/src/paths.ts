// Paths as text, with `/` between names; a Windows path (`C:\…`) may use either slash. Nothing here looks at a disk.

const windows = /^[A-Za-z]:[\\/]/;

/** Whether a path says where it is without a folder to start from. */
export const isAbsolutePath = (path: string): boolean => path.startsWith('/') || windows.test(path);

const tidy = (path: string): string => {
  const parts: string[] = [];
  for (const part of (windows.test(path) ? path.replaceAll('\\', '/') : path).split('/')) {
    if (part === '..' && parts.length > 1) parts.pop();
    else if (part !== '..' && part !== '.' && (part !== '' || parts.length === 0)) parts.push(part);
  }
  return parts.length === 1 ? `${parts[0]}/` : parts.join('/');
};

/** A name seen from a folder, without `.` and `..`; an absolute name is itself. */
export const joinPath = (folder: string, name: string): string =>
  isAbsolutePath(name) ? tidy(name) : tidy(`${folder}/${name}`);

/** The folder that holds a path. */
export const parentOf = (path: string): string => joinPath(path, '..');

/** A path as seen from a folder that holds it; any other path as it is. */
export const shownFrom = (folder: string, path: string): string => {
  const prefix = folder.endsWith('/') ? folder : `${folder}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
};

/** Whether a reference is an `http(s)` address. */
export const isRemote = (name: string): boolean => /^https?:\/\//i.test(name);

/** A text with each address in it shown without what may be secret. */
export const withShownAddresses = (text: string): string => text.replace(/https?:\/\/\S+/gi, shownAddress);

/** An address without what may be secret in it: user, password, query. */
export const shownAddress = (address: string): string =>
  isRemote(address) ? address.replace(/^(https?:\/\/)(?:[^/?#]*@)?([^?#]*).*$/is, '$1$2') : address;
