#!/usr/bin/env node
// A host whose model can use tools that keep running: all that such a host has to write.
//
//     node examples/host/keep-running.mjs [PROGRAM…]
//
// Without a program, it has the tools of the nearest toolwire.toml. The model is whoever writes calls to stdin, one JSON object a line, such as
// {"tool": "git", "arguments": {"action": "spawn", "id": "staging"}}; each answer is printed as the model reads it.
import { createInterface } from 'node:readline';
import { Answer, Sessions, format, loadManifest } from 'toolwire';

const sessions = new Sessions({
  rules: { turn: 'abort', idleTime: 600_000 },
  onLog: (id, { text }) => console.error(`[${id}: ${JSON.stringify(text)}]`),
  answerer(question) {
    // What is for a person alone comes here. This host has nobody at a terminal.
    console.error(`[nobody answers: ${question.text}]`);
    return new Answer(undefined, { state: 'unavailable', source: 'policy' });
  },
});
try {
  const programs = process.argv.slice(2);
  if (programs.length === 0) await sessions.add(loadManifest());
  for (const program of programs) await sessions.add(program);
  for await (const line of createInterface({ input: process.stdin })) {
    const call = JSON.parse(line);
    const answer = await sessions.handle(call.tool, call.arguments);
    console.log(format(answer, { audience: 'assistant' }));
    // Handles that wait or have stopped meanwhile are told with the next message.
    for (const news of await sessions.announcements()) console.log(`[${news.text}]`);
  }
  await sessions.endOfTurn();
} finally {
  await sessions.close();
}
