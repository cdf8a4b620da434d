/** Whether a path says where it is without a folder to start from. */
export declare const isAbsolutePath: (path: string) => boolean;
/** A name seen from a folder, without `.` and `..`; an absolute name is itself. */
export declare const joinPath: (folder: string, name: string) => string;
/** The folder that holds a path. */
export declare const parentOf: (path: string) => string;
/** A path as seen from a folder that holds it; any other path as it is. */
export declare const shownFrom: (folder: string, path: string) => string;
/** Whether a reference is an `http(s)` address. */
export declare const isRemote: (name: string) => boolean;
/** A text with each address in it shown without what may be secret. */
export declare const withShownAddresses: (text: string) => string;
/** An address without what may be secret in it: user, password, query. */
export declare const shownAddress: (address: string) => string;
