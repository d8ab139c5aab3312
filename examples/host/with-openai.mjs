#!/usr/bin/env node
// A host with the SDK of OpenAI and its API Chat Completions, which many servers speak.
//
//     export OPENAI_API_KEY=…
//     node examples/host/with-openai.mjs "Rename a to b." ./tools toolwire.toml …
import OpenAI from 'openai';
import { createInterface } from 'node:readline/promises';
import { Tools } from 'toolwire';

const [task, ...sources] = process.argv.slice(2);
const model = process.env.MODEL ?? 'gpt-5-mini';

async function answerer(question) {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const said = await terminal.question(`${question.text} `);
  terminal.close();
  return /^y(es)?$/i.test(said);
}

const client = new OpenAI();
const messages = [{ role: 'user', content: task }];
const tools = new Tools({ answerer });
try {
  for (const source of sources) await tools.add(source);
  let reply, turn;
  do {
    reply = await client.chat.completions.create({ model, messages, tools: tools.definitions('openai_chat') });
    turn = await tools.respond('openai_chat', reply);
    messages.push(...turn.messages);
  } while (turn.calls.length > 0);
  console.log(reply.choices[0].message.content);
} finally {
  await tools.close();
}
