import {
  createContext
} from "./chunk-2GWJTZD3.js";

// src/chat-result-type.ts
import { parseChat, printChat } from "@colophon/chat-format";
var isMessage = (value) => {
  const { role, content } = value ?? {};
  return typeof role === "string" && role !== "" && typeof content === "string";
};
var chatResultType = {
  extension: ".chat",
  problem: (value) => {
    if (typeof value === "string") return void 0;
    if (!Array.isArray(value)) return "it is neither chat text nor a list of messages";
    const index = value.findIndex((message) => !isMessage(message));
    return index < 0 ? void 0 : `element ${index + 1} is no message with a role and text as content`;
  },
  print: (value) => typeof value === "string" ? value : `${printChat(value)}
`,
  read: (bytes) => parseChat(new TextDecoder().decode(bytes)).map(({ role, content }) => ({ role, content }))
};

// src/compile-chat.ts
import { parseChat as parseChat3 } from "@colophon/chat-format";

// src/errors.ts
import { ColophonError } from "@colophon/chat-format";

// src/paths.ts
var windows = /^[A-Za-z]:[\\/]/;
var isAbsolutePath = (path) => path.startsWith("/") || windows.test(path);
var tidy = (path) => {
  const parts2 = [];
  for (const part of (windows.test(path) ? path.replaceAll("\\", "/") : path).split("/")) {
    if (part === ".." && parts2.length > 1) parts2.pop();
    else if (part !== ".." && part !== "." && (part !== "" || parts2.length === 0)) parts2.push(part);
  }
  return parts2.length === 1 ? `${parts2[0]}/` : parts2.join("/");
};
var joinPath = (folder, name) => isAbsolutePath(name) ? tidy(name) : tidy(`${folder}/${name}`);
var parentOf = (path) => joinPath(path, "..");
var shownFrom = (folder, path) => {
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
};
var isRemote = (name) => /^https?:\/\//i.test(name);
var withShownAddresses = (text) => text.replace(/https?:\/\/\S+/gi, shownAddress);
var shownAddress = (address) => isRemote(address) ? address.replace(/^(https?:\/\/)(?:[^/?#]*@)?([^?#]*).*$/is, "$1$2") : address;

// src/errors.ts
var shortened = (text) => text.length > 120 ? `${text.slice(0, 120)}\u2026` : text;
var quote = (text) => JSON.stringify(shortened(withShownAddresses(shownAddress(text))));
var messageIn = (cause) => cause instanceof Error ? cause.message || cause.code || cause.name : String(cause);
var reason = (cause) => {
  const parts2 = [];
  try {
    for (let error = cause, depth = 0; depth < 3; depth++) {
      const part = withShownAddresses(messageIn(error));
      if (!parts2.some((earlier) => earlier.includes(part))) parts2.push(part);
      if (!(error instanceof Error) || error.cause === void 0) break;
      error = error.cause;
    }
    return parts2.map((part) => part.replace(/(?<!\.)\.$/, "")).join(": ");
  } catch {
    return parts2.join(": ") || "something that can not be read";
  }
};
var problem = (code, subject, { received, expected, advice, ...facts }) => new ColophonError(
  code,
  `${subject ? `${subject.role}: ` : ""}expected ${expected}, got ${received}.${advice ? ` ${advice}` : ""}`,
  { at: subject?.at, role: subject?.role, received, expected, ...facts }
);
var showChain = (context, target) => {
  const shown = (file2) => shownFrom(context.workingDirectory, shownAddress(file2));
  const links = (context.chain ?? []).map(
    ({ file: file2, line }) => `${file2 ? shown(file2) : "(text)"}${line ? `:${line}` : ""}`
  );
  return [...links, shown(target)].join(" \u2192 ");
};
var abortedError = (signal) => new ColophonError("aborted", `Compiling was stopped: ${reason(signal.reason)}.`, {
  reason: reason(signal.reason),
  cause: signal.reason
});
var messageError = (index, received, cause) => problem("invalid_message", void 0, {
  received: `${received}${cause === void 0 ? "" : ` (${reason(cause)})`} at index ${index}`,
  expected: "a text or a message {role, content} with a role that is not empty",
  index,
  ...cause === void 0 ? {} : { cause }
});
var inputError = (received) => problem("invalid_input", void 0, { received, expected: 'chat text, {file: "name"} or an array of messages' });
var emptyError = (subject, expected) => problem("empty_directive", subject, { received: "nothing", expected, advice: "Write it behind the colon." });
var notFoundError = (subject, name, kind, { places, cause }, chain) => problem("not_found", subject, {
  received: `${quote(name)}, which ${cause === void 0 ? "is not there" : `can't be reached: ${reason(cause)}`}`,
  expected: `an existing ${kind}`,
  advice: `${chain ? `${chain}. ` : ""}Looked at: ${places.map(shortened).join(", ")}.`,
  name,
  places,
  chain,
  ...cause === void 0 ? {} : { cause }
});
var instead = {
  file: "Write `directory:` for the files in a folder.",
  directory: "Write `file:` for a single file."
};
var wrongKindError = (subject, path, expected, kind, chain) => problem("wrong_kind", subject, {
  received: `the ${kind === "other" ? "special file" : kind} ${path}`,
  expected: `a ${expected}`,
  advice: chain ? `${chain}. Name a chat file.` : kind === "other" ? void 0 : instead[subject?.role ?? ""],
  path,
  chain
});
var remoteFileError = (subject, address) => problem("remote_file", subject, {
  received: quote(address),
  expected: "a path on this machine",
  advice: "Download it first, let a tool fetch it, or name it as `image:` or `pdf:`."
});
var unreadableError = (subject, path, cause) => problem("unreadable", subject, {
  received: `${path}: ${reason(cause)}`,
  expected: "a file that can be read",
  path,
  cause
});
var notTextError = (subject, path) => problem("not_text", subject, {
  received: `${path}, which is not text`,
  expected: "text in UTF-8",
  advice: subject?.role === "file" ? "Use `image:` or `pdf:` for such a file, or let a tool read it." : void 0,
  path
});
var tooLargeError = (subject, path, size, limit) => problem("too_large", subject, {
  received: `${path} with ${size} bytes`,
  expected: `at most ${limit} bytes`,
  advice: "Put in a part of it, or let a tool read it.",
  path,
  size,
  limit
});
var totalSizeError = (subject, what, limit, chain) => problem("total_size", subject, {
  received: `more than that from ${what}`,
  expected: `at most ${limit} characters put in`,
  advice: `${chain ? `${chain}. ` : ""}Name less, or raise the limit \`totalCharacters\`.`,
  limit,
  chain
});
var importCycleError = (subject, chain) => problem("import_cycle", subject, {
  received: `a cycle of imports: ${chain}`,
  expected: "a chat that does not import itself",
  advice: "Take one of these lines out.",
  chain
});
var importDepthError = (subject, limit, chain) => problem("import_depth", subject, {
  received: `one more: ${chain}`,
  expected: `at most ${limit} files in a chain of imports`,
  limit,
  chain
});
var importFetchError = (subject, address, chain, cause) => problem("import_fetch", subject, {
  received: `${quote(address)}: ${cause === void 0 ? "this context reads no addresses" : reason(cause)}`,
  expected: "an address that can be read",
  advice: `${chain}.`,
  chain,
  retryable: cause !== void 0,
  cause
});
var importRoleError = (subject, allowed, chain) => problem("import_role", subject, {
  received: "this role in a chat from the web",
  expected: `only ${allowed.join(", ")} there`,
  advice: `${chain}. Save the chat as a file, read it, and import that.`,
  chain
});
var notAllowedError = (subject, policy, what, chain) => problem("not_allowed", subject, {
  received: what,
  expected: `nothing that has to be run (policy \`${policy}\`)`,
  advice: `${chain ? `${chain}. ` : ""}Compile with the policy \`run\` if you trust this chat.`,
  policy,
  chain
});
var noWorkflowsError = (subject, received) => problem("no_workflows", subject, {
  received: `${quote(received)} and no workflow engine`,
  expected: "a context with `workflows`",
  advice: "Nothing here can find or run a workflow: pass an engine in the context, or take the line out."
});
var taskFailedError = (subject, received, cause) => problem("task_failed", subject, {
  received: `${quote(received)}: ${reason(cause)}`,
  expected: "a task or a job that the engine can run",
  cause
});
var jobFailedError = (subject, path, status, exception) => problem("job_failed", subject, {
  received: `${path} with status \`${status}\`${exception ? `: ${exception}` : ""}`,
  expected: "a job with a result",
  advice: "Mend it and compile again, or set `inlineExceptions` in the context to go on with the exception.",
  path,
  status,
  exception
});
var notJsonError = (subject, what, cause) => problem("not_json", subject, {
  received: `${what}${cause === void 0 ? "" : `: ${reason(cause)}`}`,
  expected: "JSON",
  cause
});
var unknownJobError = (reference, folders) => new ColophonError(
  "unknown_job",
  `there is no job of that path or short path (Workflow/task/name); looked in ${folders.join(", ")}`,
  { reference, folders }
);
var lostJobError = (path, other) => new ColophonError(
  "lost_job",
  `it has no result, and what is recorded of its inputs makes another job now (${other}). Name its task and inputs to run it: task: Workflow task name=value`,
  { path, other }
);
var noStepError = (subject, received, expected) => problem("no_step", subject, { received, expected });
var roleNameError = (subject, received) => problem("invalid_role", subject, {
  received: quote(received),
  expected: "names of roles (small letters, digits, `_`)"
});
var configError = (subject, received) => problem("invalid_config", subject, { received: quote(received), expected: "`key value token\u2026`" });
var optionError = (subject, received) => problem("invalid_option", subject, {
  received: quote(received),
  expected: "`name value`",
  advice: received.includes("=") ? "Put a space between name and value, not `=`." : void 0
});
var inputsError = (subject, received, expected, advice) => problem("invalid_inputs", subject, { received, expected, advice });
var unprintableError = (key, received) => problem("unprintable", void 0, {
  received: `${received} as ${key}`,
  expected: "text, finite numbers, booleans, null, arrays and objects of them",
  key
});

// src/abort.ts
var stopIfAborted = ({ signal }) => {
  if (signal?.aborted) throw abortedError(signal);
};

// src/find-file.ts
var withHome = (name, { home }) => home !== void 0 && (name === "~" || name.startsWith("~/")) ? joinPath(home, name.slice(2) || ".") : name;
var fileOf = (message, context) => {
  const file2 = message?.at?.file ?? context.origin;
  return file2 === void 0 || isRemote(file2) ? void 0 : joinPath(context.workingDirectory, file2);
};
var placesFor = (name, context, message) => {
  const path = withHome(name, context);
  if (isAbsolutePath(path)) return [joinPath("/", path)];
  const file2 = fileOf(message, context);
  const folders = [
    ...file2 === void 0 ? [] : [parentOf(file2), joinPath(parentOf(file2), "chats")],
    context.workingDirectory,
    ...context.roots.map((root) => joinPath(root, "chats"))
  ];
  const places = folders.map((folder) => joinPath(folder, path));
  return [.../* @__PURE__ */ new Set([...places, ...places.map((place) => `${place}.chat`)])];
};
var lookUp = async (name, context, message, wanted) => {
  const places = placesFor(name, context, message);
  let other;
  let failed;
  for (const path of places) {
    stopIfAborted(context);
    try {
      const facts = await context.files.stat(path);
      if (facts?.kind === wanted) return { path, facts };
      if (facts) other ??= { path, kind: facts.kind };
    } catch (cause) {
      failed ??= { cause };
    }
  }
  stopIfAborted(context);
  return { places, ...other ? { other } : {}, ...failed };
};
var realPathOf = async (path, { files: files2 }) => {
  try {
    return await files2.realPath?.(path) ?? path;
  } catch {
    return path;
  }
};
var locate = async (name, context, { message, kind = "file" } = {}) => {
  const found = await lookUp(name, context, message, kind);
  if (found.path !== void 0) return found;
  if (found.other) throw wrongKindError(message, found.other.path, kind, found.other.kind);
  throw notFoundError(message, name, kind, found);
};
var findFile = async (name, context, sought) => (await locate(name, context, sought)).path;

// src/read-text.ts
var longestString = 536870888;
var decodeText = (bytes) => {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return void 0;
  }
};
var readBytes = async (path, context, subject, length) => {
  stopIfAborted(context);
  try {
    return await context.files.readBytes(path, length);
  } catch (cause) {
    stopIfAborted(context);
    throw unreadableError(subject, path, cause);
  }
};
var readText = async (path, size, context, subject, limit = longestString) => {
  if (size > limit) throw tooLargeError(subject, path, size, limit);
  const bytes = await readBytes(path, context, subject);
  if (bytes.length > limit) throw tooLargeError(subject, path, bytes.length, limit);
  const text = decodeText(bytes);
  if (text === void 0) throw notTextError(subject, path);
  return text;
};

// src/stages/clean.ts
import { isDirective } from "@colophon/chat-format";
var isResponseId = ({ role }) => role === "previous_response_id";
var isEmpty = ({ role, content }) => !/\S/.test(content) && !isDirective(role);
var cleanRoles = (chat, roles = ["skip", "previous_response_id"]) => chat.filter((message) => !roles.includes(message.role) && !isEmpty(message));
var purge = (chat) => chat.filter((message) => !isResponseId(message));
var pull = (chat) => {
  const id = chat.findLast(isResponseId)?.content;
  return { chat: purge(chat), ...id === void 0 ? {} : { id } };
};
var clean = (chat, { policy }) => {
  if (policy === "inspect") return chat;
  const kept = cleanRoles(chat, ["skip"]);
  const last = kept.findLastIndex(isResponseId);
  return kept.filter((message, index) => !isResponseId(message) || index === last);
};

// src/stages/clear.ts
import { pairToolCalls } from "@colophon/chat-format";
var isCall = ({ role }) => role === "function_call" || role === "mcp_call";
var isOutput = ({ role }) => role === "function_call_output";
var namesRole = ({ role }) => role === "clean_role" || role === "clear_role";
var rolesNamed = (message) => {
  const names = message.content.split(/[\s,]+/).filter((name) => name !== "");
  if (names.length === 0) throw emptyError(message, "the name of a role");
  for (const name of names) if (!/^[a-z][a-z0-9_]*$/.test(name)) throw roleNameError(message, name);
  return names;
};
var withoutRolesNamed = (chat) => {
  const roles = new Set(chat.filter(namesRole).flatMap(rolesNamed));
  return chat.filter((message) => !namesRole(message) && !roles.has(message.role));
};
var withoutToolsBefore = (chat, end) => {
  const outputs = /* @__PURE__ */ new Set();
  for (const { callAddress, outputAddress } of pairToolCalls(chat)) {
    if (callAddress < end) outputs.add(outputAddress);
  }
  return chat.filter(
    (message, index) => !(index < end && (isCall(message) || isOutput(message))) && !(isOutput(message) && outputs.has(index))
  );
};
var clear = (chat, { policy }) => {
  if (policy === "inspect") return chat;
  const kept = chat.slice(chat.findLastIndex(({ role }) => role === "clear") + 1);
  const cleaned = kept.some(namesRole) ? withoutRolesNamed(kept) : kept;
  const end = cleaned.findLastIndex(({ role, content }) => role === "clear_tools" && content.trim() !== "false");
  return end < 0 ? cleaned : withoutToolsBefore(cleaned, end);
};

// src/quoted.ts
var escapes = { n: "\n", r: "\r", t: "	", b: "\b", f: "\f" };
var unescaped = (text) => text.replace(
  /\\(u[0-9a-fA-F]{4}|["\\/nrtbf])/g,
  (_, code) => code.length > 1 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : escapes[code] ?? code
);
var readQuoted = (text, start) => {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return { value: unescaped(text.slice(start + 1, at)), end: at + 1 };
  }
  return void 0;
};
var readSingleQuoted = (text, start) => {
  const end = text.indexOf("'", start + 1);
  return end < 0 ? void 0 : { value: text.slice(start + 1, end), end: end + 1 };
};
var splitWords = (text) => {
  const words = [];
  const bare = /\S+/y;
  for (let at = 0; at < text.length; ) {
    const letter = text[at];
    if (/\s/.test(letter)) {
      at++;
      continue;
    }
    const quoted = letter === '"' ? readQuoted(text, at) : letter === "'" ? readSingleQuoted(text, at) : void 0;
    if (quoted && (quoted.end === text.length || /\s/.test(text[quoted.end]))) {
      words.push({ value: quoted.value, quoted: true });
      at = quoted.end;
    } else {
      bare.lastIndex = at;
      const [word] = bare.exec(text);
      words.push({ value: word, quoted: false });
      at += word.length;
    }
  }
  return words;
};

// src/configuration.ts
var toEntry = (words, text, subject) => {
  const [key, value, ...tokens] = words;
  if (key === void 0 || value === void 0) throw configError(subject, text);
  return { key, value, tokens };
};
var toConfigEntry = (text, subject) => toEntry(
  splitWords(text).map(({ value }) => value),
  text,
  subject
);
var parseConfig = (text, file2) => text.split("\n").flatMap((line, index) => {
  const words = splitWords(line);
  const comment = words.findIndex(({ value, quoted }) => !quoted && value.startsWith("#"));
  const kept = (comment < 0 ? words : words.slice(0, comment)).map(({ value }) => value);
  if (kept.length === 0) return [];
  return [toEntry(kept, line, { role: "config", at: { ...file2 ? { file: file2 } : {}, line: index + 1 } })];
});
var priorities = { line: 1, file: 2, task: 3, workflow: 4, key: 20 };
var toToken = (text) => {
  const [, name = text, given] = /^(.*)::(-?\d+)$/s.exec(text) ?? [];
  return { name, priority: given === void 0 ? priorities[/^(\w+):/.exec(name)?.[1] ?? ""] ?? 10 : Number(given) };
};
var toValue = (text, environment) => {
  if (text === "false") return false;
  if (text === "nil") return void 0;
  if (!text.startsWith("env:")) return text;
  const name = text.slice("env:".length).split(",").find((name2) => environment[name2]);
  return name === void 0 ? void 0 : environment[name];
};
var lookUpConfig = (entries, key, tokens = [], fallback, environment = {}) => {
  const rank = new Map([...tokens, `key:${key}`].map((token, index) => [token, index]).reverse());
  let best;
  for (const entry of entries) {
    if (entry.key !== key) continue;
    for (const token of [...entry.tokens, `key:${key}`]) {
      const { name, priority } = toToken(token);
      const place = rank.get(name);
      if (place === void 0) continue;
      if (!best || priority < best.priority || priority === best.priority && place <= best.rank) {
        best = { entry, priority, rank: place };
      }
    }
  }
  return best ? toValue(best.entry.value, environment) : fallback;
};

// src/stages/config.ts
var config = (chat, context) => {
  if (context.policy === "inspect") return chat;
  return chat.filter((message) => {
    if (message.role !== "config") return true;
    context.config.push(toConfigEntry(message.content, message));
    return false;
  });
};

// src/stages/files.ts
import { parseMeta } from "@colophon/chat-format";

// src/walk-folder.ts
import { ColophonError as ColophonError2 } from "@colophon/chat-format";
import ignore from "ignore";
var nameOf = (path) => path.slice(path.lastIndexOf("/") + 1);
var isCostly = (rule) => rule.split("/").filter((name) => name === "**").length > 3;
var rulesOf = async (folder, context, subject) => {
  const path = joinPath(folder, ".gitignore");
  const facts = await context.files.stat(path);
  if (facts?.kind !== "file") return void 0;
  const lines = (await readText(path, facts.size, context, subject)).split(/\r?\n/);
  const costly = lines.filter(isCostly);
  if (costly.length > 0) context.log?.(`${path}: rules with more than three ** were not read: ${costly.length}`);
  return ignore({ ignorecase: false }).add(lines.filter((line) => !isCostly(line)));
};
var rulesAbove = async (folder, context, subject) => {
  const above = [];
  let current = folder;
  let prefix = "";
  while (!await context.files.stat(joinPath(current, ".git"))) {
    const parent = parentOf(current);
    if (parent === current) return [];
    prefix = `${nameOf(current)}/${prefix}`;
    current = parent;
    above.unshift({ folder: current, prefix });
  }
  const found = [];
  for (const { folder: folder2, prefix: prefix2 } of above) {
    const rules = await rulesOf(folder2, context, subject);
    if (rules && !rules.test(prefix2).ignored) found.push({ rules, prefix: prefix2 });
  }
  return found;
};
var isIgnored = (rules, name) => {
  for (const { rules: here, prefix } of [...rules].reverse()) {
    const { ignored, unignored } = here.test(prefix + name);
    if (ignored || unignored) return ignored;
  }
  return false;
};
var walkFolder = async (folder, context, subject, { hidden, ignored }) => {
  const { files: files2 } = context;
  const found = [];
  const root = await realPathOf(folder, context);
  const below = root.endsWith("/") ? root : `${root}/`;
  const walk = async (path, relative, inherited) => {
    const own = ignored ? void 0 : await rulesOf(path, context, subject);
    const rules = own ? [...inherited, { rules: own, prefix: "" }] : inherited;
    for (const name of await files2.list(path)) {
      stopIfAborted(context);
      if (!hidden && name.startsWith(".") || !ignored && name === ".git") continue;
      const child = joinPath(path, name);
      const facts = await files2.stat(child);
      if (!facts || facts.kind === "other") continue;
      const isFolder = facts.kind === "directory";
      if (isIgnored(rules, isFolder ? `${name}/` : name)) continue;
      const real = await realPathOf(child, context);
      if (isFolder ? real !== below + relative + name : !real.startsWith(below)) {
        context.log?.(`${child} is a link and was left out of ${folder}`);
      } else if (isFolder) {
        const nested = rules.map(({ rules: rules2, prefix }) => ({ rules: rules2, prefix: `${prefix}${name}/` }));
        await walk(child, `${relative}${name}/`, nested);
      } else found.push({ path: child, relative: relative + name, facts });
    }
  };
  try {
    await walk(folder, "", ignored ? [] : await rulesAbove(folder, context, subject));
  } catch (cause) {
    if (cause instanceof ColophonError2) throw cause;
    throw unreadableError(subject, folder, cause);
  }
  return found.sort((one, other) => one.relative < other.relative ? -1 : one.relative > other.relative ? 1 : 0);
};

// src/wrap-file.ts
var entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
var attribute = (text) => text.replace(/[&<>"\u0000-\u001f\u007f]/g, (letter) => entities[letter] ?? `&#${letter.charCodeAt(0)};`);
var wrapFile = (name, text) => `<file name="${attribute(name)}">
${text}
</file>`;

// src/file-messages.ts
var sample = 8192;
var decoded = (bytes) => bytes.includes(0) ? void 0 : decodeText(bytes);
var looksLikeText = (bytes) => [0, 1, 2, 3].some((cut) => decoded(bytes.subarray(0, Math.min(bytes.length, sample) - cut)) !== void 0);
var textOf = async (path, size, message, context) => {
  const limit = context.limits.fileBytes;
  if (size > limit && !looksLikeText(await readBytes(path, context, message, sample))) return void 0;
  if (size > limit) throw tooLargeError(message, path, size, limit);
  const bytes = await readBytes(path, context, message);
  if (bytes.length > limit) throw tooLargeError(message, path, bytes.length, limit);
  return decoded(bytes);
};
var fileText = async ({ path, facts }, name, message, context) => {
  const text = await textOf(path, facts.size, message, context);
  if (text === void 0) throw notTextError(message, path);
  return wrapFile(name, text);
};
var readReference = (text) => {
  const asked = { hidden: false, ignored: false, binary: false };
  let name = text.trim();
  for (; ; ) {
    const [, key, value] = /\s(hidden|ignored|binary)=(true|false)$/.exec(name.slice(-20)) ?? [];
    if (key === void 0) return { name, ...asked };
    asked[key] = value === "true";
    name = name.slice(0, -`${key}=${value}`.length).trimEnd();
  }
};
var attachments = {
  png: "image",
  jpg: "image",
  jpeg: "image",
  gif: "image",
  webp: "image",
  pdf: "pdf"
};
var folderMessages = async (message, context, room) => {
  const { name, binary, ...walk } = readReference(message.content);
  if (name === "") throw emptyError(message, "the name of a folder");
  const folder = await findFile(name, context, { message, kind: "directory" });
  const result = [];
  let characters = 0;
  const toMessage2 = async ({ path, relative, facts }) => {
    const role = attachments[/\.(\w+)$/.exec(relative)?.[1]?.toLowerCase() ?? ""];
    if (role !== void 0 && binary) return { ...message, role, content: path };
    const text = await textOf(path, facts.size, message, context);
    if (text === void 0) return void 0;
    return { ...message, role: "user", content: wrapFile(`${name.replace(/\/+$/, "")}/${relative}`, text) };
  };
  for (const file2 of await walkFolder(folder, context, message, walk)) {
    const one = await toMessage2(file2);
    if (!one) continue;
    characters += one.content.length;
    if (characters > room) throw totalSizeError(message, folder, context.limits.totalCharacters);
    result.push(one);
  }
  if (result.length === 0) context.log?.(`${folder} holds no text files`);
  return result;
};

// src/engine.ts
var engineFor = (message, { workflows }) => {
  if (!workflows) throw noWorkflowsError(message, message.content);
  return workflows;
};
var askEngine = async (message, context, question) => {
  const engine2 = engineFor(message, context);
  stopIfAborted(context);
  try {
    return await question(engine2);
  } catch (cause) {
    stopIfAborted(context);
    throw taskFailedError(message, message.content, cause);
  }
};
var signalOf = ({ signal }) => signal ? { signal } : {};

// src/job-result.ts
var statusOf = ({ message, job }, context) => askEngine(message, context, () => job.status());
var produceUnfinished = async (named, context) => {
  const unfinished = [];
  for (const one of named) {
    const { status } = await statusOf(one, context);
    if (status === "done" || status === "error") continue;
    if (context.policy === "read")
      throw notAllowedError(one.message, context.policy, `${one.job.shortPath} (status \`${status}\`)`);
    unfinished.push(one);
  }
  const first = unfinished[0]?.message;
  if (!first) return;
  const jobs2 = unfinished.map(({ job }) => job);
  await askEngine(first, context, (engine2) => engine2.produce(jobs2, signalOf(context)));
};
var failureOf = async (one, context) => {
  const { status, exception } = await statusOf(one, context);
  if (status === "done") return void 0;
  const error = jobFailedError(one.message, one.job.shortPath, status, exception);
  return { error, exception: exception ?? `The job has no result, its status is ${status}` };
};

// src/result-text.ts
var resultText = (value, subject) => {
  if (typeof value === "string") return value;
  try {
    const text = JSON.stringify(value ?? null);
    if (text !== void 0) return text;
  } catch (cause) {
    throw notJsonError(subject, "a result", cause);
  }
  throw notJsonError(subject, `a ${typeof value} as result`);
};

// src/step-answer.ts
var isMessage2 = (value) => typeof value === "object" && value !== null && "role" in value && "content" in value;
var answerIn = (result) => {
  if (!Array.isArray(result) || result.length === 0 || !result.every(isMessage2)) return result;
  const chat = purge(result);
  return (chat.findLast(({ role }) => role === "assistant") ?? chat.at(-1))?.content;
};
var answersTo = (job, name) => [job.task, `${job.workflow}/${job.task}`, job.shortPath, job.path].includes(name);
var stepAnswer = async (message, lastJob, context) => {
  const name = message.content.trim();
  if (name === "") throw emptyError(message, "the name of a task that the last job depends on");
  engineFor(message, context);
  if (lastJob === void 0)
    throw noStepError(message, `${name} and no job`, "a `meta: job=\u2026` above that names the job");
  const seen = [];
  const job = await askEngine(message, context, (engine2) => engine2.load(lastJob));
  for (const path of await askEngine(message, context, () => job.dependencies())) {
    const dependency = await askEngine(message, context, (engine2) => engine2.load(path));
    seen.push(dependency.shortPath);
    if (!answersTo(dependency, name)) continue;
    const one = { message, job: dependency };
    await produceUnfinished([one], context);
    const failure = await failureOf(one, context);
    if (failure) throw failure.error;
    const result = await askEngine(message, context, () => dependency.load());
    return { ...message, role: "assistant", content: resultText(answerIn(result), message) };
  }
  throw noStepError(
    message,
    name,
    `a task among ${seen.length > 0 ? seen.join(", ") : "none"}, which ${lastJob} depends on`
  );
};

// src/stages/files.ts
var nameIn = ({ message }, expected) => {
  const name = message.content.trim();
  if (name === "") throw emptyError(message, expected);
  return name;
};
var file = async (place) => {
  const { message, context } = place;
  const name = nameIn(place, "the name of a file");
  if (isRemote(name)) throw remoteFileError(message, name);
  const found = await locate(name, context, { message });
  return [{ ...message, role: "user", content: await fileText(found, name, message, context) }];
};
var directory = async (place) => {
  const { message, context, room } = place;
  const name = nameIn(place, "the name of a folder");
  if (isRemote(name)) throw remoteFileError(message, name);
  return folderMessages(message, context, room);
};
var attachment = async (place) => {
  const { message, context } = place;
  const name = nameIn(place, "the name of a file or an address");
  if (isRemote(name) || /^data:/i.test(name)) return [{ ...message, content: name }];
  return [{ ...message, content: await findFile(name, context, { message }) }];
};
var step = async ({ message, context, lastJob }) => [
  await stepAnswer(message, lastJob, context)
];
var grant = (kind) => async (place) => {
  const { context } = place;
  const path = joinPath(context.workingDirectory, withHome(nameIn(place, "a path"), context));
  context.grants[kind].push(path);
  return [];
};
var readers = {
  file,
  directory,
  image: attachment,
  pdf: attachment,
  step,
  allow_path: grant("writable"),
  allow_read_path: grant("readable")
};
var isReader = (role) => Object.hasOwn(readers, role);
var sizeOf = (chat) => chat.reduce((sum, { content }) => sum + content.length, 0);
var files = async (chat, context) => {
  if (context.policy === "inspect") return chat;
  const { totalCharacters } = context.limits;
  const result = [];
  let lastJob;
  let room = totalCharacters;
  for (const message of chat) {
    const { role } = message;
    if (role === "meta") {
      const { job } = parseMeta(message.content);
      if (job !== void 0 && job !== "") lastJob = String(job);
    }
    if (!isReader(role)) {
      result.push(message);
      continue;
    }
    const messages = await readers[role]({ message, context, lastJob, room });
    if (role === "file" || role === "directory") room -= sizeOf(messages);
    if (room < 0) throw totalSizeError(message, "files", totalCharacters);
    for (const one of messages) result.push(one);
  }
  return result;
};

// src/stages/imports.ts
import { pairToolCalls as pairToolCalls2, parseChat as parseChat2 } from "@colophon/chat-format";
var parts = {
  import: purge,
  continue: (chat) => chat.filter(({ content }) => /\S/.test(content)).slice(-1),
  last: (chat) => purge(chat).slice(-1)
};
var conversation = ["user", "assistant", "function_call", "function_call_output", "mcp_call"];
var messageWeight = 100;
var measured = (chat) => ({
  chat,
  characters: chat.reduce((sum, { content }) => sum + messageWeight + content.length, 0)
});
var answered = (chat) => {
  const open = new Set(
    pairToolCalls2(chat).flatMap(({ callAddress, outputAddress }) => outputAddress === null ? [callAddress] : [])
  );
  return chat.filter((_, index) => !open.has(index));
};
var fetchChat = async (address, context, message) => {
  const known = context.imported?.get(address);
  if (known) return known;
  const chain = showChain(context, address);
  if (!context.files.fetchText) throw importFetchError(message, address, chain);
  let text;
  try {
    text = await context.files.fetchText(address, context.signal);
  } catch (cause) {
    stopIfAborted(context);
    throw importFetchError(message, address, chain, cause);
  }
  if (text.length > context.limits.totalCharacters)
    throw totalSizeError(message, shownAddress(address), context.limits.totalCharacters, chain);
  const chat = parseChat2(text, { file: shownAddress(address) });
  for (const foreign of chat) {
    if (!conversation.includes(foreign.role)) throw importRoleError(foreign, conversation, chain);
  }
  const imported = measured(answered(cleanRoles(chat)));
  context.imported?.set(address, imported);
  return imported;
};
var readChat = async (name, context, message, compileImported) => {
  const { origin, limits } = context;
  const found = await lookUp(name, context, message, "file");
  const chain = showChain(context, found.path ?? found.other?.path ?? name);
  if (found.path === void 0) {
    if (found.other) throw wrongKindError(message, found.other.path, "file", found.other.kind, chain);
    throw notFoundError(message, name, "chat file", found, chain);
  }
  const { path, facts } = found;
  const real = await realPathOf(path, context);
  if (path === origin || context.chain?.some((link) => link.real === real)) throw importCycleError(message, chain);
  const key = JSON.stringify([await realPathOf(parentOf(path), context), real]);
  const known = context.imported?.get(key);
  if (known) return known;
  if ((context.chain?.length ?? 0) > limits.importDepth) throw importDepthError(message, limits.importDepth, chain);
  if (facts.size > limits.totalCharacters * 3) throw totalSizeError(message, path, limits.totalCharacters, chain);
  const text = await readText(path, facts.size, context, message);
  const imported = measured(await compileImported(parseChat2(text, { file: path }), { ...context, origin: path }));
  context.imported?.set(key, imported);
  return imported;
};
var linkOf = async ({ at }, context) => {
  const file2 = at?.file ?? context.origin;
  const line = at ? { line: at.line } : {};
  if (file2 === void 0) return line;
  if (isRemote(file2)) return { file: file2, ...line };
  return { file: file2, ...line, real: await realPathOf(joinPath(context.workingDirectory, file2), context) };
};
var importChats = async (chat, context, compileImported) => {
  if (context.policy === "inspect" || !chat.some(({ role }) => Object.hasOwn(parts, role))) return chat;
  const imported = context.imported ?? /* @__PURE__ */ new Map();
  const { totalCharacters } = context.limits;
  const result = [];
  let characters = 0;
  for (const message of chat) {
    const part = Object.hasOwn(parts, message.role) ? parts[message.role] : void 0;
    if (!part) {
      result.push(message);
      continue;
    }
    stopIfAborted(context);
    const name = message.content.trim();
    if (name === "") throw emptyError(message, "the name of a chat file");
    const nested = { ...context, imported, chain: [...context.chain ?? [], await linkOf(message, context)] };
    const source = isRemote(name) ? await fetchChat(name, nested, message) : await readChat(name, nested, message, compileImported);
    const messages = part(source.chat);
    characters += messages.length === source.chat.length ? source.characters : measured(messages).characters;
    if (characters > totalCharacters)
      throw totalSizeError(message, "imports", totalCharacters, showChain(nested, name));
    for (const one of messages) result.push({ ...one });
  }
  return result;
};

// src/stages/jobs.ts
import { printCall } from "@colophon/chat-format";
var isJob = ({ role }) => role === "job" || role === "inline_job";
var loadJobs = async (chat, context) => {
  const named = /* @__PURE__ */ new Map();
  for (const message of chat) {
    if (!isJob(message)) continue;
    const path = message.content.trim();
    if (path === "") throw emptyError(message, "the path of a job");
    const job = await askEngine(message, context, (engine2) => engine2.load(path));
    named.set(message, { message, job });
  }
  return named;
};
var callIds = () => {
  const taken = /* @__PURE__ */ new Set();
  const uses = /* @__PURE__ */ new Map();
  return (shortPath) => {
    const start = shortPath.replace(/[^A-Za-z0-9_-]/g, "_").slice(-56);
    let id = start;
    while (taken.has(id)) {
      const use = (uses.get(start) ?? 1) + 1;
      uses.set(start, use);
      id = `${start}-${use}`;
    }
    taken.add(id);
    return id;
  };
};
var jobs = async (chat, context) => {
  if (context.policy === "inspect" || !chat.some(isJob)) return chat;
  const named = await loadJobs(chat, context);
  await produceUnfinished([...named.values()], context);
  const idFor = callIds();
  const result = [];
  for (const message of chat) {
    const one = named.get(message);
    if (!one) {
      result.push(message);
      continue;
    }
    const { job } = one;
    const failure = await failureOf(one, context);
    if (failure && !context.inlineExceptions) throw failure.error;
    const failed = failure && JSON.stringify({ exception: failure.exception });
    if (message.role === "inline_job") {
      result.push(
        failed === void 0 ? { ...message, role: "file", content: job.path } : { ...message, role: "user", content: wrapFile(job.shortPath, failed) }
      );
      continue;
    }
    const id = idFor(job.shortPath);
    const content = failed ?? resultText(await askEngine(message, context, () => job.load()), message);
    result.push(
      { ...message, role: "function_call", content: printCall({ id, name: job.task, arguments: job.inputs }) },
      { ...message, role: "function_call_output", content: JSON.stringify({ id, content }) }
    );
  }
  return result;
};

// src/stages/normalise.ts
import { ColophonError as ColophonError3 } from "@colophon/chat-format";
var kindOf = (value) => value === null ? "null" : Array.isArray(value) ? "an array" : typeof value;
var roleOf = (role) => typeof role === "symbol" ? role.description ?? "" : typeof role === "string" ? role : "";
var contentOf = (content) => {
  if (typeof content === "string") return content;
  if (content === null || content === void 0) return "";
  if (typeof content === "symbol") return content.description ?? "";
  const text = typeof content === "object" ? JSON.stringify(content) : String(content);
  if (typeof content === "function" || text === void 0) throw new TypeError("its content has no text");
  return text;
};
var isPosition = (at) => {
  if (typeof at !== "object" || at === null) return false;
  const { file: file2, line } = at;
  return typeof line === "number" && (file2 === void 0 || typeof file2 === "string");
};
var keyOf = (key) => typeof key === "symbol" ? key.description ?? "" : String(key);
var toMessage = (value, index) => {
  if (typeof value === "string") return { role: "user", content: value };
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw messageError(index, kindOf(value));
  const fields = value instanceof Map ? Object.fromEntries([...value].map(([key, field]) => [keyOf(key), field])) : { ...value };
  const role = roleOf(fields["role"]);
  if (role === "") throw messageError(index, "a message without a role");
  if (!isPosition(fields["at"])) delete fields["at"];
  return { ...fields, role, content: contentOf(fields["content"]) };
};
var readMessage = (value, index) => {
  try {
    return toMessage(value, index);
  } catch (cause) {
    throw cause instanceof ColophonError3 ? cause : messageError(index, "a message that can not be read", cause);
  }
};
var normalise = (chat) => Array.from(chat, readMessage);

// src/stages/setup.ts
import { chat as annotated } from "@colophon/chat-format";
var setup = (chat) => annotated(chat);

// src/typed-value.ts
var number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
var toNumber = (text) => {
  if (!number.test(text)) return void 0;
  const value = Number(text);
  if (!Number.isFinite(value)) return void 0;
  return /[.eE]/.test(text) || Number.isSafeInteger(value) || String(value) === text ? value : void 0;
};
var toJson = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};
var scalarValue = (text) => {
  if (text === "true") return true;
  if (text === "false") return false;
  if (text === "null" || text === "nil") return null;
  return toNumber(text) ?? text;
};
var typedValue = (text) => {
  const trimmed = text.trim();
  const first = trimmed[0];
  if (first === "{" || first === "[") return toJson(trimmed);
  const quoted = first === '"' ? readQuoted(trimmed, 0) : first === "'" ? readSingleQuoted(trimmed, 0) : void 0;
  if (quoted?.end === trimmed.length) return quoted.value;
  return scalarValue(trimmed);
};

// src/input-values.ts
var indexOf = (pattern, text, start) => {
  pattern.lastIndex = start;
  return pattern.exec(text)?.index ?? text.length;
};
var skipSpace = (text, start) => indexOf(/\S/g, text, start);
var endOfWord = (text, start) => indexOf(/\s/g, text, start);
var isEnd = (text, at) => at >= text.length || /\s/.test(text[at]);
var readQuotes = (text, at, subject) => {
  if (text[at] === '"') {
    const quoted2 = readQuoted(text, at);
    if (!quoted2)
      throw inputsError(subject, 'a `"` that is never closed', "quotes in pairs", 'Write `\\"` inside quotes.');
    return quoted2;
  }
  const quoted = text[at] === "'" ? readSingleQuoted(text, at) : void 0;
  return quoted && (isEnd(text, quoted.end) || text[quoted.end] === ",") ? quoted : void 0;
};
var readBrackets = (text, start, key, subject) => {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const letter = text[at];
    if (letter === '"') at = (readQuoted(text, at)?.end ?? text.length) - 1;
    else if (letter === "[" || letter === "{") depth++;
    else if ((letter === "]" || letter === "}") && --depth === 0) {
      const end = endOfWord(text, at + 1);
      const value = text.slice(start, end);
      try {
        return { value: JSON.parse(value), end };
      } catch {
        return { value, end };
      }
    }
  }
  throw inputsError(
    subject,
    `\`${text[start]}\` in ${key} that is never closed`,
    "brackets in pairs",
    "Put text in quotes."
  );
};
var readItems = (text, start, key, subject) => {
  const items = [];
  let isText = false;
  let at = start;
  for (; ; ) {
    const quoted = readQuotes(text, at, subject);
    if (quoted) {
      items.push(quoted.value);
      at = quoted.end;
      isText = true;
      if (!isEnd(text, at) && text[at] !== ",") {
        const behind = text.slice(at, endOfWord(text, at));
        throw inputsError(subject, `${JSON.stringify(behind)} right behind the quotes of ${key}`, "a space there");
      }
    } else {
      const end = indexOf(/[\s,]/g, text, at);
      items.push(text.slice(at, end));
      at = end;
    }
    if (text[at] !== ",") break;
    at++;
    if (isEnd(text, at)) return { value: items, end: at };
  }
  const [only = ""] = items;
  if (items.length > 1) return { value: items, end: at };
  return { value: isText ? only : bareValue(only), end: at };
};
var bareValue = (text) => {
  if (/^:[A-Za-z_]\w*$/.test(text)) return text.slice(1);
  return /^\.\d+$/.test(text) ? Number(text) : scalarValue(text);
};
var readValue = (text, at, key, subject) => text[at] === "[" || text[at] === "{" ? readBrackets(text, at, key, subject) : readItems(text, at, key, subject);

// src/inputs-line.ts
var bareWordError = (text, at, subject) => inputsError(
  subject,
  `the bare word ${JSON.stringify(text.slice(at, endOfWord(text, at)))}`,
  "`Workflow task key=value \u2026`",
  "Put a value with spaces in quotes, and no space around `=`."
);
var readKey = (text, start, subject) => {
  const quoted = text[start] === '"' ? readQuoted(text, start) : void 0;
  const end = quoted?.end ?? indexOf(/[\s=]/g, text, start);
  if (text[end] !== "=" || end === start) throw bareWordError(text, start, subject);
  return { value: quoted?.value ?? text.slice(start, end), end: end + 1, quoted: quoted !== void 0 };
};
var readName = (text, start, what, subject) => {
  const quoted = text[start] === '"' ? readQuoted(text, start) : void 0;
  const end = quoted?.end ?? endOfWord(text, start);
  const value = quoted?.value ?? text.slice(start, end);
  const isName = value !== "" && isEnd(text, end) && (quoted !== void 0 || !value.includes("="));
  if (!isName) throw inputsError(subject, `${JSON.stringify(value)} as the ${what}`, "`Workflow task key=value \u2026`");
  return { value, end };
};
var parseInputsLine = (text, subject) => {
  const workflow = readName(text, skipSpace(text, 0), "workflow", subject);
  const task = readName(text, skipSpace(text, workflow.end), "task", subject);
  const inputs = /* @__PURE__ */ new Map();
  let name;
  for (let at = skipSpace(text, task.end); at < text.length; at = skipSpace(text, at)) {
    const key = readKey(text, at, subject);
    const { value, end } = readValue(text, key.end, key.value, subject);
    at = end;
    const isName = key.value === "jobname" && !key.quoted;
    if (isName ? name !== void 0 : inputs.has(key.value))
      throw inputsError(subject, `${key.value} twice`, "each input once");
    if (!isName) inputs.set(key.value, value);
    else if (value !== null) name = typeof value === "string" ? value : text.slice(key.end, end);
  }
  const line = { workflow: workflow.value, task: task.value, inputs: Object.fromEntries(inputs) };
  return name === void 0 ? line : { ...line, name };
};
var printName = (name) => /^[\w./:@+#-]+$/.test(name) ? name : JSON.stringify(name);
var printKey = (key) => /^[A-Za-z_][\w.-]*$/.test(key) && key !== "jobname" ? key : JSON.stringify(key);
var kindOf2 = (value) => typeof value === "number" ? String(value) : typeof value;
var isPlain = (value) => Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value));
var checkJson = (value, key, around) => {
  if (value === null || typeof value === "string" || typeof value === "boolean") return;
  if (typeof value === "number" && Number.isFinite(value)) return;
  if (typeof value !== "object" || !isPlain(value)) throw unprintableError(key, kindOf2(value));
  if (around.has(value)) throw unprintableError(key, "a value that contains itself");
  around.add(value);
  for (const part of Object.values(value)) checkJson(part, key, around);
  around.delete(value);
};
var printValue = (value, key) => {
  if (typeof value === "string")
    return /^[\w./:@%+-]+$/.test(value) && bareValue(value) === value ? value : JSON.stringify(value);
  if (Object.is(value, -0)) return "-0";
  try {
    checkJson(value, key, /* @__PURE__ */ new Set());
    return JSON.stringify(value);
  } catch (error) {
    throw error instanceof RangeError ? unprintableError(key, "a value nested too deep") : error;
  }
};
var printInputsLine = ({ workflow, task, inputs, name }) => [
  printName(workflow),
  printName(task),
  ...name === void 0 ? [] : [`jobname=${printValue(name, "jobname")}`],
  ...Object.entries(inputs).flatMap(
    ([key, value]) => value === void 0 ? [] : [`${printKey(key)}=${printValue(value, key)}`]
  )
].join(" ");

// src/stages/tasks.ts
var jobRoles = { task: "job", inline_task: "inline_job", exec_task: null };
var mayStart = (content) => {
  const server = content.split(/\s+/).find((word) => word !== "" && !word.startsWith("as=")) ?? "";
  return server === "stdio" || /["'\\]/.test(server);
};
var executes = ({ role, content }) => Object.hasOwn(jobRoles, role) || role === "mcp" && mayStart(content);
var refuseToExecute = (chat, context) => {
  const message = chat.find(executes);
  if (!message) return;
  const chain = context.chain && context.origin ? showChain(context, context.origin) : void 0;
  throw notAllowedError(message, context.policy, "a directive that executes something", chain);
};
var execute = async (line, message, context) => {
  const result = await askEngine(
    message,
    context,
    (engine2) => engine2.execute(line.workflow, line.task, line.inputs, signalOf(context))
  );
  return { ...message, role: "user", content: resultText(result, message) };
};
var tasks = async (chat, context) => {
  if (context.policy === "inspect") return chat;
  if (context.policy === "read") refuseToExecute(chat, context);
  const lines = /* @__PURE__ */ new Map();
  for (const message of chat) {
    if (!Object.hasOwn(jobRoles, message.role)) continue;
    lines.set(message, parseInputsLine(message.content, message));
    engineFor(message, context);
  }
  const jobs2 = [];
  const result = [];
  let first;
  for (const message of chat) {
    const line = lines.get(message);
    const role = jobRoles[message.role];
    if (!line) result.push(message);
    else if (!role) result.push(await execute(line, message, context));
    else {
      first ??= message;
      const { workflow, task, inputs, name } = line;
      const job = await askEngine(
        message,
        context,
        (engine2) => engine2.job(workflow, task, inputs, name === void 0 ? {} : { name })
      );
      jobs2.push(job);
      result.push({ ...message, role, content: job.path });
    }
  }
  if (first) {
    const message = first;
    await askEngine(message, context, (engine2) => engine2.produce(jobs2, signalOf(context)));
  }
  return result;
};

// src/stages.ts
var runStages = async (chat, context) => {
  let compiled = chat;
  for (const stage of context.stages ?? stages) {
    stopIfAborted(context);
    compiled = await stage(compiled, context);
  }
  stopIfAborted(context);
  return compiled;
};
var imports = (chat, context) => importChats(chat, context, runStages);
var stages = [normalise, imports, clear, clean, config, tasks, jobs, files, setup];

// src/compile-chat.ts
var parse = (text, file2) => {
  const chat = parseChat3(text, { file: file2 ?? "" });
  if (file2 === void 0) {
    for (const message of chat) if (message.at) message.at = { line: message.at.line };
  }
  return chat;
};
var isMessages = (input) => Array.isArray(input);
var readInput = async (input, context) => {
  const origin = context.origin === void 0 ? {} : { origin: context.origin };
  if (typeof input === "string") return { chat: parse(input, context.origin), ...origin };
  if (isMessages(input)) return { chat: input, ...origin };
  const file2 = input?.file;
  if (typeof file2 !== "string" || file2.trim() === "")
    throw inputError(
      typeof input === "object" && input ? `{file: ${JSON.stringify(file2) ?? typeof file2}}` : String(input)
    );
  const { origin: _, ...elsewhere } = context;
  const { path, facts } = await locate(file2, elsewhere);
  return { chat: parse(await readText(path, facts.size, context, void 0), path), origin: path };
};
var compileChat = async (input, context) => {
  const { config: config2, grants } = context;
  const own = {
    ...context,
    config: [...config2],
    grants: { writable: [...grants.writable], readable: [...grants.readable] },
    imported: /* @__PURE__ */ new Map()
  };
  const known = config2.length;
  const { chat, ...place } = await readInput(input, own);
  const compiled = await runStages(chat, { ...own, ...place });
  for (const entry of own.config.slice(known)) config2.push(entry);
  for (const kind of ["writable", "readable"]) {
    const granted = new Set(grants[kind]);
    for (const path of new Set(own.grants[kind])) if (!granted.has(path)) grants[kind].push(path);
  }
  return compiled;
};

// src/take-options.ts
var sticky = /* @__PURE__ */ new Set(["endpoint", "model", "backend", "agent", "previous_response_id"]);
var nameOf2 = ({ content }) => {
  const text = content.trim();
  const value = typedValue(text);
  if (text === "" || value === null) return null;
  return value === false || typeof value === "string" ? value : text;
};
var readOption = (message) => {
  const [, name = "", value = ""] = /^(\S*)\s*(.*)$/s.exec(message.content.trim()) ?? [];
  if (!/^[A-Za-z_][\w.-]*$/.test(name)) throw optionError(message, message.content);
  return [name, value === "" ? true : typedValue(value)];
};
var looksLikePath = (text) => !text.includes("\n") && /^[^{[./]*[./]/.test(text);
var readFormat = async (value, message, context) => {
  if (value === "") return null;
  if (typeof value !== "string" || !context || context.policy === "inspect" || !looksLikePath(value)) return value;
  const found = await lookUp(value, context, message, "file");
  if (found.path === void 0) {
    if (!value.endsWith(".json")) return value;
    throw notFoundError(message, value, "file", found);
  }
  const { path, facts } = found;
  const text = await readText(path, facts.size, context, message, context.limits.fileBytes);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw notJsonError(message, path, cause);
  }
};
var takeOptions = async (chat, context) => {
  const lasting = /* @__PURE__ */ new Map();
  const passing = /* @__PURE__ */ new Map();
  const rest = [];
  let continuesAt;
  for (const message of chat) {
    const { role } = message;
    if (sticky.has(role)) {
      lasting.set(role, nameOf2(message));
      if (role === "previous_response_id") continuesAt = rest.length;
    } else if (role === "option" || role === "sticky_option") {
      const [name, value] = readOption(message);
      const read = name === "format" ? await readFormat(value, message, context) : value;
      (role === "option" ? passing : lasting).set(name, read);
    } else if (role === "format") {
      passing.set(role, await readFormat(typedValue(message.content), message, context));
    } else if (role === "persist") {
      passing.set(role, message.content.trim() === "" ? true : typedValue(message.content));
    } else {
      if (role === "assistant") passing.clear();
      rest.push(message);
    }
  }
  const holding = new Map([...lasting, ...passing]);
  const continues = holding.get("previous_response") !== false && typeof holding.get("previous_response_id") === "string";
  if (!continues) holding.delete("previous_response_id");
  const options = Object.fromEntries([...holding].filter(([, value]) => value !== null));
  return { options, chat: rest, ...continues && continuesAt !== void 0 ? { continuesAt } : {} };
};

// src/workflows.ts
var engine = () => import("@colophon/workflow");
var stateOf = ({ done, status, exception }) => {
  if (done && status !== "error") return { status: "done" };
  return {
    status: status === "done" ? "done without a result" : status,
    ...exception === void 0 ? {} : { exception: exception.message }
  };
};
var givenInputs = ({ info, inputs }) => info.provided_inputs ?? inputs;
var dependenciesBelow = async (path, read) => {
  const seen = /* @__PURE__ */ new Set([path]);
  for (const next of seen) for (const below of (await read(next)).dependencies) seen.add(below);
  return [...seen].slice(1);
};
var toWorkflows = (context) => {
  const roots = [context.jobs, ...context.jobRoots ?? []];
  const { host, isAlive, now } = context;
  const created = /* @__PURE__ */ new WeakMap();
  const withChats = async () => {
    const { resultTypes } = await engine();
    return { ...context, resultTypes: { ...resultTypes, ...context.resultTypes, chat: chatResultType } };
  };
  const read = async (path) => (await engine()).readJob(path, { roots, host, isAlive, now });
  const toHandle = (facts) => ({
    ...facts,
    status: async () => stateOf(await read(facts.path)),
    load: async () => {
      const { loadResult } = await engine();
      return loadResult(await read(facts.path), (await withChats()).resultTypes);
    },
    dependencies: () => dependenciesBelow(facts.path, read)
  });
  const create = async (workflow, task, inputs, name) => {
    const { createJob } = await engine();
    return createJob(workflow, task, inputs, {
      ...name === void 0 ? {} : { jobName: name },
      context: await withChats()
    });
  };
  const recreate = async ({ path }) => {
    const record = await read(path);
    const { job_name: given } = record.info;
    const name = typeof given === "string" ? given : record.cleanName;
    const job = await create(record.workflow, record.task, givenInputs(record), name);
    if (job.shortPath !== record.shortPath) throw lostJobError(path, job.path);
    return job;
  };
  return {
    job: async (workflow, task, inputs, { name }) => {
      const job = await create(workflow, task, inputs, name);
      const { path, shortPath, provided } = job;
      const handle = toHandle({ path, shortPath, workflow: job.workflow, task: job.task, inputs: provided });
      created.set(handle, job);
      return handle;
    },
    load: async (reference) => {
      const { findJob } = await engine();
      const path = await findJob(reference, { roots });
      if (path === void 0) throw unknownJobError(reference, roots);
      const record = await read(path);
      const { shortPath, workflow, task } = record;
      return toHandle({ path, shortPath, workflow, task, inputs: givenInputs(record) });
    },
    produce: async (handles, { signal }) => {
      const { produce } = await engine();
      const jobs2 = await Promise.all(handles.map((handle) => created.get(handle) ?? recreate(handle)));
      await produce(jobs2, signal ? { signal } : {});
    },
    execute: async (workflow, task, inputs, { signal }) => {
      const { executeTask } = await engine();
      return executeTask(workflow, task, inputs, { context: await withChats(), ...signal ? { signal } : {} });
    }
  };
};
export {
  chatResultType,
  clean,
  cleanRoles,
  clear,
  compileChat,
  config,
  createContext,
  files,
  findFile,
  imports,
  jobs,
  lookUpConfig,
  normalise,
  parseConfig,
  parseInputsLine,
  printInputsLine,
  pull,
  purge,
  setup,
  stages,
  takeOptions,
  tasks,
  toWorkflows,
  typedValue
};
