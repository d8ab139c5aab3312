// `Tools` as type checkers see it.
import { Tools, loadManifest, type ToolTurn } from 'toolwire';

const tools = new Tools({ answerer: () => true, maxHandles: 8 });
const names: string[] = await tools.add('https://example.org/mcp', { headers: { Authorization: '…' }, only: ['search'] });
await tools.add(['npx', 'server'], { trust: true, lock: 'toolwire.lock', timeout: 1000 });
await tools.add(loadManifest());
// @ts-expect-error A driven program is added to `sessions`.
await tools.add('./tool', { session: 'pty' });
await tools.sessions.add('./tool', { session: 'pty' });
const offered = tools.definitions('anthropic', { strict: true });
const turn: ToolTurn = await tools.respond('anthropic', { content: [] }, { maxBytes: 4096, signal: AbortSignal.timeout(1000) });
// @ts-expect-error There is no such provider.
tools.definitions('openrouter');
console.log(names, offered, turn.messages, turn.calls[0]?.name, turn.results[0]?.isError, tools.list()[0]?.name);
