'use strict';
// What became of a question.

const { refuse } = require('./error.cjs');
const { pick } = require('./input.cjs');

const STATES = ['accepted', 'opened', 'declined', 'cancelled', 'unavailable'];
const SOURCES = ['user', 'assistant', 'default', 'policy'];

/** An answer: its state, who decided that, and a value if it was accepted. */
class Answer {
  constructor(value, options) {
    const { state = value === undefined ? undefined : 'accepted', source = 'user' } = pick(options, ['state', 'source']);
    if (state === undefined) refuse('bad_argument', '/value', 'give a value, or a `state` such as `declined`');
    expectWord('state', state, STATES);
    expectWord('source', source, SOURCES);
    const accepted = state === 'accepted';
    if (accepted && value === undefined) refuse('bad_argument', '/value', 'an answer that is accepted has a value');
    if (!accepted && value !== undefined) refuse('bad_argument', '/value', `an answer that is ${state} has no value`);
    set(this, { state, source, value });
  }

  get accepted() {
    return this.state === 'accepted';
  }
}

function expectWord(name, word, words) {
  if (!words.includes(word)) refuse('bad_argument', `/${name}`, `\`${name}\` is ${words.map((known) => `\`${known}\``).join(' or ')}`);
}

function set(answer, { state, source, value }, text) {
  answer.state = state;
  answer.source = source;
  answer.value = value;
  // Not enumerable, so that answers with equal values are equal.
  Object.defineProperty(answer, 'valueText', { value: text });
  return Object.freeze(answer);
}

/** An answer as the core tells it; where a host does not say who answered, the source is undefined. */
function answerOf(told, text) {
  return set(Object.create(Answer.prototype), told, text);
}

module.exports = { Answer, answerOf };
