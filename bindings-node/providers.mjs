// Messages of the providers of models, for `import`.
import { createRequire } from 'node:module';

export const { toMessage, toTurn, toTools, fromCall, toHistory } = createRequire(import.meta.url)('./providers.cjs');
