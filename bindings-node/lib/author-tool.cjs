'use strict';
// A tool as its author defines it: a name, schemas, and the functions that do the work.

const native = require('./native.cjs');
const { call: apiCall } = require('./call.cjs');
const { ToolwireError, call, refuse } = require('./error.cjs');
const { given, pick, kindOf } = require('./input.cjs');
const { write, read, readFor, isObject, JSON_TEXT } = require('./value.cjs');
const { isStandard, expectSchema, expectObject, jsonSchemaOf, transform } = require('./author-schema.cjs');
const { guard } = require('./author-stdout.cjs');
const forgotten = require('./author-forgotten.cjs');

/** Names of hints and their names in MCP. */
const HINTS = { readOnly: 'readOnlyHint', destructive: 'destructiveHint', idempotent: 'idempotentHint', openWorld: 'openWorldHint' };
const DEFINES = ['name', 'title', 'description', 'input', 'output', ...Object.keys(HINTS), 'formatArguments', 'session', 'actions', 'warm'];

/** What can be done with a tool that keeps running, the first two with each of them. */
const ACTIONS = ['spawn', 'fetch', 'apply', 'abort'];
const ALWAYS = ['spawn', 'fetch'];

/** The schema of a tool that takes no arguments. */
const NO_ARGUMENTS = { type: 'object', properties: {} };

/** All tools of this program, in the order in which they were made. */
const made = [];

/** A tool. Its schemas are worked out when somebody asks for them: most runs need only one tool's. */
class Tool {
  #definition;
  #run;
  #known;

  constructor(definition, run) {
    this.name = definition.name;
    this.#definition = definition;
    this.#run = run;
  }

