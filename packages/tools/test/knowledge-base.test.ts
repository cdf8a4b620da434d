import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseChat } from '@colophon/chat-format';
import { type Tool, takeTools, toolDefinition } from '@colophon/tools';
import {
  createKnowledgeBases,
  type DatabaseWarning,
  type KnowledgeBaseOptions,
  openKnowledgeBase,
} from '@colophon/tools/knowledge-base';
import { afterAll, describe, expect, test } from 'vitest';
import { answer, exception } from './run.js';

const place = mkdtempSync(join(tmpdir(), 'kb-'));
afterAll(() => rmSync(place, { recursive: true }));

const parents =
  '#Child\tParent\tKind\tYear\nAda\tBea|Cid\tmother|father\t1990\nDan\tBea\tmother\t1988\nAda\tBea\tgodmother\t1991\n';
const friends = 'Person\tFriend\nAda\tDan\nEve\tAda\n';

/** A new folder with these files. */
const folderWith = (files: Record<string, string | Buffer>): string => {
  const folder = mkdtempSync(join(place, 'folder-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
};

/** What a call answers: its content as JSON, or what the failure says. */
const ask = async (tools: readonly Tool[], name: string, parameters: unknown): Promise<unknown> => {
  const [output] = await answer([{ id: 'c', name, arguments: parameters }], [...tools]);
  return output?.['error'] ? `${output['error']}: ${exception(output)}` : JSON.parse(String(output?.['content']));
};

const bases = (folder: string, options: Partial<KnowledgeBaseOptions> = {}) =>
  createKnowledgeBases({ roots: [folder], resolvePath: (path) => join(folder, path), ...options });

/** The tools of a chat that stands in a folder. */
const take = async (folder: string, text: string, options: Partial<KnowledgeBaseOptions> = {}) =>
  (await takeTools(parseChat(text, { file: 'main.chat' }), bases(folder, options))).tools;

const family = { 'parents.tsv': parents, 'friends.tsv': friends, 'friends.json': '{"undirected": true}' };

describe('tools of a knowledge base', async () => {
  const { tools, databases } = await openKnowledgeBase(folderWith(family));

  test('each database has a query, and details where it has fields', () => {
    expect(tools.map(({ name }) => name)).toEqual(['friends', 'parents', 'parents_association_details']);
    expect(
      databases.map(({ name, source, target, fields, undirected, count }) => [
        name,
        source,
        target,
        fields,
        undirected,
        count,
      ]),
    ).toEqual([
      ['friends', 'Person', 'Friend', [], true, 2],
      ['parents', 'Child', 'Parent', ['Kind', 'Year'], false, 4],
    ]);
  });

  test('their schemas', () => {
    const schemas = Object.fromEntries(tools.map((tool) => [tool.name, toolDefinition(tool).parameters]));
    const strings = { type: 'array', items: { type: 'string' } };
    expect(schemas).toMatchObject({
      friends: { properties: { entities: strings }, required: ['entities'] },
      parents: { properties: { entities: strings, reverse: { type: 'boolean' } }, required: ['entities'] },
      parents_association_details: {
        properties: { associations: strings, fields: { type: 'array', items: { enum: ['Kind', 'Year'] } } },
        required: ['associations'],
      },
    });
    expect(Object.keys(schemas['friends']?.['properties'] as object)).toEqual(['entities']);
    expect(tools.every(({ readOnly, idempotent }) => readOnly && idempotent)).toBe(true);
  });

  test.each([
    ['parents', { entities: ['Ada'] }, ['Ada~Bea', 'Ada~Cid']],
    ['parents', { entities: ['Dan', 'Ada', 'Dan'] }, ['Dan~Bea', 'Ada~Bea', 'Ada~Cid']],
    ['parents', { entities: ['Bea'], reverse: true }, ['Ada~Bea', 'Dan~Bea']],
    ['parents', { entities: ['Bea', 'nobody', ''] }, []],
    ['parents', { entities: [] }, []],
    ['friends', { entities: ['Ada'] }, ['Ada~Dan', 'Ada~Eve']],
    ['friends', { entities: ['Eve', 'Ada'] }, ['Eve~Ada', 'Ada~Dan', 'Ada~Eve']],
    ['parents', { entities: '["Dan", "Ada"]' }, ['Dan~Bea', 'Ada~Bea', 'Ada~Cid']],
    ['parents', '{"entities": "[\\"Dan\\"]"}', ['Dan~Bea']],
    ['parents', { entities: 'Dan' }, ['Dan~Bea']],
    ['parents', { entities: "Dan' or '1'='1" }, []],
    [
      'parents_association_details',
      { associations: ['Ada~Bea', 'Ada~Cid', 'Bea~Ada', 'x', '~', ''] },
      {
        'Ada~Bea': { Kind: 'mother;godmother', Year: '1990;1991' },
        'Ada~Cid': { Kind: 'father', Year: '1990' },
      },
    ],
    [
      'parents_association_details',
      { associations: '["Ada~Cid"]', fields: ['Year', 'Kind', 'Year'] },
      { 'Ada~Cid': ['1990', 'father', '1990'] },
    ],
    ['parents_association_details', { associations: ['Dan~Bea'], fields: 'Kind' }, { 'Dan~Bea': ['mother'] }],
    ['parents_association_details', { associations: ['Dan~Bea'], fields: [] }, { 'Dan~Bea': [] }],
    ['parents', {}, 'invalid_arguments: The arguments do not fit.\nentities: required, but missing'],
    [
      'parents',
      { entities: [{}] },
      'invalid_arguments: The arguments do not fit.\nentities[0]: expected string, received object {}',
    ],
    [
      'parents_association_details',
      { associations: ['Ada~Cid'], fields: ['Age'] },
      'invalid_arguments: The arguments do not fit.\nfields[0]: expected one of ["Kind","Year"], received string "Age"',
    ],
  ])('%s %j', async (name, parameters, expected) => {
    expect(await ask(tools, name, parameters)).toEqual(expected);
  });

  test('an unknown field is told also where nobody has checked the arguments', async () => {
    const details = tools.find(({ name }) => name.endsWith('details'))!;
    const context = { signal: new AbortController().signal, callId: 'c', onProgress: () => {} };
    expect(await details.run({ associations: ['Ada~Bea'], fields: ['Age'] }, context)).toMatchObject({
      error: 'invalid_arguments',
      content: 'There is no field "Age"; the fields are: Kind, Year.',
    });
  });

  test('a result over the limit is cut as any other', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => `hub\tspoke ${index}\n`).join('');
    const kb = await openKnowledgeBase(folderWith({ 'wheel.tsv': `A\tB\n${rows}` }));
    expect(await ask(kb.tools, 'wheel', { entities: ['hub'] })).toMatch(/^truncated: The result has \d+ characters/);
    kb.close();
  });

  test('`~` inside entities parts nothing; what can be parted in two ways has the values of both', async () => {
    const kb = await openKnowledgeBase(folderWith({ 'db.tsv': '#S\tT\tF\na~b\tc\t1\na\tb~c\t2\nx~~\t~y\t3\n' }));
    expect(await ask(kb.tools, 'db', { entities: ['a~b', 'a', 'x~~'] })).toEqual(['a~b~c', 'a~b~c', 'x~~~~y']);
    expect(await ask(kb.tools, 'db_association_details', { associations: ['a~b~c', 'x~~~~y'] })).toEqual({
      'a~b~c': { F: '2;1' },
      'x~~~~y': { F: '3' },
    });
    kb.close();
  });
});

