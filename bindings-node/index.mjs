// Everything the package offers, for `import`: the same objects that `require` gives.

// By require, because Node would otherwise scan every CommonJS file for names, which costs more than
// all the rest of the loading.
import { createRequire } from 'node:module';

const toolwire = createRequire(import.meta.url)('./index.cjs');

export const {
  parse, validate, canonicalize, digest, format, explain, identify, normalizeUri, fileUri, receive, parseLines, summarize,
  text, resource, resourceFromBytes, resourceFromFile, image, audio, resourceLink, question, envelope, error,
  contract, mcp, elicitation, legacy, providers, questions, schema, wire,
  run, listTools, loadManifest, connect, serve, progress, log,
  tool, main, boolean, select, multiSelect, string, number, integer, form, page, SessionEnded, Stop, ToolError,
  Parsed, Envelope, Block, Answer, Sessions, Tools, ToolwireError,
} = toolwire;
