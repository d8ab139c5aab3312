//! `toolwire session`.

pub const SESSION: &str = "\
A tool that keeps running is a handle, under an id of your choice that is unique in the workspace:
the folder of the nearest `toolwire.toml`, or else the current folder; `--root` names another.
Handles live in a small host process of your own, which is started when it is needed. It ends one
minute after all tools have stopped and all that they said was fetched; what nobody fetches is kept
for 10 minutes. `TOOLWIRE_SESSION_IDLE=10s` in the environment of the first command says otherwise
than one minute.

What a tool has said goes to stdout, and how it stands to stderr.

Examples:
  toolwire session spawn greeter --pipe -- cat
  toolwire session apply greeter hello --enter --until hello
  toolwire session fetch greeter --wait 2s
  toolwire session list
  toolwire session abort greeter

Exit codes:
  0  done; for `wait`, all tools have ended well
  1  refused, or the tool has failed
  2  the command line is wrong, or arguments, input or answers do not fit
  5  a program could not be started, or the session host could not be used
  6  the text of `--until` has not come, or the time of `wait` is over
  7  `wait`: a tool waits for an answer, or for a person to type";

pub const SESSION_SPAWN_USAGE: &str = "\
toolwire session spawn [OPTIONS] ID ./PROGRAM [TOOL] [ARGUMENT]...
       toolwire session spawn [OPTIONS] ID NAME [ARGUMENT]...       (a tool of toolwire.toml)
       toolwire session spawn [OPTIONS] ID -- COMMAND [ARG]...";

pub const SESSION_SPAWN: &str = "\
A tool that describes itself gets a call and keeps running if its description lists session
actions; any other tool runs once, and its questions wait for answers. An id whose tool has stopped
can be used again; what was not fetched of it is dropped. A command that does not
describe itself runs on plain pipes, or with --pty in a pseudo-terminal. It gets the environment and
the folder of this command. A tool that differs from `toolwire.lock` is reported before it is spawned; with
--locked it is refused, and so is what is not locked.

Examples:
  toolwire session spawn words --pipe -- cat
  toolwire session spawn shell --pty --size 120x40 -- sh
  toolwire session spawn answer --wait 1s ./tool.sh path=a
  toolwire session spawn hello --json greet name=Ada
  toolwire session spawn server --pipe --until ready -- sh -c 'echo ready; sleep 1'

Exit codes:
  0  spawned    1  refused, or the tool has failed    2  usage, or arguments that do not fit
  5  the program or the session host could not be started    6  the text of --until has not come
  129, 130, 143  ended by a signal; the tool goes on";

pub const SESSION_RUN_USAGE: &str = "\
toolwire session run [OPTIONS] ID ./PROGRAM [TOOL] [ARGUMENT]...
       toolwire session run [OPTIONS] ID NAME [ARGUMENT]...       (a tool of toolwire.toml)
       toolwire session run [OPTIONS] ID -- COMMAND [ARG]...";

pub const SESSION_RUN: &str = "\
Does `spawn` and `wait` in one command, for scripts, and writes the output as it comes. Meanwhile,
other commands can read it, type into it and end it under its id. It exits with 0 only if the tool
ended by itself with exit status 0.

Examples:
  toolwire session run tests --pipe -- sh -c 'echo 3 tests passed'
  toolwire session run tests --pipe -- true && echo deploy
  toolwire session run hello greet name=Ada

Exit codes:
  0  the tool has ended well    1  it has failed, crashed or was aborted; or it was not started
  2  usage, or arguments that do not fit
  5  the program or the session host could not be started
  7  it waits for an answer, or for a person to type
  129, 130, 143  ended by a signal; the tool goes on";

pub const SESSION_RESIZE: &str = "\
Gives the pseudo-terminal of a handle another size, as if its window had changed.

Examples:
  toolwire session resize shell 120x40
  toolwire session resize shell 80x24
  toolwire session resize shell 80x24 --root .

Exit codes:
  0  done    1  refused, or the tool has stopped    2  usage
  5  the session host could not be used";

