// For authors who stay with an official SDK for TypeScript, for `import`.
import { createRequire } from 'node:module';

export const { result, ask } = createRequire(import.meta.url)('./mcp-sdk.cjs');
