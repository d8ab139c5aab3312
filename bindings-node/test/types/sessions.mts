// Sessions of a host, against the declarations.
import {
  Answer, loadManifest, Sessions, tool, type Announcement, type AnswerSource, type Fetched, type Handle, type Message, type Parsed, type Progress, type SessionAction, type SessionRefusal, type SessionState, wire,
} from 'toolwire';
const { SessionMachine } = wire;

const now = tool({ name: 'now' }, () => 'noon');

export async function host(): Promise<string> {
  const sessions = new Sessions({
    answerer: (question, { signal }) => (signal.aborted ? undefined : new Answer(question.default)),
    approve: ({ tool, id, action }) => (action satisfies SessionAction) === 'spawn' || `${tool} ${id ?? ''}`,
    onState: (id: string, state: SessionState) => console.log(id, state),
    onProgress: async (id: string, { done, total }: Progress) => console.log(id, done, total),
    onLog: (id: string, { level, text }: Message) => console.log(id, level, text),
    onStderr: (id, piece) => console.log(id, piece.toString('utf8')),
    rules: { turn: 'wait', turnWait: 1000, approve: ['spawn', 'apply'] },
  });
  const names: string[] = await sessions.add(now);
  await sessions.add([now]);
  await sessions.add(loadManifest(), { only: names });
  await sessions.add(['git', 'add', '--patch'], { session: 'pty', size: [100, 30], name: 'stage', description: 'Stages hunks.' });
  // @ts-expect-error: there is no such kind of session.
  await sessions.add('cat', { session: 'tty' });
  const parsed: Parsed = await sessions.handle('stage', { action: 'spawn', id: 'a' });
  const by: AnswerSource = 'user';
  const fetched: Fetched = await sessions.apply('a', { answer: { state: 'declined' } }, { by, until: 'hunk' });
  // @ts-expect-error: no answer has such a state.
  await sessions.apply('a', { answer: { state: 'perhaps' } });
  const refusal: SessionRefusal | undefined = fetched.refusal;
  const [first]: Handle[] = await sessions.list();
  const told: Announcement[] = await sessions.announcements();
  const states: { [id: string]: SessionState } = await sessions.wait(['a'], { any: true });
  await sessions.close();
  const machine = new SessionMachine('a', { actions: ['spawn'] });
  return `${parsed.isError} ${refusal?.possible.join()} ${first?.since.toISOString()} ${told.length} ${states.a} ${machine.state}`;
}
