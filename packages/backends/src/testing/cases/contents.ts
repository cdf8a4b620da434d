import assert from 'node:assert/strict';
import { can, failureOf, type Rule, seen, user } from './case.js';

/** A red pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

/** What stands beside text: images, documents, formats, counts. */
export const contentRules: Rule[] = [
  {
    name: 'sends images from files and data URIs, with the text beside them',
    needs: can('images'),
    replies: [{ text: 'A pixel.' }],
    check: async (stage, ask) => {
      const readBytes = async () => new Uint8Array(Buffer.from(pixel, 'base64'));
      await ask(
        [
          user('What is this?'),
          { role: 'image', content: '/tmp/red.png' },
          { role: 'image', content: `data:image/png;base64,${pixel}` },
        ],
        { options: { readBytes } },
      );
      const request = seen(stage);
      if (!request) return;
      assert.deepEqual(
        request.turns.flatMap(({ images }) => images.map((image) => image.split('base64,')[1])),
        [pixel, pixel],
      );
      assert.ok(request.turns.some(({ texts }) => texts.includes('What is this?')));
    },
  },
  {
    name: 'sends PDF documents',
    needs: can('pdf'),
    replies: [{ text: 'A page.' }],
    check: async (stage, ask) => {
      const bytes = new TextEncoder().encode('%PDF-1.4 tiny');
      await ask([user('Read this.'), { role: 'pdf', content: '/tmp/page.pdf' }], {
        options: { readBytes: async () => bytes },
      });
      const documents = seen(stage)?.turns.flatMap((turn) => turn.documents);
      if (documents)
        assert.deepEqual(
          documents.map((document) => document.split('base64,')[1]),
          [Buffer.from(bytes).toString('base64')],
        );
    },
  },
  {
    name: 'refuses an image that is none, and sends nothing',
    needs: can('images'),
    check: async (stage, ask) => {
      const readBytes = async () => new TextEncoder().encode('plain text');
      const error = await failureOf(
        ask([user('go'), { role: 'image', content: '/tmp/a.png', at: { file: 'a.chat', line: 3 } }], {
          options: { readBytes },
        }),
      );
      assert.match(error.message, /a\.png/);
      assert.equal(stage.requests().length, 0);
    },
  },
  {
    name: 'asks for the format',
    needs: can('jsonSchema'),
    replies: [{ text: '{"ok":true}' }],
    check: async (stage, ask) => {
      const schema = {
        type: 'object',
        properties: { ok: { type: 'boolean' } },
        required: ['ok'],
        additionalProperties: false,
      };
      await ask([user('go')], { options: { format: { kind: 'json_schema', name: 'response', schema } } });
      const request = seen(stage);
      if (request) assert.match(JSON.stringify(request.format ?? request.tools), /"ok"/);
    },
  },
  {
    name: 'reads usage',
    replies: [{ text: 'a', usage: { pt: 40, ct: 12 } }],
    check: async (_stage, ask) => {
      const { usage } = await ask([user('go')]);
      assert.ok(usage, 'usage is missing');
      assert.equal(usage.pt, 40);
      assert.equal(usage.ct, 12);
    },
  },
];