describe('the description of a database', () => {
  const described = async (files: Record<string, string>) => {
    const { tools, close } = await openKnowledgeBase(folderWith({ 'db.tsv': friends, ...files }));
    close();
    return tools[0]!.description;
  };
  const readme = '# All\n\nx\n\n## `db`\n\nFrom README.\n\n### More\n\nof it\n\n## other\n\ny\n';

  test('says the notation', async () => {
    expect(await described({})).toBe(
      'Gives the associations of entities in the database `db`, as a list of `source~target`, where source is Person and target is Friend.',
    );
  });

  test.each([
    [
      'NAME.json',
      { 'db.json': '{"description": "From JSON."}', 'db.md': 'From Markdown.', 'README.md': readme },
      /^From JSON\.\n\nGives/,
    ],
    ['NAME.md', { 'db.md': '\nFrom Markdown.\n', 'README.md': readme }, /^From Markdown\.\n\nGives/],
    ['its section in README.md', { 'README.md': readme }, /^From README\.\n\n### More\n\nof it\n\nGives/],
    ['nothing', { 'README.md': '# other\n' }, /^Gives/],
  ])('comes from %s', async (_, files, expected) => {
    expect(await described(files as Record<string, string>)).toMatch(expected);
  });
});

describe('a TSV file', () => {
  const read = async (content: string | Buffer, options: object = {}) => {
    const folder = folderWith({ 'db.tsv': content, 'db.json': JSON.stringify(options) });
    const { databases, close } = await openKnowledgeBase(folder);
    const [database] = databases;
    const pairs = await database!.pairs(['a', 'b', '#a', '"a"', 'a|x']);
    const details = Object.fromEntries(await database!.details(pairs));
    close();
    return {
      database: database!,
      pairs,
      details,
      warnings: database!.warnings.map(({ message }) => message.slice(folder.length + 1)),
    };
  };

  test.each<[string, string, object, Record<string, string[]>]>([
    ['plain names', 'S\tT\tF\na\tb\t1\n', {}, { 'a~b': ['1'] }],
    ['names behind #', '#S\tT\tF\na\tb\t1\n', {}, { 'a~b': ['1'] }],
    [
      'options and remarks before the names',
      '#: :sep=,#:type=:list#:namespace=Hsa\n# by hand\n#S,T,F\na,b,x|y\n',
      {},
      { 'a~b': ['x|y'] },
    ],
    ['a row that starts with #', '#S\tT\n#a\tb\n', {}, { '#a~b': [] }],
    ['no names', 'a\tb\t1\n', { header: false }, { 'a~b': ['1'] }],
    [
      'a byte order mark, CRLF, empty lines, no end',
      '\ufeffS\tT\r\n\r\na\tb\r\n\r\na\tc',
      {},
      { 'a~b': [], 'a~c': [] },
    ],
    ['quotes', 'S\tT\n"a"\t\'b\n', {}, { '"a"~\'b': [] }],
    [
      'several targets',
      'S\tT\tF\tG\na\tb|c||d\t1|2|3|4\tx\n',
      {},
      { 'a~b': ['1', 'x'], 'a~c': ['2', 'x'], 'a~d': ['4', 'x'] },
    ],
    ['several values of one association', 'S\tT\tF\na\tb\t1|2\n', {}, { 'a~b': ['1;2'] }],
    ['a first column that is one value', 'S\tT\na|x\tb\n', {}, { 'a|x~b': [] }],
    ['type list', 'S\tT\tF\na\tb|c\t1|2\n', { type: 'list' }, { 'a~b|c': ['1|2'] }],
    ['type single', 'S\tT\tF\na\tb|c\t1\n', { type: 'single' }, { 'a~b|c': [] }],
    ['type flat', '#S\na\tb\tc|d\nb\n', { type: 'flat' }, { 'a~b': [], 'a~c': [], 'a~d': [] }],
    ['columns by name', 'F\tT\tS\n1\tb\ta\n', { source: 'S', target: 'T' }, { 'a~b': ['1'] }],
    ['columns by number', 'F\tT\tS\n1\tb\ta\n', { source: '3', target: '2', fields: [] }, { 'a~b': [] }],
    ['several sources', 'T\tS\tF\nx\ta|b\t1|2\n', { source: 'S' }, { 'a~x': ['1'], 'b~x': ['2'] }],
    ['fields in another order', 'S\tT\tF\tG\na\tb\t1\t2\n', { fields: ['G', 'F'] }, { 'a~b': ['2', '1'] }],
    ['the same row twice', 'S\tT\tF\na\tb\t1\na\tb\t1\n', {}, { 'a~b': ['1'] }],
    ['no rows', 'S\tT\tF\n', {}, {}],
  ])('%s', async (_, content, options, expected) => {
    const { pairs, details, warnings } = await read(content, options);
    expect(details).toEqual(expected);
    expect(pairs).toEqual(Object.keys(expected));
    expect(warnings).toEqual([]);
  });

  test('columns without a name have their number, those of one name are told apart', async () => {
    const { database } = await read('S\t\tF\tF\na\tb\t1\t2\n');
    expect([database.source, database.target, database.fields]).toEqual(['S', '2', ['F', 'F (4)']]);
  });

  test('rows that are not as the head says are warned of, with their line; what can be read of them is', async () => {
    const { details, warnings } = await read(
      'S\tT\tF\n\na\tb\na\tc\t1\t2\n\tb\t1\na\t\t1\na\td|e\t1|2|3\na\tf\t1\t\t\n',
    );
    expect(details).toEqual({ 'a~b': [''], 'a~c': ['1'], 'a~d': ['1;2;3'], 'a~e': ['1;2;3'], 'a~f': ['1'] });
    expect(warnings).toEqual([
      'db.tsv:3: 2 cells, where the head has 3.',
      'db.tsv:4: 4 cells, where the head has 3.',
      'db.tsv:5: no source.',
      'db.tsv:6: no target.',
      'db.tsv:7: 3 values of F for 2 associations: each gets all of them.',
    ]);
    const many = await read(`S\tT\n${'a\n'.repeat(50)}`);
    expect(many.warnings).toHaveLength(21);
    expect(many.warnings.at(-1)).toBe('db.tsv: 30 more rows have problems.');
  });

  test.each<[string, string | Buffer, object, string, string]>([
    [
      'that is no UTF-8',
      Buffer.from('S\tT\na\tb\n\nc\xe9\td\n', 'latin1'),
      {},
      'kb_encoding',
      'db.tsv:4: Bytes that are not UTF-8',
    ],
    ['with a NUL', 'S\tT\na\tb\0\n', {}, 'kb_encoding', 'db.tsv:2: A NUL byte'],
    ['that is empty', '', {}, 'kb_table', 'db.tsv:1: The file is empty'],
    [
      'of one column',
      '# x\nname,other\n',
      {},
      'kb_table',
      'db.tsv:2: Expected two columns or more with "\\t" between them, found one: "name,other"',
    ],
    [
      'without the column',
      'S\tT\na\tb\n',
      { target: 'X' },
      'kb_options',
      'there is no column `X`; the columns are: S, T',
    ],
    ['with a column translated', 'S\tT\na\tb\n', { source: 'S=>Name' }, 'kb_options', 'identifiers are not translated'],
    [
      'of one column twice',
      'S\tT\na\tb\n',
      { source: 'T', target: '2' },
      'kb_options',
      'source and target are the same column, `T`',
    ],
    [
      'with fields where none can be',
      'S\tT\na\tb\n',
      { type: 'flat', fields: ['T'] },
      'kb_options',
      'a table of type flat has no fields',
    ],
    [
      'with an unknown option',
      'S\tT\n',
      { undirect: true },
      'kb_options',
      'there is no option `undirect`; known: source, target, fields',
    ],
    [
      'with an option of the wrong type',
      'S\tT\n',
      { undirected: 'yes' },
      'kb_options',
      '`undirected` must be true or false, received "yes"',
    ],
    [
      'with a pattern',
      '#: :sep=/\\s+/\n#S T\n',
      {},
      'kb_options',
      'db.tsv:1: `sep` must be the text between cells (no pattern)',
    ],
    [
      'of an unknown type',
      'S\tT\n',
      { type: 'wide' },
      'kb_options',
      '`type` must be double, list, single, flat, received "wide"',
    ],
  ])('%s is an error that says where', async (_, content, options, code, message) => {
    const failed = read(content, options);
    await expect(failed).rejects.toMatchObject({ code });
    await expect(failed).rejects.toThrow(message);
  });

  test('options that are no JSON say so', async () => {
    const folder = folderWith({ 'db.tsv': friends, 'db.json': '{' });
    await expect(openKnowledgeBase(folder)).rejects.toThrow('db.json: this is no JSON');
  });
});

describe('the SQLite file', () => {
  const names = (folder: string) => readdirSync(folder).sort();
  const sqlite = '.db.tsv.sqlite';

  test('is built once, and again when the TSV file or its options change', async () => {
    const folder = folderWith({ 'db.tsv': 'S\tT\na\tb\n' });
    const pairs = async () => {
      const { databases, close } = await openKnowledgeBase(folder);
      const found = await databases[0]!.pairs(['a', 'b']);
      close();
      return found;
    };
    const inode = () => statSync(join(folder, sqlite)).ino;
    expect(await pairs()).toEqual(['a~b']);
    const first = inode();
    expect(await pairs()).toEqual(['a~b']);
    expect(inode()).toBe(first);
    // The same length within one tick of the clock, and the same time.
    const { atime, mtime } = statSync(join(folder, 'db.tsv'));
    writeFileSync(join(folder, 'db.tsv'), 'S\tT\na\tc\n');
    utimesSync(join(folder, 'db.tsv'), atime, mtime);
    expect(await pairs()).toEqual(['a~c']);
    const second = inode();
    expect(second).not.toBe(first);
    // Only touched.
    utimesSync(join(folder, 'db.tsv'), new Date(1e12), new Date(1e12));
    expect(await pairs()).toEqual(['a~c']);
    expect(inode()).toBe(second);
    writeFileSync(join(folder, 'db.json'), '{"undirected": true}');
    writeFileSync(join(folder, 'db.tsv'), 'S\tT\nb\ta\n');
    expect(await pairs()).toEqual(['a~b', 'b~a']);
    expect(names(folder)).toEqual([sqlite, 'db.json', 'db.tsv']);
  });

  test.each<[string, (bytes: Buffer) => Buffer, boolean]>([
    ['text', () => Buffer.from('not a database'), true],
    ['cut off', (bytes) => bytes.subarray(0, 5_000), true],
    ['of another program', () => Buffer.alloc(0), true],
  ])('that is %s is built again, with a warning', async (_, damage, warned) => {
    const folder = folderWith({ 'db.tsv': 'S\tT\na\tb\n' });
    (await openKnowledgeBase(folder)).close();
    writeFileSync(join(folder, sqlite), damage(readFileSync(join(folder, sqlite))));
    const { databases, close } = await openKnowledgeBase(folder);
    expect(await databases[0]!.pairs(['a'])).toEqual(['a~b']);
    expect(databases[0]!.warnings.map(({ code }) => code)).toEqual(warned ? ['kb_damaged'] : []);
    close();
    const again = await openKnowledgeBase(folder);
    expect(again.databases[0]!.warnings).toEqual([]);
    again.close();
  });

  test('that turns out to be damaged while it answers is built again, and answers', async () => {
    const rows = Array.from({ length: 3_000 }, (_, index) => `a\t${index}\n`).join('');
    const folder = folderWith({ 'db.tsv': `S\tT\n${rows}` });
    (await openKnowledgeBase(folder)).close();
    const bytes = readFileSync(join(folder, sqlite));
    // All pages but those that the opening reads: the schema's and the ends of the file, which hold the description.
    for (let page = 3; page < bytes.length / 4096 - 1; page += 1) {
      const at = page * 4096;
      if (!bytes.subarray(at, at + 4096).includes('"problemCount"')) bytes.fill(0xff, at, at + 4096);
    }
    writeFileSync(join(folder, sqlite), bytes);
    const { databases, close } = await openKnowledgeBase(folder);
    expect(databases[0]!.warnings).toEqual([]);
    expect(await databases[0]!.pairs(['a'])).toHaveLength(3_000);
    expect(databases[0]!.warnings.map(({ code }) => code)).toEqual(['kb_damaged']);
    close();
  });

  test('stands in the cache folder where its own may not be written, and nowhere where there is none', async () => {
    const root = folderWith({ 'var/knowledge_base/fam/db.tsv': 'S\tT\na\tb\n' });
    const cacheFolder = join(root, 'cache');
    const folder = join(root, 'var/knowledge_base/fam');
    const readOnly = [
      { readOnlyRoots: [root] },
      { readOnlyRoots: [root], cacheFolder },
      { writable: false, cacheFolder },
    ];
    for (const [options, name] of readOnly.flatMap((some) =>
      ['fam', './var/knowledge_base/fam'].map((kb) => [some, kb] as const),
    )) {
      const tools = await take(root, `kb: ${name}\n`, options);
      expect(await ask(tools, 'db', { entities: ['a'] })).toEqual(['a~b']);
      expect(names(folder)).toEqual(['db.tsv']);
    }
    expect(names(cacheFolder)).toEqual([expect.stringMatching(/^[0-9a-f]{40}\.sqlite$/)]);
  });

  test('tells how far its build is, and stops with the signal', async () => {
    const rows = Array.from({ length: 200_000 }, (_, index) => `source ${index}\ttarget ${index}\n`).join('');
    const folder = folderWith({ 'db.tsv': `S\tT\n${rows}` });
    const controller = new AbortController();
    const told: number[] = [];
    const onProgress = ({ done = 0, total = 1 }) => {
      told.push(done / total);
      if (done > total / 2) controller.abort();
    };
    await expect(openKnowledgeBase(folder, { onProgress, signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(told.length).toBeGreaterThan(2);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(names(folder)).toEqual(['db.tsv']);
  });
});

describe('kb: finds', () => {
  const root = folderWith({
    'var/knowledge_base/fam/a.tsv': friends,
    'var/knowledge_base/fam/b.tsv': friends,
    'Agent/Kin/knowledge_base/c.tsv': friends,
    'Agent/Deep/Kin/knowledge_base/d.tsv': friends,
    'workflows/Flow/knowledge_base/e.tsv': friends,
    'data/f.tsv': friends,
    'var/knowledge_base/old/config/registry': '',
    'var/knowledge_base/bare/notes.md': '',
    'Agent/bare/knowledge_base/g.tsv': friends,
  });

  test.each([
    ['fam', ['a', 'b']],
    ['fam b', ['b']],
    ['fam b a b', ['b', 'a']],
    ['Kin', ['c']],
    ['Deep/Kin', ['d']],
    ['Flow', ['e']],
    ['./data', ['f']],
    ['data/', ['f']],
    ['bare', ['g']],
  ])('%s', async (words, expected) => {
    expect((await take(root, `kb: ${words}\n`)).map(({ name }) => name)).toEqual(expected);
  });

  test.each([
    [
      'nobody',
      'unknown_knowledge_base',
      /main\.chat:1: .*There is no knowledge base `nobody`; known: `bare`, `fam`, `old`\. Looked at: .*\/var\/knowledge_base\/nobody,/,
    ],
    ['fam c', 'unknown_database', /main\.chat:1: .*has no database `c`; it has: `a`, `b`/],
    ['old', 'empty_knowledge_base', /is a Scout knowledge base: .*Put the TSV files/],
    ['./nowhere', 'kb_file', /nowhere can't be read: there is no such file/],
    ['../x', 'kb_file', /x can't be read/],
  ])('%s is an error', async (words, code, message) => {
    const failed = take(root, `kb: ${words}\n`);
    await expect(failed).rejects.toMatchObject({ code });
    await expect(failed).rejects.toThrow(message);
  });

  test('a path only where it is granted', async () => {
    const resolvePath = () => {
      throw new Error('outside of what this chat may read');
    };
    await expect(take(root, 'kb: ./data\n', { resolvePath })).rejects.toThrow('outside of what this chat may read');
  });
});

test('kb: follows no link out of a folder that was granted to what was not', async () => {
  const folder = folderWith({ 'open/db.tsv': friends, 'secret/key.md': 'secret' });
  const resolvePath = (path: string) => {
    const absolute = path.startsWith('/') ? path : join(folder, path);
    if (absolute.includes('secret')) throw new Error('this chat may not read it');
    return absolute;
  };
  expect(await take(folder, 'kb: ./open\n', { resolvePath })).toHaveLength(1);
  symlinkSync(join(folder, 'secret/key.md'), join(folder, 'open/db.md'));
  await expect(take(folder, 'kb: ./open\n', { resolvePath })).rejects.toThrow('this chat may not read it');
});

describe('association:', () => {
  const folder = folderWith({
    'maps/coast.tsv': 'From,To,Miles,Way\nAx,By,3,sea\n',
    'maps/inland.tsv': 'From\tTo\nAx\tCold\n',
  });

  test('is a database of the chat, with typed options', async () => {
    const tools = await take(
      folder,
      'association: coast maps/coast.tsv sep="," source=To fields=Way,Miles undirected=true description="By sea"\n',
    );
    expect(tools.map(({ name }) => name)).toEqual(['coast', 'coast_association_details']);
    expect(tools[0]!.description).toMatch(/^By sea\n\n/);
    expect(await ask(tools, 'coast', { entities: ['Ax', 'By'] })).toEqual(['Ax~By', 'By~Ax']);
    expect(
      await ask(tools, 'coast_association_details', { associations: ['Ax~By'], fields: ['Way', 'Miles'] }),
    ).toEqual({ 'Ax~By': ['sea', '3'] });
    expect(readdirSync(join(folder, 'maps'))).toEqual(['coast.tsv', 'inland.tsv']);
  });

  test('of one name in two chats are two', async () => {
    const cacheFolder = join(folder, 'cache');
    const engines = bases(folder, { cacheFolder });
    const chats = ['association: map maps/coast.tsv sep=,\n', 'association: map maps/inland.tsv\n'];
    const taken = [];
    for (const chat of chats) taken.push((await takeTools(parseChat(chat), engines)).tools);
    expect(await ask(taken[0]!, 'map', { entities: ['Ax'] })).toEqual(['Ax~By']);
    expect(await ask(taken[1]!, 'map', { entities: ['Ax'] })).toEqual(['Ax~Cold']);
    expect(readdirSync(cacheFolder)).toHaveLength(2);
    engines.close();
  });

  test('is forgotten by clear_associations, and not even read', async () => {
    expect(await take(folder, 'association: gone nowhere.tsv\nclear_associations:\nkb: ./maps inland\n')).toHaveLength(
      1,
    );
  });

  test.each([
    ['x maps/inland.tsv undirected=perhaps', 'kb_options', '`undirected` must be true or false, received "perhaps"'],
    ['x maps/inland.tsv colour=red', 'kb_options', 'there is no option `colour`'],
    ['x maps/none.tsv', 'kb_file', "maps/none.tsv can't be read: there is no such file"],
    ['x maps', 'kb_file', "maps can't be read: expected a plain file"],
    ['x maps/coast.tsv', 'kb_table', 'coast.tsv:1: Expected two columns'],
  ])('%s is an error', async (words, code, message) => {
    const failed = take(folder, `association: ${words}\n`);
    await expect(failed).rejects.toMatchObject({ code });
    await expect(failed).rejects.toThrow(message);
  });

  test('declared again is opened again only when its file has changed; warnings are told once', async () => {
    const changing = folderWith({ 'a.tsv': 'S\tT\na\tb\tc\n' });
    const warnings: DatabaseWarning[] = [];
    const engines = bases(changing, { onWarning: (warning) => warnings.push(warning) });
    const turn = async () => (await takeTools(parseChat('association: db a.tsv\n'), engines)).tools;
    const first = await turn();
    await turn();
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/a\.tsv:2: 3 cells, where the head has 2\.$/),
    ]);
    writeFileSync(join(changing, 'a.tsv'), 'S\tT\na\tz\n');
    expect(await ask(await turn(), 'db', { entities: ['a'] })).toEqual(['a~z']);
    expect(await ask(first, 'db', { entities: ['a'] })).toEqual(['a~b']);
    engines.close();
    expect(await ask(first, 'db', { entities: ['a'] })).toMatch(/^error: The database `db` is closed/);
  });

  test('has a name that a registry takes; two of one name are told', async () => {
    expect((await take(folder, 'association: "ways & means" maps/inland.tsv\n')).map(({ name }) => name)).toEqual([
      'ways___means',
    ]);
    await expect(
      take(folder, 'association: x maps/inland.tsv\nassociation: x maps/coast.tsv sep=,\n'),
    ).rejects.toMatchObject({ code: 'duplicate_tool' });
  });
});