pub const SESSION_FETCH: &str = "\
Writes what is new: each block once, and at most --max-bytes at once; stderr says what is left. What
was written can be read again with --after: a fetch with --after N writes what came after block N,
and forgets the blocks up to it. --after 0 writes all that is kept, which is up to 1 MiB, of a tool
that has stopped for 10 minutes. The line on stderr says the last number, and what was dropped.
--tail 64K writes the last part alone, and drops what came before it.

--until waits for a text in what is new. What an earlier command has written does not count: give
--until to `spawn` and `apply` to wait for what they bring about.

Without --screen, --changes or --new, the screen is written if the program draws on all of it, as
an editor does; otherwise what it has printed.

Examples:
  toolwire session fetch words
  toolwire session fetch words --wait 1s --json
  toolwire session fetch shell --screen
  toolwire session fetch words --after 0 --max-bytes 16K

Exit codes:
  0  written    1  refused, or the tool has failed    2  usage
  5  the session host could not be used    6  the text of --until has not come";

pub const SESSION_APPLY: &str = "\
A text is typed as it is, and Enter pressed after it only with --enter. An open question is answered
with --answer, or with a text, read in the same way: `yes` answers a question for true or false.
Questions that ask for secrets, and passwords that a program reads from its terminal, are for a
person: see `toolwire session attach`. Only ctrl-c can be pressed there by anybody.

Of what the program shows in answer to --until, the text that was typed does not count if it comes
first, as the echo of a terminal does. The echo of later lines, or on a whole screen, counts.

Examples:
  toolwire session apply words 'hello world' --enter
  toolwire session apply words --input-json '\"a line\\n\"'
  echo hello | toolwire session apply words --file -
  toolwire session apply asking --answer confirm=true
  toolwire session apply shell 'echo $((6 * 7))' --enter --until 42

Exit codes:
  0  applied    1  refused, or the tool has failed    2  usage, or input that does not fit
  5  the session host could not be used    6  the text of --until has not come";

pub const SESSION_ABORT: &str = "\
The tool is told to end; one that does not is asked by a signal after 2 seconds, and killed after 2
more. What it said since the last fetch is written, unless --quiet is given. Several tools are ended
at once.

Examples:
  toolwire session abort words
  toolwire session abort words shell --json
  toolwire session abort --all

Exit codes:
  0  ended    1  refused    2  usage
  5  the session host could not be used";

pub const SESSION_LIST: &str = "\
A row has the id, the tool, and how it stands: `running`, with its progress; `running, waits for a
person to type`; `waits for an answer`, with the question; `stopped`, with its exit status. Then it
says when it was started, and the command line.

Examples:
  toolwire session list
  toolwire session list --json
  toolwire session list --root .

Exit codes:
  0  written    2  usage    5  the session host could not be used";

pub const SESSION_WAIT: &str = "\
Waits for tools, and says how they stand. It exits with 0 only if all of them have ended well: by
themselves, with exit status 0. So `toolwire session wait tests && ./deploy` deploys what passed.
A tool that needs somebody is not waited for any longer. If the last `spawn` of an id has failed,
`wait` fails too, once: what runs under the id, or has run, is something else. `session run` does
both in one command.

Examples:
  toolwire session wait done
  toolwire session wait done asking --any || test $? = 7
  toolwire session wait done --timeout 10m --json

Exit codes:
  0  all have ended well
  1  one has failed, crashed or was aborted; or there is no such handle
  2  usage    5  the session host could not be used    6  the time of --timeout is over
  7  one waits for an answer, or for a person to type";

pub const SESSION_ATTACH: &str = "\
For a person at a terminal. The program of a handle with a pseudo-terminal gets this terminal, with
its size, until you press Ctrl-] or it ends; it goes on when you leave. Sequences for the clipboard
and the title of the window are left out. A handle without a terminal shows what it says, and asks
its questions; one that has stopped shows what is left, and how it ended.

Examples:
  toolwire session attach shell
  toolwire session attach shell --detach-key ctrl-a
  toolwire session attach asking

Exit codes:
  0  left, or it has ended    1  refused    2  usage
  5  the session host could not be used";
