'use strict';
// Questions and answers as the elicitation of MCP.

const native = require('./native.cjs');
const { Answer, answerOf } = require('./answer.cjs');
const { call, refuse } = require('./error.cjs');
const { textOf } = require('./how.cjs');
const { pick, stringOf } = require('./input.cjs');
const { questionText } = require('./question.cjs');
const { jsonBytes, read, write } = require('./value.cjs');
const { readQuestion } = require('./ask.cjs');
const { Envelope } = require('./views.cjs');

const optionsOf = (options) => textOf(options) ?? '{}';

/** The JSON text of an array of questions. */
function questionsText(questions) {
  if (!Array.isArray(questions)) refuse('bad_argument', '/questions', 'the questions are an array');
  return `[${questions.map((question) => questionText(question)).join(',')}]`;
}

/** The JSON text of an answer; a plain value was accepted by the user. */
function answerText(answer) {
  const { state, source, value } = answer instanceof Answer ? answer : new Answer(answer);
  const members = value === undefined ? '' : `,"value":${write(value, 'bad_argument', ['answer'])}`;
  return `{"state":"${state}"${source === undefined ? '' : `,"source":"${source}"`}${members}}`;
}

function toElicitation(question, options) {
  const [params, report] = call(native.toElicitation, questionText(question), optionsOf(options));
  return { params: read(params), report: JSON.parse(report) };
}

function toInputRequired(questions, options) {
  const [result, report] = call(native.toInputRequired, questionsText(questions), optionsOf(options));
  return { result: read(result), report: JSON.parse(report) };
}

function answerFromElicitResult(question, result, options) {
  return answerOf(read(call(native.answerFromElicitResult, questionText(question), jsonBytes(result, 'result'), optionsOf(options))));
}

function fromElicitation(params, options) {
  const { id } = pick(options, ['id']);
  const [question, report] = call(native.fromElicitation, jsonBytes(params, 'params'), stringOf(id, '/id', 'bad_option'));
  return { question: readQuestion(question), report: JSON.parse(report) };
}

function answerToElicitResult(params, answer, options) {
  return read(call(native.answerToElicitResult, jsonBytes(params, 'params'), answerText(answer), optionsOf(options)));
}

function withoutElicitation(questions, options) {
  const [envelope, hasWay] = call(native.withoutElicitation, questionsText(questions), optionsOf(options));
  return { envelope: Envelope.fromJson(envelope), hasWay: hasWay === 'true' };
}

function canElicit(question, elicitation, options) {
  const { revision } = pick(options, ['revision']);
  return call(native.canElicit, questionText(question), optionsOf({ revision, elicitation }));
}

function requiredCapabilities(questions) {
  return JSON.parse(call(native.requiredCapabilities, questionsText(questions)));
}

module.exports = {
  toElicitation, toInputRequired, answerFromElicitResult, fromElicitation, answerToElicitResult, withoutElicitation, canElicit, requiredCapabilities,
};
