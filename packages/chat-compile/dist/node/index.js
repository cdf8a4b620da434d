import {
  createContext
} from "../chunk-2GWJTZD3.js";

// src/node/disk-files.ts
import { open, readdir, readFile, realpath, stat } from "fs/promises";
var pageLimit = 2e7;
var pageTimeout = 3e4;
var nothing = /* @__PURE__ */ new Set(["ENOENT", "ENOTDIR", "ENAMETOOLONG", "ELOOP", "ERR_INVALID_ARG_VALUE"]);
var factsOf = async (path) => {
  try {
    const facts = await stat(path);
    return { kind: facts.isFile() ? "file" : facts.isDirectory() ? "directory" : "other", size: facts.size };
  } catch (error) {
    if (nothing.has(error.code ?? "")) return void 0;
    throw error;
  }
};
var readStart = async (path, length) => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
};
var readAddress = (address) => {
  if (!URL.canParse(address)) throw new Error("it is no valid address");
  const url = new URL(address);
  if (url.username === "" && url.password === "") return { url, headers: {} };
  const login = Buffer.from(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`);
  url.username = "";
  url.password = "";
  return { url, headers: { authorization: `Basic ${login.toString("base64")}` } };
};
var fetchText = async (address, signal) => {
  const timeout = AbortSignal.timeout(pageTimeout);
  const { url, headers } = readAddress(address);
  const response = await fetch(url, { headers, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
  if (!response.ok) throw new Error(`the server answered ${response.status} ${response.statusText}`.trim());
  const parts = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > pageLimit) throw new Error(`the page has more than ${pageLimit} bytes`);
    parts.push(part);
  }
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
};
var diskFiles = {
  stat: factsOf,
  readBytes: (path, length) => length === void 0 ? readFile(path) : readStart(path, length),
  list: (path) => readdir(path),
  realPath: (path) => realpath(path),
  fetchText
};

// src/node/node-context.ts
var nodeContext = (options) => createContext({ files: diskFiles, ...options });
export {
  diskFiles,
  nodeContext
};
