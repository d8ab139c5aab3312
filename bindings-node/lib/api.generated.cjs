'use strict';
// Generated from schema/api.json. Do not edit: run `cargo xtask codegen`.

const to = require('./call.cjs');

module.exports.contract = {
  fingerprint: (tool, options) => to.call('fingerprint', [to.document(tool, 'tool')], options),
  projectTool: (tool, options) => to.call('project_tool', [to.document(tool, 'tool')], options),
  jnHash: (tools) => to.call('jn_hash', [to.document(tools, 'tools')]),
  diffTools: (old, now, options) => to.call('diff_tools', [to.document(old, 'old'), to.document(now, 'new')], options),
  parseLaunchUri: (uri) => to.call('parse_launch_uri', [to.text(uri, 'uri')]),
  formatLaunchUri: (launch) => to.call('format_launch_uri', [to.document(launch, 'launch')]),
  parseProfileWord: (word) => to.call('parse_profile_word', [to.text(word, 'word')]),
  formatProfileWord: (word) => to.call('format_profile_word', [to.document(word, 'word')]),
  findHidden: (text) => to.call('find_hidden', [to.text(text, 'text')]),
  showHidden: (text) => to.call('show_hidden', [to.text(text, 'text')]),
  readLock: (data) => to.call('read_lock', [to.document(data, 'data')]),
  writeLock: (lock) => to.call('write_lock', [to.document(lock, 'lock')]),
  updateLock: (lock, name, now) => to.call('update_lock', [to.document(lock, 'lock'), to.text(name, 'name'), to.document(now, 'now')]),
  checkLock: (lock, now, options) => to.call('check_lock', [to.document(lock, 'lock'), to.document(now, 'now')], options),
  readProfile: (profile) => to.call('read_profile', [to.document(profile, 'profile')]),
  readProfileFiles: (files) => to.call('read_profile_files', [to.document(files, 'files')]),
  writeProfile: (profile, before) => to.call('write_profile', [to.document(profile, 'profile'), before == null ? null : to.document(before, 'before')]),
  compareProfile: (profile, tools, options) => to.call('compare_profile', [to.document(profile, 'profile'), to.document(tools, 'tools')], options),
  convertServer: (server, source, target, options) => to.call('convert_server', [to.document(server, 'server'), to.text(source, 'source'), to.text(target, 'target')], options),
};

module.exports.mcp = {
  toResult: (data, options) => to.call('to_result', [to.readable(data, 'data')], options),
  fromResult: (result, options) => to.call('from_result', [to.document(result, 'result')], options),
  toTool: (tool, options) => to.call('to_tool', [to.document(tool, 'tool')], options),
  fromTool: (listed) => to.call('from_tool', [to.document(listed, 'listed')]),
  callToMeta: (call) => to.call('call_to_meta', [to.callDocument(call, 'call')]),
  callFromMeta: (name, args, meta) => to.call('call_from_meta', [to.text(name, 'name'), to.json(args, 'arguments'), meta == null ? null : to.document(meta, 'meta')]),
};

module.exports.elicitation = {
  toElicitation: (question, options) => to.call('to_elicitation', [to.question(question, 'question')], options),
  fromElicitation: (params, options) => to.call('from_elicitation', [to.document(params, 'params')], options),
  answerFromElicitResult: (question, result, options) => to.call('answer_from_elicit_result', [to.question(question, 'question'), to.document(result, 'result')], options),
  answerToElicitResult: (params, answer, options) => to.call('answer_to_elicit_result', [to.document(params, 'params'), to.answer(answer, 'answer')], options),
  toInputRequired: (questions, options) => to.call('to_input_required', [to.questions(questions, 'questions')], options),
  withoutElicitation: (questions, options) => to.call('without_elicitation', [to.questions(questions, 'questions')], options),
  canElicit: (question, elicitation, options) => to.call('can_elicit', [to.question(question, 'question'), elicitation == null ? null : to.json(elicitation, 'elicitation')], options),
  requiredCapabilities: (questions) => to.call('required_capabilities', [to.questions(questions, 'questions')]),
};

module.exports.legacy = {
  readLegacy: (document, options) => to.call('read_legacy', [to.output(document, 'document')], options),
  unwrapOutcome: (result, options) => to.call('unwrap_outcome', [to.readable(result, 'result')], options),
};

module.exports.questions = {
  readQuestion: (question) => to.call('read_question', [to.question(question, 'question')]),
  findSecret: (question, context) => to.call('find_secret', [to.question(question, 'question'), context == null ? null : to.texts(context, 'context')]),
  prompt: (question) => to.call('prompt', [to.question(question, 'question')]),
  template: (question) => to.call('template', [to.question(question, 'question')]),
  readTemplate: (edited) => to.call('read_template', [to.output(edited, 'edited')]),
  refusal: (options) => to.call('refusal', [], options),
};

module.exports.providers = {
  toMessage: (data, call, provider, options) => to.call('to_message', [to.readable(data, 'data'), to.document(call, 'call'), to.text(provider, 'provider')], options),
  toTurn: (calls, results, provider, options) => to.call('to_turn', [to.documents(calls, 'calls'), to.results(results, 'results'), to.text(provider, 'provider')], options),
  toTools: (tools, provider, options) => to.call('to_tools', [to.document(tools, 'tools'), to.text(provider, 'provider')], options),
  fromCall: (call, provider, options) => to.call('from_call', [to.document(call, 'call'), to.text(provider, 'provider')], options),
  toHistory: (call, provider) => to.call('to_history', [to.document(call, 'call'), to.text(provider, 'provider')]),
};

module.exports.schema = {
  checkValue: (schema, value) => to.call('check_value', [to.document(schema, 'schema'), to.json(value, 'value')]),
  checkAnswer: (question, value) => to.call('check_answer', [to.question(question, 'question'), to.json(value, 'value')]),
  checkQuestion: (question) => to.call('check_question', [to.question(question, 'question')]),
  projectSchema: (schema, options) => to.call('project_schema', [to.document(schema, 'schema')], options),
  unwrapValue: (schema, value, options) => to.call('unwrap_value', [to.document(schema, 'schema'), to.json(value, 'value')], options),
  lintSchema: (schema, options) => to.call('lint_schema', [to.document(schema, 'schema')], options),
};

module.exports.wire = {
  readCall: (data, options) => to.call('read_call', [to.document(data, 'data')], options),
  describe: (tools) => to.call('describe', [to.documents(tools, 'tools')]),
  readDescription: (data, options) => to.call('read_description', [to.readable(data, 'data')], options),
  parseArguments: (words, schema) => to.call('parse_arguments', [to.texts(words, 'words'), to.document(schema, 'schema')]),
  readEvent: (line) => to.call('read_event', [to.output(line, 'line')]),
  findMarker: (file) => to.call('find_marker', [to.output(file, 'file')]),
  readLine: (line, source) => to.call('read_line', [to.output(line, 'line'), to.text(source, 'source')]),
  terminalInput: (input, options) => to.call('terminal_input', [to.json(input, 'input')], options),
  readCommand: (args, tool) => to.call('read_command', [to.document(args, 'arguments'), to.document(tool, 'tool')]),
  actionSchema: (tool, options) => to.call('action_schema', [to.document(tool, 'tool')], options),
  get Exchange() { return require('./exchange.cjs').Exchange; },
  get SessionMachine() { return require('./session.cjs').SessionMachine; },
};
