// `toolwire/mcp-sdk` in the official SDKs for TypeScript, each called by its own client; test_embed.py has the
// examples, as programs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport as Memory1 } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer as McpServer1 } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { InMemoryTransport, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { audio, envelope, error, image, mcp, resource, resourceLink, text } from 'toolwire';
const { fromResult } = mcp;
import { ask, result } from 'toolwire/mcp-sdk';

const NAME = { id: 'name', text: 'Your name?', schema: { type: 'string', minLength: 2 } };
const AGE = { id: 'age', text: 'Your age?', schema: { type: 'integer', maximum: 9007199254740993n } };
const PAGE = { id: 'login', text: 'Sign in', schema: { type: 'boolean' }, url: 'https://example.org/login' };
const CAPABLE = { elicitation: { form: {}, url: {} } };
const accept = (answer) => ({ action: 'accept', content: { answer } });

/** Each SDK and revision: calls a tool with what the client has as capabilities and answers in turn. */
const SDKS = {
  async 'sdk 1'(tool, capabilities, answer) {
    const server = new McpServer1({ name: 'one', version: '1' });
    server.registerTool('tool', {}, (extra) => tool(server, extra));
    const client = new Client1({ name: 'client', title: 'Test client', version: '1' }, { capabilities });
    if (capabilities.elicitation) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params));
    const [here, there] = Memory1.createLinkedPair();
    await Promise.all([server.connect(there), client.connect(here)]);
    return client;
  },
  'sdk 2, 2025-11-25': (tool, capabilities, answer) => second('legacy', tool, capabilities, answer),
  'sdk 2, 2026-07-28': (tool, capabilities, answer) => second({ pin: '2026-07-28' }, tool, capabilities, answer),
};

async function second(mode, tool, capabilities, answer) {
  const [here, there] = InMemoryTransport.createLinkedPair();
  serveStdio(
    () => {
      const server = new McpServer({ name: 'two', version: '1' });
      server.registerTool('tool', {}, (ctx) => tool(server, ctx));
      return server;
    },
    { transport: there },
  );
  const client = new Client({ name: 'client', version: '1' }, { capabilities, versionNegotiation: { mode } });
  if (capabilities.elicitation) client.setRequestHandler('elicitation/create', ({ params }) => answer(params));
  await client.connect(here);
  return client;
}

for (const [sdk, connect] of Object.entries(SDKS)) {
  /** What a call of the tool comes to, and what the client was asked. */
  const call = async (tool, { capabilities = CAPABLE, answers = [] } = {}) => {
    const asked = [];
    const answer = (params) => {
      asked.push(params);
      return answers.shift() ?? { action: 'cancel' };
    };
    const client = await connect(tool, capabilities, answer);
    try {
      return { told: await client.callTool({ name: 'tool', arguments: {} }), asked };
    } finally {
      await client.close();
    }
  };
  /** A tool that says what became of its questions. */
  const asking = (...questions) => async (server, context) => {
    const { answers, inputRequired } = await ask(server, context, ...questions);
    if (inputRequired) return inputRequired;
    const said = Object.entries(answers).map(([id, { state, source, value }]) => `${id}: ${state} by ${source} ${value}`);
    return result(server, context, envelope([text(said.join('\n'))]));
  };
  const modern = sdk.endsWith('2026-07-28');

  test(`${sdk}: every block arrives, and comes back as it was`, async () => {
    const blocks = [
      text('hi', { annotations: { audience: ['user'], priority: 0.5 } }),
      resource('file:///a.rs', { text: 'fn main() {}', mimeType: 'text/rust', name: 'a', formatted: 'A' }),
      resource('file:///b', { blob: new Uint8Array([1, 2]) }),
      resourceLink('file:///c', 'c'),
      image(new Uint8Array([1]), 'image/png'),
      audio(new Uint8Array([1]), 'audio/wav'),
    ];
    const told = envelope(blocks, { structuredContent: { n: 1, text: 'a' } });
    const { told: arrived } = await call((server, context) => result(server, context, told));
    const { parsed } = fromResult(arrived);
    const { content, structuredContent } = parsed.envelope.toJSON();
    assert.deepEqual({ content, structuredContent }, told.toJSON());
  });

  test(`${sdk}: an error is one, and text is text`, async () => {
    const { told } = await call((server, context) => result(server, context, error(new Error('busy'), { transient: true })));
    assert.equal(told.isError, true);
    assert.equal(fromResult(told).parsed.transient, true);
    assert.equal((await call((server, context) => result(server, context, 'plain'))).told.content[0].text, 'plain');
  });

  test(`${sdk}: several questions are asked in one round`, async () => {
    const { told, asked } = await call(asking(NAME, AGE), { answers: [accept('Ada'), { action: 'decline' }] });
    assert.equal(told.content[0].text, 'name: accepted by user Ada\nage: declined by user undefined');
    assert.deepEqual(asked.map(({ message }) => message), ['Your name?', 'Your age?']);
  });

  test(`${sdk}: a page is opened or not`, async () => {
    const { told, asked } = await call(asking(PAGE), { answers: [{ action: 'accept' }] });
    assert.equal(told.content[0].text, 'login: opened by user undefined');
    assert.equal(asked[0].url, PAGE.url);
    const { told: none } = await call(asking(PAGE), { capabilities: { elicitation: { form: {} } } });
    assert.match(none.content[0].text, /^login: unavailable by policy/);
  });

  test(`${sdk}: a client that can't ask`, async () => {
    const { told } = await call(asking(NAME), { capabilities: {} });
    assert.match(told.content[0].text, /^name: unavailable by policy/);
  });

  test(`${sdk}: an answer that does not fit`, async () => {
    const { told, asked } = await call(asking(NAME), { answers: [accept('A'), accept('Ada')] });
    if (modern) {
      assert.equal(told.content[0].text, 'name: accepted by user Ada');
      assert.equal(asked.length, 2);
    } else {
      assert.equal(told.isError, true);
    }
  });

  test(`${sdk}: a secret is not asked for`, async () => {
    const secret = { id: 'token', text: 'Token?', schema: { type: 'string', format: 'password' } };
    const { told, asked } = await call(asking(secret));
    assert.equal(told.isError, true);
    assert.deepEqual(asked, []);
  });
}

test('what is no server or context is refused', async () => {
  const server = new McpServer({ name: 'two', version: '1' });
  await assert.rejects(ask({}, { requestId: 1 }, NAME), { code: 'bad_argument', pointer: '/server' });
  assert.throws(() => result(server, {}, ''), { code: 'bad_argument', pointer: '/context' });
});
