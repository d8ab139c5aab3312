// Everything the package offers, for `import`: the same objects that `require` gives.

import toolwire from './index.cjs';

export const {
  parse, validate, canonicalize, digest, format, explain, identify, normalizeUri, fileUri, receive, parseLines, summarize,
  text, resource, resourceFromBytes, resourceFromFile, image, audio, resourceLink, question, envelope, error,
  Parsed, Envelope, Block, ToolwireError,
} = toolwire;
