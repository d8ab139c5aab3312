#!/usr/bin/env node
// A host with the AI SDK, here with OpenAI.
//
//     export OPENAI_API_KEY=…
//     node examples/host/with-ai-sdk.mjs "Rename a to b." ./tools toolwire.toml …
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, tool } from 'ai';
import { createInterface } from 'node:readline/promises';
import { Tools } from 'toolwire';

const [task, ...sources] = process.argv.slice(2);
const model = createOpenAI({ baseURL: process.env.OPENAI_BASE_URL }).chat(process.env.MODEL ?? 'gpt-5-mini');

async function answerer(question) {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const said = await terminal.question(`${question.text} `);
  terminal.close();
  return /^y(es)?$/i.test(said);
}

const messages = [{ role: 'user', content: task }];
const tools = new Tools({ answerer });
try {
  for (const source of sources) await tools.add(source);
  let reply, turn;
  do {
    const offered = tools.definitions('ai_sdk').map(({ name, description, inputSchema }) => [
      name, tool({ description, inputSchema: jsonSchema(inputSchema) }),
    ]);
    reply = await generateText({ model, messages, tools: Object.fromEntries(offered) });
    turn = await tools.respond('ai_sdk', reply);
    messages.push(...turn.messages);
  } while (turn.calls.length > 0);
  console.log(reply.text);
} finally {
  await tools.close();
}
