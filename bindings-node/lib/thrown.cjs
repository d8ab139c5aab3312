'use strict';
// What was thrown, in words: anything can be, and telling of it must not fail.

/** What an error value says; half a surrogate pair is made good. */
function messageOf(thrown) {
  // Node leaves the message of a failed connection empty and tells only its code.
  const texts = isObject(thrown) ? [thrown.message, thrown.code, thrown.name, plainText(thrown)] : [String(thrown)];
  return (texts.find((text) => typeof text === 'string' && text !== '') ?? 'error').toWellFormed();
}

function isObject(value) {
  return typeof value === 'object' && value !== null;
}

/** An object that was thrown in place of an error, as JSON if that says anything. */
function plainText(thrown) {
  try {
    return JSON.stringify(thrown).replace(/^\{\}$/, '');
  } catch {
    return undefined;
  }
}

/** Maximum number of reported causes. */
const MOST_CAUSES = 100;

/**
 * The causes, depth first: the errors that an AggregateError holds, then its `cause`, each followed by
 * its own. One that occurs again is left out (API-14).
 */
function causesOf(thrown) {
  const seen = new Set([thrown]);
  const causes = [];
  const next = isObject(thrown) ? behind(thrown) : [];
  while (next.length > 0 && causes.length < MOST_CAUSES) {
    const cause = next.pop();
    if (cause == null || seen.has(cause)) continue;
    seen.add(cause);
    causes.push(cause);
    if (isObject(cause)) next.push(...behind(cause));
  }
  return causes;
}

/** The direct causes of an error, the nearest last. */
function behind(error) {
  const together = error instanceof AggregateError && Array.isArray(error.errors) ? error.errors : [];
  return [...together.slice(0, MOST_CAUSES), error.cause].reverse();
}

module.exports = { messageOf, causesOf };
