// A program that offers only some of its tools, and prints before it does.
import { main, tool } from 'toolwire';

const chosen = tool({ name: 'chosen' }, () => 'this one');
tool({ name: 'hidden' }, () => 'not this one');
console.log('starting');
await main(chosen);
