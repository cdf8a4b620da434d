import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/** A public name: where it is declared, and whether a JSDoc comment stands there. */
export type PublicName = { name: string; type: boolean; at: string; documented: boolean };

type Found = { node: ts.Node; file: ts.SourceFile; type: boolean };

const parse = (path: string): ts.SourceFile =>
  ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);

const at = (file: ts.SourceFile, node: ts.Node): string =>
  `${file.fileName}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`;

const sourceOf = (from: string, specifier: string): string | undefined =>
  [specifier.replace(/\.js$/, '.ts'), specifier.replace(/\.js$/, '.d.ts')]
    .map((name) => join(dirname(from), name))
    .find((path) => existsSync(path));

const hasText = (node: ts.Node): boolean =>
  ts.getJSDocCommentsAndTags(node).some((doc) => (ts.getTextOfJSDocComment(doc.comment) ?? '').trim() !== '');

const namesOf = (statement: ts.Statement): string[] => {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name)
        ? [name.text]
        : name.elements.flatMap((element) => ('name' in element ? [element.name.getText()] : [])),
    );
  }
  const { name } = statement as { name?: ts.Identifier } & ts.Statement;
  return name && ts.isIdentifier(name) ? [name.text] : [];
};

const isType = (statement: ts.Statement): boolean =>
  ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement);

/** The declarations of a name, wherever a chain of relative imports and re-exports leads; none where it leaves the package. */
const declarationsOf = (name: string, path: string): Found[] => {
  const file = parse(path);
  const own = file.statements
    .filter((statement) => namesOf(statement).includes(name))
    .map((node) => ({ node, file, type: isType(node) }));
  if (own.length > 0) return own;
  for (const statement of file.statements) {
    const clause = ts.isExportDeclaration(statement)
      ? statement.exportClause
      : ts.isImportDeclaration(statement)
        ? statement.importClause?.namedBindings
        : undefined;
    if (!clause || !(ts.isNamedExports(clause) || ts.isNamedImports(clause))) continue;
    const specifier = (statement as ts.ExportDeclaration | ts.ImportDeclaration).moduleSpecifier;
    const element = clause.elements.find((candidate) => candidate.name.text === name);
    if (!element || !specifier || !ts.isStringLiteral(specifier)) continue;
    const source = specifier.text.startsWith('.') ? sourceOf(path, specifier.text) : undefined;
    return source ? declarationsOf((element.propertyName ?? element.name).text, source) : [];
  }
  return [];
};

/** What an index file makes public, and the places where it does so otherwise than by name. */
export const readExports = (index: string): { names: PublicName[]; problems: string[] } => {
  const file = parse(index);
  const names: PublicName[] = [];
  const problems: string[] = [];
  const add = (name: string, type: boolean, place: ts.Node, found: Found[]) => {
    const [first] = found;
    names.push({
      name,
      type: type || (found.length > 0 && found.every((declaration) => declaration.type)),
      at: first ? at(first.file, first.node) : at(file, place),
      // A name of another package is documented there.
      documented: found.length === 0 || found.some(({ node }) => hasText(node)),
    });
  };
  for (const statement of file.statements) {
    if (ts.isExportDeclaration(statement)) {
      if (!statement.exportClause) problems.push(`${at(file, statement)}: \`export *\`; name what is public`);
      else if (ts.isNamespaceExport(statement.exportClause))
        problems.push(`${at(file, statement)}: \`export * as\`; name what is public`);
      else {
        for (const element of statement.exportClause.elements) {
          add(
            element.name.text,
            statement.isTypeOnly || element.isTypeOnly,
            element,
            declarationsOf(element.name.text, index),
          );
        }
      }
    } else if (ts.isExportAssignment(statement))
      problems.push(`${at(file, statement)}: a default export; name what is public`);
    else if (
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
    ) {
      for (const name of namesOf(statement))
        add(name, isType(statement), statement, [{ node: statement, file, type: isType(statement) }]);
    }
  }
  return { names, problems };
};
