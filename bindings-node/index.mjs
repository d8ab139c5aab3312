// Everything the package offers, for `import`: the same objects that `require` gives.

// By require, because Node would otherwise scan every CommonJS file for names, which costs more than
// all the rest of the loading.
import { createRequire } from 'node:module';

const toolwire = createRequire(import.meta.url)('./index.cjs');

export const {
  parse, validate, canonicalize, digest, format, explain, identify, normalizeUri, fileUri, receive, parseLines, summarize,
  text, resource, resourceFromBytes, resourceFromFile, image, audio, resourceLink, question, envelope, error,
  readCall, describe, readDescription, parseArguments, readQuestion, findSecret, prompt, template, readTemplate, refusal,
  checkValue, checkAnswer, checkQuestion, projectSchema, lintSchema, readCommand, actionSchema, readLegacy, unwrapOutcome,
  toElicitation, toInputRequired, answerFromElicitResult, fromElicitation, answerToElicitResult, withoutElicitation, canElicit, requiredCapabilities,
  toMcpResult, fromMcpResult, toMcpTool, fromMcpTool, callToMeta, callFromMeta,
  fingerprint, projectTool, jnHash, diffTools, parseLaunchUri, formatLaunchUri, parseProfileWord, formatProfileWord,
  findHidden, showHidden, readLock, writeLock, updateLock, checkLock,
  readProfile, readProfileFiles, writeProfile, compareProfile, convertServer,
  run, listTools, loadManifest, connect, serve, progress, log, readEvent, findMarker, readLine, terminalInput,
  tool, main, boolean, select, multiSelect, string, number, integer, form, page, SessionEnded, Stop, ToolError,
  Parsed, Envelope, Block, Answer, Exchange, SessionMachine, Sessions, ToolwireError,
} = toolwire;
