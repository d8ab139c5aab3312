//! A program that stays: a tool for each thing that a session or a warm call can do; the tests run it as a process.

use std::process::{Command, ExitCode};
use std::time::Duration;

use toolwire_author::toolwire::build::{self, BlockOptions, QuestionOptions};
use toolwire_author::toolwire::call::SessionAction;
use toolwire_author::toolwire::{Json, call::AnswerState};
use toolwire_author::{
    Context, Error, Level, Program, Tool, arguments, boolean, log, progress, string,
};

/// Nothing.
#[arguments]
struct Nothing {}

/// Say again what is applied, until it is to end.
#[arguments]
struct Echo {}

fn echo(_: Echo, ctx: &Context) -> Result<&'static str, Error> {
    ctx.emit("say something")?;
    for said in ctx.inputs::<String>() {
        let said = said?;
        let again = said.clone();
        progress(1.0, None, Some(&said));
        // Another thread of the tool is heard too.
        std::thread::spawn(move || log(Level::Info, again))
            .join()
            .ok();
        ctx.emit(format!("you said {said}"))?;
    }
    let why = ctx.ending().map_or("nothing", |why| why.as_str());
    ctx.emit("cleaned up")?;
    Ok(match why {
        "aborted" => "ended: aborted",
        "host_ended" => "ended: host_ended",
        _ => "ended otherwise",
    })
}

/// Ask while it keeps running.
#[arguments]
struct Asks {}

fn asks(_: Asks, ctx: &Context) -> Result<String, Error> {
    ctx.emit("this will restart it")?;
    let answer = ctx.ask("restart", boolean("Restart it?"))?;
    if answer.state == AnswerState::Declined {
        return Ok("left alone".into());
    }
    let name = ctx.ask_person("name", string("As whom?"))?.value;
    // Two threads can't wait for the same answer, and each has its own otherwise.
    let both = std::thread::scope(|scope| {
        let ask = |id| move || ctx.answer::<bool>(id, boolean("Sure?"));
        let (one, two) = (scope.spawn(ask("one")), scope.spawn(ask("two")));
        [one.join(), two.join()].map(|joined| joined.expect("no panic"))
    });
    let [one, two] = both;
    Ok(format!("{:?} {name:?} {} {}", answer.value, one?, two?))
}

/// Wait in the way that is named, until it is to end.
#[arguments]
struct Wait {
    how: String,
}

fn wait(args: Wait, ctx: &Context) -> Result<String, Error> {
    ctx.emit("waiting")?;
    Ok(match args.how.as_str() {
        "sleep" => ctx
            .sleep(Duration::from_secs(600))
            .map(|()| "awake".to_owned())?,
        "recv" => ctx.recv()?,
        "recv_timeout" => {
            while ctx
                .recv_timeout::<Json>(Duration::from_millis(1))?
                .is_none()
            {}
            "input".into()
        }
        "ask" => ctx.answer("go", string("Go on?"))?,
        "wrapped" => ctx
            .sleep(Duration::from_secs(600))
            .map(|()| String::new())
            .map_err(Wrapped)?,
        "tick" => {
            let ticks = (0..3).map(|_| ctx.recv_timeout::<Json>(Duration::from_millis(1)));
            format!(
                "{} ticks",
                ticks.filter(|tick| matches!(tick, Ok(None))).count()
            )
        }
        // It takes no notice, and the host sees to it.
        _ => loop {
            std::thread::sleep(Duration::from_millis(5));
        },
    })
}

#[derive(Debug)]
struct Wrapped(toolwire_author::ContextError);

impl std::fmt::Display for Wrapped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the watch is over")
    }
}

impl std::error::Error for Wrapped {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.0)
    }
}

/// Go wrong.
#[arguments]
struct Fails {
    how: String,
}

fn fails(args: Fails, ctx: &Context) -> Result<(), Error> {
    ctx.emit("began")?;
    match args.how.as_str() {
        "panic" => panic!("no luck today"),
        "exit" => std::process::exit(0),
        "input" => ctx.recv::<u8>().map(drop)?,
        "question" => {
            let schema = Json::new(r#"{"type":"string"}"#)?;
            ctx.emit(build::question(
                "a",
                "A?",
                schema,
                QuestionOptions::default(),
            )?)?;
        }
        "twice" => {
            // Whichever comes second is told at once.
            let asks = || match ctx.ask("same", string("Which?")) {
                Ok(_) => ctx.emit("answered"),
                Err(error) => ctx.emit(error.to_string()),
            };
            std::thread::scope(|scope| {
                let other = scope.spawn(asks);
                let mine = asks();
                mine.and(other.join().expect("no panic"))
            })?;
        }
        "large" => {
            let large = "a".repeat(100_000);
            let error = ctx.emit(large).expect_err("it is too large");
            ctx.emit(format!("refused: {error}"))?;
        }
        "large result" => {}
        _ => return Err(Error::new("the printer is on fire")),
    }
    Ok(())
}

/// Emit without an end, as fast as it can.
#[arguments]
struct Floods {}

fn floods(_: Floods, ctx: &Context) -> Result<(), Error> {
    let line = "a".repeat(1000);
    while ctx.ending().is_none() {
        ctx.emit(&*line)?;
    }
    Ok(())
}

/// Take no input for a while.
#[arguments]
struct Deaf {}

fn deaf(_: Deaf, ctx: &Context) -> Result<String, Error> {
    ctx.emit("asleep")?;
    ctx.ask("wake", boolean("Wake up?"))?;
    let mut count = 0;
    while ctx.recv::<u32>()? < 299 {
        count += 1;
    }
    Ok(format!("{count} before the last"))
}

/// Tell of the call.
#[arguments]
struct Tells {
    #[serde(default)]
    how: String,
}

fn tells(args: Tells, ctx: &Context) -> Result<String, Error> {
    println!("a print of the author's");
    match args.how.as_str() {
        "" => {}
        "panic" => panic!("no luck today"),
        "exit" => std::process::exit(3),
        "sure" => return Ok(format!("{}", ctx.answer("sure", boolean("Sure?"))?)),
        "wait" => {
            progress(0.0, None, Some("waiting"));
            while !ctx.is_cancelled() {
                std::thread::sleep(Duration::from_millis(2));
            }
            return Ok("given up".into());
        }
        "child" => {
            // Neither the host's lines nor the program's are a child's.
            let child = Command::new("sh")
                .args(["-c", "cat; echo printed"])
                .output()?;
            return Ok(format!("{:?}", String::from_utf8_lossy(&child.stdout)));
        }
        "inherited" => {
            Command::new("sh")
                .args(["-c", "cat; echo a child"])
                .status()?;
        }
        "large" => return Ok("a".repeat(100_000)),
        "process" => return Ok(std::process::id().to_string()),
        _ => (0..1000).for_each(|nth| progress(f64::from(nth), Some(999.0), None)),
    }
    log(Level::Warning, &args.how);
    Ok(format!("{:?} {:?}", ctx.root(), ctx.trace().traceparent))
}

fn main() -> ExitCode {
    Program::new()
        .tool(Tool::session("echo", echo).actions([SessionAction::Abort, SessionAction::Apply]))
        .tool(Tool::session("asks", asks).actions([SessionAction::Apply]))
        .tool(Tool::session("wait", wait))
        .tool(Tool::session("fails", fails))
        .tool(Tool::session("floods", floods))
        .tool(Tool::session("deaf", deaf))
        .tool(Tool::new("tells", tells))
        .tool(
            Tool::new("cold", |_: Nothing, _: &Context| {
                build::text("cold", BlockOptions::default())
            })
            .warm(false),
        )
        .main()
}
