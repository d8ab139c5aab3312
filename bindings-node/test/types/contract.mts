// The types of the functions of contracts, as a strict type checker sees them.
import { contract, type Change } from 'toolwire';
const { checkLock, compareProfile, convertServer, diffTools, fingerprint, jnHash, parseLaunchUri, readLock, updateLock, writeLock } = contract;
const tool = { name: 'a', inputSchema: {} };
const { changes }: { changes: Change[] } = diffTools([tool], tool, { open: true });
const facts = parseLaunchUri('mcp+npx://a').facts;
const digest: string = fingerprint(tool, { launch: facts }).safety;
const text: string = updateLock({ lockVersion: 1, sources: {} }, 's', { tools: [tool] });
const { lock } = readLock(text);
writeLock(lock);
const { verified } = checkLock(lock, { sources: { s: { tools: [tool] } } }, { offline: false, budget: 3 });
for (const { what } of compareProfile('{}', [tool])) if (what === 'gone') jnHash([tool]);
const { report } = convertServer({ command: 'a' }, 'mcpServers', 'zed', { name: 'a' });
const fate: 'kept' | 'moved' | 'approximated' | 'dropped' | undefined = report[0]?.fate;
// @ts-expect-error there is no such form
convertServer({}, 'emacs', 'zed');
// @ts-expect-error a number is no tool
fingerprint(1);
console.log(changes, digest, verified, fate);
