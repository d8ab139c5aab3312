// A tool that does nothing, served by `toolwire serve`.
import * as tw from 'toolwire';

tw.tool({ name: 'noop', description: 'Do nothing.', input: { type: 'object', properties: {} } }, () => 'ok');

await tw.main();
