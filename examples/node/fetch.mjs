#!/usr/bin/env node
// Fetch a page or a file over HTTP; the answer is a resource under the address that it came from.
//
//     toolwire run examples/node/fetch.mjs url=https://example.org/
//
// What may go better another time (429, 503, a time-out, a broken connection) is marked as transient, so
// that a host can try again; 404 is not.

import * as tw from 'toolwire';

const input = {
  type: 'object',
  properties: {
    url: { type: 'string', format: 'uri', pattern: '^https?://', description: 'What to fetch.' },
    maxBytes: { type: 'integer', minimum: 1, maximum: 50_000_000, default: 1_000_000, description: 'More than that is an error.' },
    timeout: { type: 'number', minimum: 0.1, maximum: 300, default: 30, description: 'Seconds for the whole of it.' },
  },
  required: ['url'],
};

tw.tool(
  { name: 'fetch', description: 'Fetch a page or a file over HTTP.', input, readOnly: true, openWorld: true },
  async ({ url, maxBytes = 1_000_000, timeout = 30 }, ctx) => {
    const response = await fetch(url, { signal: AbortSignal.timeout(timeout * 1000) });
    if (!response.ok) {
      const again = response.headers.get('retry-after');
      const after = again ? `; it may be tried again after ${again}` : '';
      throw Object.assign(new Error(`${url} answered ${response.status} ${response.statusText}${after}`), { status: response.status });
    }
    const bytes = await body(response, maxBytes);
    const mimeType = response.headers.get('content-type')?.split(';')[0].trim();
    console.error(`${bytes.length} bytes of ${mimeType ?? 'an unknown type'}`);
    return tw.resourceFromBytes(response.url, bytes, mimeType ? { mimeType } : {});
  },
);

async function body(response, maxBytes) {
  const chunks = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`${response.url} has more than ${maxBytes} bytes; raise \`maxBytes\` to get it`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

await tw.main();
