'use strict';
// What a tool's function gets beside its arguments: where it stands, and how it asks and emits.

const { call, refuse } = require('./error.cjs');
const { pick, pointerTo, kindOf } = require('./input.cjs');
const { Block } = require('./views.cjs');
const { answerOf } = require('./answer.cjs');
const { Stop } = require('./author-stop.cjs');
const { Misfit } = require('./author-error.cjs');
const { textOfAsk } = require('./author-ask.cjs');
const { text } = require('./build.cjs');
const { read, write } = require('./value.cjs');

/** One call, as the tool sees it. */
class Context {
  #turn;

  #signal;

  constructor(turn, { action, root, arguments: given, options }, signal) {
    this.#turn = turn;
    this.#signal = signal;
    this.action = action;
    this.root = root ?? undefined;
    this.arguments = given;
    this.options = options;
  }

  get signal() {
    return (this.#signal ??= new AbortController().signal);
  }

  ask(id, ask, options) {
    const { again = false } = pick(options, ['again']);
    const asks = [[id, ask, '/ask']];
    if (again === true) {
      textOfId(id);
      if (call(askAgain, this.#turn, id, textOfAsk(ask, '/ask')) === null) throw new Stop();
    }
    return this.#answersTo(asks, false)[0];
  }

  answer(id, ask, options) {
    const { otherwise } = pick(options, ['otherwise']);
    const [answer] = this.#answersTo([[id, ask, '/ask']], otherwise === undefined);
    return valueOf(answer, otherwise);
  }

  answers(asks, options) {
    const { otherwise } = pick(options, ['otherwise']);
    if (typeof asks !== 'object' || asks === null || Array.isArray(asks)) {
      refuse('bad_argument', '/asks', `\`asks\` is an object of asks by their ids, not ${kindOf(asks)}`);
    }
    const ids = Object.keys(asks);
    const found = this.#answersTo(ids.map((id) => [id, asks[id], pointerTo(['asks', id])]), otherwise === undefined);
    return Object.fromEntries(found.map((answer, index) => [ids[index], valueOf(answer, otherwise)]));
  }

  emit(...blocks) {
    for (const block of blocks) {
      if (typeof block !== 'string' && !(block instanceof Block)) {
        refuse('bad_argument', '/block', `a tool emits blocks, such as \`text(…)\` makes, or strings, not ${kindOf(block)}`);
      }
      call(emit, this.#turn, typeof block === 'string' ? text(block).json : block.json);
    }
  }

  /** What became of questions that are asked together; where the run has to end, it ends here. */
  #answersTo(asks, required) {
    const pairs = asks.map(([id, ask, pointer]) => {
      textOfId(id);
      return `[${write(id)},${textOfAsk(ask, pointer)}]`;
    });
    const found = fitting(() => call(answers, this.#turn, `[${pairs.join(',')}]`, required));
    if (found === null) throw new Stop();
    return read(found).map(answerOf);
  }
}

function textOfId(id) {
  if (typeof id !== 'string') refuse('bad_argument', '/id', `the id of a question is a string, not ${kindOf(id)}`);
}

/** The value of an answer; of a page, that it was opened (AUTH-27). */
function valueOf({ accepted, state, value }, otherwise) {
  if (state === 'opened') return true;
  return accepted ? value : otherwise;
}

/** What `ask` gives; an answer that does not fit is no mistake of the tool (AUTH-26). */
function fitting(ask) {
  try {
    return ask();
  } catch (error) {
    if (error.code !== 'answer_mismatch') throw error;
    throw new Misfit(error.message);
  }
}

// The core's methods as functions, since `call` knows no receiver.
const emit = (turn, block) => turn.emit(block);
const askAgain = (turn, id, ask) => turn.askAgain(id, ask);
const answers = (turn, asks, required) => turn.answers(asks, required);

module.exports = { Context };
