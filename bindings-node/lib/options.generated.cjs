'use strict';
// Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.

module.exports = {
  run: ['tool', 'arguments', 'answerer', 'options', 'root', 'action', 'host', 'maxRounds', 'maxTries', 'given', 'unanswered', 'refusals', 'onStderr', 'onProgress', 'onLog', 'cwd', 'inherit', 'env', 'timeout', 'maxOutput', 'limits'],
  listTools: ['onStderr', 'cwd', 'inherit', 'env', 'timeout', 'maxOutput', 'limits'],
  connect: ['name', 'config', 'trust', 'headers', 'connectTimeout', 'maxTimeout', 'maxMessage', 'sendContext', 'cwd', 'inherit', 'env', 'timeout', 'limits'],
  call: ['answerer', 'options', 'root', 'host', 'maxRounds', 'maxTries', 'given', 'unanswered', 'refusals', 'onStderr', 'onProgress', 'onLog'],
  sessions: ['answerer', 'approve', 'onState', 'onProgress', 'onLog', 'onStderr', 'rules', 'maxHandles', 'maxMemory', 'keep', 'firstWait', 'quiet', 'maxReply', 'maxWait'],
  add: ['session', 'size', 'name', 'description', 'only', 'rules', 'options', 'root', 'host', 'maxTries', 'given', 'unanswered', 'refusals', 'cwd', 'inherit', 'env', 'timeout', 'maxOutput', 'limits'],
  source: ['lock', 'only', 'rules', 'options', 'root', 'config', 'trust', 'headers', 'connectTimeout', 'maxTimeout', 'maxMessage', 'sendContext', 'host', 'maxTries', 'given', 'unanswered', 'refusals', 'cwd', 'inherit', 'env', 'timeout', 'maxOutput', 'limits'],
  serve: ['http', 'name', 'instructions', 'manifest', 'only', 'except', 'pageSize', 'stateLifetime', 'prefix', 'root', 'jobs', 'queue', 'searchAbove', 'plainSchemas', 'keepResults', 'stateKeys', 'cwd', 'inherit', 'env', 'timeout', 'maxOutput'],
  rules: ['turn', 'approve', 'sessionTime', 'idleTime', 'grace', 'maxBlocks', 'maxBytes', 'maxQuestions', 'turnWait'],
  command: ['do', 'id', 'tool', 'arguments', 'by', 'label', 'after', 'wait', 'until', 'view', 'question', 'input', 'answer', 'ids', 'any', 'time'],
  http: ['tokens', 'noToken', 'hosts', 'origins', 'maxBody', 'maxConnections', 'maxSessions', 'idle', 'sessionIdle', 'grace', 'address'],
};