  /** What the core makes of the definition: the tool as MCP has it, as JSON text and as an object. */
  get #told() {
    forgotten.use();
    if (this.#known === undefined) {
      const { input = NO_ARGUMENTS, output } = this.#definition;
      const inputSchema = jsonSchemaOf(input, 'input', '/input');
      expectObject(JSON.parse(inputSchema), '/input');
      const tool = { ...labels(this.#definition), inputSchema: raw(inputSchema), _meta: metaOf(this.#definition) };
      let returns;
      if (output !== undefined) {
        const schema = jsonSchemaOf(output, 'output', '/output');
        tool.outputSchema = raw(schema);
        returns = apiCall('tidy_output', [schema]).wrapped ? 'wrapped' : 'value';
      }
      // The core reads and gives a list.
      const text = call(native.readTools, write([tool])).slice(1, -1);
      // A library checks itself what only JavaScript knows.
      if (!isStandard(input) && !isStandard(output)) call(native.checkTool, text);
      const told = read(text);
      this.#known = { text, inputSchema: write(told.inputSchema), returns };
    }
    return this.#known;
  }

  /** Whether it keeps running. */
  get isSession() {
    const { session, actions } = this.#definition;
    return session === true || actions !== undefined;
  }

  toJSON(key) {
    return readFor(key, this.#told.text);
  }

  [JSON_TEXT]() {
    return this.#told.text;
  }

  /** How the core takes a value that the function returns, if there is an output schema. */
  get returns() {
    return this.#told.returns;
  }

  /**
   * Checks the arguments and gives the function's own, or the mismatches; a promise of them where a library takes its
   * time. `check` tells what does not fit a schema, both as JSON text.
   */
  read(args, check) {
    const { input = NO_ARGUMENTS } = this.#definition;
    const found = this.#check(check, isStandard(input));
    return found.length > 0 ? { mismatches: found } : transform(input, args);
  }

  #check(check, hasLibrary) {
    let schema = this.#told.inputSchema;
    while (schema !== undefined) {
      try {
        return JSON.parse(check(schema));
      } catch (error) {
        if (!hasLibrary || !(error instanceof ToolwireError)) throw error;
        // A library may give a pattern that only JavaScript knows; the library checks it itself.
        schema = withoutPattern(schema, error.pointer);
      }
    }
    return [];
  }

  /** Runs the function for an action; a tool need not have one for `format_arguments`. */
  act(action, args, context) {
    return action === 'run' ? this.#run(args, context) : this.#definition.formatArguments?.(args, context);
  }

  /** Runs the tool in this process, as a host would by a call. */
  async call(args = {}, options) {
    const { answers, states = {}, options: configured, root, action = 'run', inputs } = pick(options, ['answers', 'states', 'options', 'root', 'action', 'inputs']);
    if (inputs !== undefined && !Array.isArray(inputs)) refuse('bad_argument', '/inputs', `\`inputs\` is an array, not ${kindOf(inputs)}`);
    const tool = given({ name: this.name, arguments: plainObject(args), answers, options: configured });
    tool['dev.toolwire/answers'] = Object.fromEntries(Object.entries(states).map(([id, state]) => [id, { state }]));
    const { Envelope } = require('./views.cjs');
    const { Run } = require('./author-run.cjs');
    const document = Buffer.from(write({ tool, context: given({ action, root }) }));
    forgotten.use();
    const run = new Run(new native.Turn(document, write([this.name])), [this], { inputs });
    const answer = await run.settle();
    // It is the caller's mistake here, and not a host's.
    if (run.misfit !== undefined) throw run.misfit;
    return Envelope.fromJson(answer);
  }
}

/** A schema, as JSON text, without the pattern at a place; nothing if there is none. */
function withoutPattern(schema, pointer) {
  if (!pointer.endsWith('/pattern')) return undefined;
  const copy = read(schema);
  const steps = pointer.split('/').slice(1, -1).map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const place = steps.reduce((at, step) => at?.[step], copy);
  return typeof place?.pattern === 'string' && delete place.pattern ? write(copy) : undefined;
}

/** Arguments without those that are `undefined`; what is no object is for the reader of the call to refuse. */
function plainObject(args) {
  return isObject(args) ? given(args) : args;
}

/** The members of a tool beside its schemas. */
function labels({ name, title, description, ...others }) {
  const hints = Object.entries(HINTS).filter(([hint]) => others[hint] !== undefined);
  const annotations = hints.length > 0 ? Object.fromEntries(hints.map(([hint, name]) => [name, others[hint]])) : undefined;
  return given({ name, title, description, annotations });
}

/** What is said of a tool beside MCP's members: what can be done while it runs, and whether one process takes many calls. */
function metaOf({ session, actions, warm = true }) {
  const meta = {};
  if (session === true || actions !== undefined) meta['dev.toolwire/actions'] = ACTIONS.filter((word) => ALWAYS.includes(word) || actions?.includes(word));
  if (warm) meta['dev.toolwire/warm'] = true;
  return Object.keys(meta).length > 0 ? meta : null;
}

/** Refuses what makes no sense of a tool that keeps running. */
function expectSession({ session, actions, warm }) {
  for (const [name, flag] of Object.entries({ session, warm })) {
    if (flag !== undefined && typeof flag !== 'boolean') refuse('bad_argument', `/${name}`, `\`${name}\` is true or false, not ${kindOf(flag)}`);
  }
  if (actions === undefined) return;
  if (!Array.isArray(actions)) refuse('bad_argument', '/actions', `\`actions\` is an array of words, not ${kindOf(actions)}`);
  if (session === false) refuse('bad_argument', '/actions', 'a tool that runs once has no `actions`; leave them out, or make it a session');
  const unknown = actions.findIndex((word) => !ACTIONS.includes(word));
  if (unknown >= 0) refuse('bad_argument', `/actions/${unknown}`, `an action is ${ACTIONS.map((word) => `\`${word}\``).join(' or ')}`);
}

/** JSON text that is written as it is. */
function raw(text) {
  return { [JSON_TEXT]: () => text };
}

/** Makes a tool. `called` is the function that its author has called. */
function make(called, definition, run) {
  if (typeof definition !== 'object' || definition === null) {
    refuse('bad_argument', '/definition', `a tool is defined by an object with its \`name\` and \`input\`, not by ${kindOf(definition)}`);
  }
  pick(definition, DEFINES);
  const { input, output, formatArguments } = definition;
  if (typeof run !== 'function') refuse('bad_argument', '/run', `a tool's second argument is its function, not ${kindOf(run)}`);
  if (formatArguments !== undefined && typeof formatArguments !== 'function') {
    refuse('bad_argument', '/formatArguments', `\`formatArguments\` is a function, not ${kindOf(formatArguments)}`);
  }
  if (input !== undefined) {
    expectSchema(input, '/input');
    // What a library converts is judged when it is converted.
    if (!isStandard(input)) expectObject(input, '/input');
  }
  if (output !== undefined) expectSchema(output, '/output');
  expectSession(definition);
  // The core judges names and texts now, so that a mistake shows where it was made.
  call(native.readTools, write([labels(definition)]));
  const tool = new Tool({ ...definition }, run);
  made.push(tool);
  guard();
  forgotten.watch(called);
  return tool;
}

module.exports = { make, made, Tool };
