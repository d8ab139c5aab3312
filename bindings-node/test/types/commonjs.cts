import toolwire = require('toolwire');

const parsed: toolwire.Parsed = toolwire.parse('{"content":[]}');
export = parsed.verdict;
