import ts from 'typescript';

/** A module that a file names, however it does; `line` is 1-based. */
export type Import = { specifier: string; line: number };

/** A thing that a file takes from its surroundings instead of being handed it: `process.env`, `Date.now`, … */
export type Ambient = { what: string; line: number };

// The checks read one file after the other, each several times.
let last: ts.SourceFile | undefined;

const parse = (path: string, text: string): ts.SourceFile => {
  if (last?.fileName !== path || last.text !== text)
    last = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  return last;
};

const lineOf = (file: ts.SourceFile, node: ts.Node): number =>
  file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1;

const walk = (node: ts.Node, visit: (node: ts.Node) => void): void => {
  visit(node);
  ts.forEachChild(node, (child) => walk(child, visit));
};

const isLoader = (callee: ts.Expression): boolean =>
  callee.kind === ts.SyntaxKind.ImportKeyword ||
  (ts.isIdentifier(callee) && callee.text === 'require') ||
  (ts.isPropertyAccessExpression(callee) &&
    ['import.meta.resolve', 'require.resolve', 'module.require'].includes(callee.getText()));

const specifierOf = (node: ts.Node): ts.Node | undefined => {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : undefined;
  if (ts.isExternalModuleReference(node)) return node.expression;
  if (ts.isCallExpression(node) && isLoader(node.expression)) return node.arguments[0];
  return undefined;
};

/** Every import of a source: static, dynamic, of types, re-exports, `require`. What is not a literal is left out. */
export const readImports = (path: string, text: string): Import[] => {
  const file = parse(path, text);
  const imports: Import[] = [];
  walk(file, (node) => {
    const specifier = specifierOf(node);
    if (specifier && ts.isStringLiteralLike(specifier))
      imports.push({ specifier: specifier.text, line: lineOf(file, specifier) });
  });
  return imports;
};

const ambientMembers: Record<string, readonly string[]> = {
  process: ['env', 'cwd', 'argv', 'hrtime', 'uptime'],
  Math: ['random'],
  Date: ['now'],
  performance: ['now', 'timeOrigin'],
  crypto: ['randomUUID', 'getRandomValues', 'randomBytes', 'randomInt'],
  os: ['homedir', 'tmpdir', 'userInfo'],
};

const ambientModules: Record<string, string> = {
  'node:process': 'process',
  'node:crypto': 'crypto',
  'node:os': 'os',
  'node:perf_hooks': 'performance',
};

const withNode = (specifier: string): string => (specifier.startsWith('node:') ? specifier : `node:${specifier}`);

// process · globalThis.process · global.process
const baseName = (expression: ts.Expression): string | undefined => {
  if (ts.isIdentifier(expression)) return expression.text;
  if (ts.isPropertyAccessExpression(expression) && ['globalThis', 'global'].includes(expression.expression.getText()))
    return expression.name.text;
  return undefined;
};

const bindingNames = (name: ts.BindingName): string[] =>
  ts.isObjectBindingPattern(name)
    ? name.elements.map((element) => (element.propertyName ?? element.name).getText())
    : [];

const membersOf = (node: ts.Node): { base: string | undefined; members: string[] } => {
  if (ts.isPropertyAccessExpression(node)) return { base: baseName(node.expression), members: [node.name.text] };
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
    return { base: baseName(node.expression), members: [node.argumentExpression.text] };
  }
  if (ts.isVariableDeclaration(node) && node.initializer)
    return { base: baseName(node.initializer), members: bindingNames(node.name) };
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    const bindings = node.importClause?.namedBindings;
    const members =
      bindings && ts.isNamedImports(bindings)
        ? bindings.elements.map((element) => (element.propertyName ?? element.name).text)
        : [];
    return { base: ambientModules[withNode(node.moduleSpecifier.text)], members };
  }
  return { base: undefined, members: [] };
};

const isDateOfNow = (node: ts.Node): boolean =>
  (ts.isNewExpression(node) && node.expression.getText() === 'Date' && (node.arguments ?? []).length === 0) ||
  (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === 'Date');

/** What a source reads of time, chance, environment and place. Types do not count. */
export const readAmbient = (path: string, text: string): Ambient[] => {
  const file = parse(path, text);
  const found: Ambient[] = [];
  walk(file, (node) => {
    if (isDateOfNow(node)) found.push({ what: 'new Date()', line: lineOf(file, node) });
    const { base, members } = membersOf(node);
    const known = base === undefined || !Object.hasOwn(ambientMembers, base) ? [] : ambientMembers[base]!;
    for (const member of members.filter((name) => known.includes(name)))
      found.push({ what: `${base}.${member}`, line: lineOf(file, node) });
  });
  return found;
};

const nodeGlobals = ['process', 'Buffer', 'require', '__dirname', '__filename', 'setImmediate', 'global'];

const isName = (node: ts.Identifier): boolean => {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isQualifiedName(parent) && parent.right === node) ||
    ('name' in parent && parent.name === node) ||
    ('propertyName' in parent && parent.propertyName === node)
  );
};

/** Globals that only Node has and that a source uses. */
export const readNodeGlobals = (path: string, text: string): Ambient[] => {
  const file = parse(path, text);
  const found: Ambient[] = [];
  walk(file, (node) => {
    if (ts.isIdentifier(node) && nodeGlobals.includes(node.text) && !isName(node))
      found.push({ what: node.text, line: lineOf(file, node) });
  });
  return found;
};
