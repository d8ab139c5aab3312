'use strict';
// What a tool's function gets beside its arguments: where it stands, and how it asks and emits.

const { call, refuse } = require('./error.cjs');
const { pick, pointerTo, kindOf } = require('./input.cjs');
const { Block } = require('./views.cjs');
const { answerOf } = require('./answer.cjs');
const { Stop } = require('./author.cjs');
const { textOfAsk } = require('./author-ask.cjs');
const { text } = require('./build.cjs');
const { read } = require('./value.cjs');

/** One call, as the tool sees it. */
class Context {
  #turn;

  constructor(turn, { action, root, arguments: given, options }) {
    this.#turn = turn;
    this.action = action;
    this.root = root ?? undefined;
    this.arguments = given;
    this.options = options;
  }

  ask(id, ask) {
    const answer = this.#look(id, ask, '/ask');
    if (answer === undefined) throw new Stop();
    return answer;
  }

  answer(id, ask, options) {
    const { otherwise } = pick(options, ['otherwise']);
    return this.#valueOf(id, ask, this.ask(id, ask), otherwise);
  }

  answers(asks, options) {
    const { otherwise } = pick(options, ['otherwise']);
    if (typeof asks !== 'object' || asks === null || Array.isArray(asks)) {
      refuse('bad_argument', '/asks', `\`asks\` is an object of asks by their ids, not ${kindOf(asks)}`);
    }
    // All are asked before the run ends, so that they come in one answer.
    const found = Object.entries(asks).map(([id, ask]) => [id, ask, this.#look(id, ask, pointerTo(['asks', id]))]);
    if (found.some(([, , answer]) => answer === undefined)) throw new Stop();
    return Object.fromEntries(found.map(([id, ask, answer]) => [id, this.#valueOf(id, ask, answer, otherwise)]));
  }

  emit(...blocks) {
    for (const block of blocks) {
      if (typeof block !== 'string' && !(block instanceof Block)) {
        refuse('bad_argument', '/block', `a tool emits blocks, such as \`text(…)\` makes, or strings, not ${kindOf(block)}`);
      }
      call(emit, this.#turn, typeof block === 'string' ? text(block).json : block.json);
    }
  }

  /** What became of a question, or undefined if there is no answer yet: then it is asked. */
  #look(id, ask, pointer) {
    if (typeof id !== 'string') refuse('bad_argument', '/id', `the id of a question is a string, not ${kindOf(id)}`);
    const answer = call(look, this.#turn, id, textOfAsk(ask, pointer));
    if (answer === null) return undefined;
    return answerOf(read(answer));
  }

  /** The value of an answer, or what stands for it; without either the tool cannot go on. */
  #valueOf(id, ask, { accepted, value }, otherwise) {
    if (accepted) return value;
    if (otherwise !== undefined) return otherwise;
    call(insist, this.#turn, id, String(ask));
    throw new Stop();
  }
}

// The core's methods as functions, since `call` knows no receiver.
const emit = (turn, block) => turn.emit(block);
const look = (turn, id, ask) => turn.ask(id, ask);
const insist = (turn, id, ask) => turn.insist(id, ask);

module.exports = { Context };
