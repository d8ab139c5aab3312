//! What a server says to the keeper of its tasks: how it serves, on the first line, and then requests of its client,
//! some of them with a call that it has prepared.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::sync::Arc;
use std::time::Duration;

use toolwire::call::{Call, ToolDescription};
use toolwire::json::{Document, Node, ObjectWriter, array, string};
use toolwire::{Json, Limits};
use toolwire_host::manifest::TaskPolicy;
use toolwire_host::{
    Alternatives, Command, Environment, ExchangeOptions, ProcessOptions, Who, WorkerOptions,
};
use toolwire_rpc::Message;

use super::prepared::Prepared;
use crate::server::served::{Served, Way};
use crate::server::{Offer, ServeOptions, StateKeys, TaskOptions};

/// The request that carries one of the client.
pub const ORDER: &str = "order";

/// A call that another process has prepared.
#[derive(Debug, Clone)]
pub struct Order {
    pub tool: Arc<Served>,
    pub call: Call,
}

impl Order {
    pub fn new(description: ToolDescription, tool: Prepared, call: Call) -> Self {
        let tool = Served {
            description,
            own_name: tool.own_name.clone(),
            way: Way::Prepared(Box::new(tool)),
            session: None,
        };
        Order {
            tool: Arc::new(tool),
            call,
        }
    }
}

/// How a server serves, as the first line says it.
pub fn write_serve(options: &ServeOptions, tasks: &TaskOptions) -> String {
    let mut out = ObjectWriter::new();
    out.text("keys", options.keys.to_text());
    out.number("stateLifetime", millis(options.state_lifetime));
    out.number("jobs", options.jobs as u64);
    out.number("queue", options.queue as u64);
    out.number("maxMessage", options.max_message as u64);
    out.flag("warm", options.workers.is_some());
    out.text("task", tasks.policy.as_str());
    out.number("taskAfter", millis(tasks.after));
    out.number("taskLifetime", millis(tasks.lifetime));
    out.number("taskPoll", millis(tasks.poll));
    out.number("maxTasks", tasks.max_tasks as u64);
    out.number("maxTaskResults", tasks.max_bytes as u64);
    ObjectWriter::new().json("serve", out.end()).end()
}

/// The options that [`write_serve`] wrote.
pub fn read_serve(line: &str) -> Option<ServeOptions> {
    let document = Document::new(line).ok()?;
    let serve = document.root().get("serve")?;
    let number = |name: &str| serve.get(name)?.as_u64();
    let size = |name: &str| usize::try_from(number(name)?).ok();
    let time = |name: &str| number(name).map(Duration::from_millis);
    let word = |name: &str| Some(serve.get(name)?.as_str()?.into_owned());
    let warm = serve.get("warm")?.as_bool()?;
    Some(ServeOptions {
        keys: StateKeys::parse(&word("keys")?).ok()?,
        state_lifetime: time("stateLifetime")?,
        jobs: size("jobs")?,
        queue: size("queue")?,
        max_message: size("maxMessage")?,
        workers: warm.then(WorkerOptions::default),
        handles: None,
        tasks: Some(TaskOptions {
            policy: word("task")?.parse().ok()?,
            after: time("taskAfter")?,
            lifetime: time("taskLifetime")?,
            poll: time("taskPoll")?,
            max_tasks: size("maxTasks")?,
            max_bytes: size("maxTaskResults")?,
        }),
        ..ServeOptions::new(Offer::default()).ok()?
    })
}

fn write_tool(description: &ToolDescription, tool: &Prepared) -> String {
    let options = &tool.process;
    let variables = options.environment.to_variables();
    let variables = variables
        .iter()
        .map(|(name, value)| array([word(name), word(value)]));
    let cwd = options
        .cwd
        .clone()
        .map_or_else(std::env::current_dir, std::path::absolute);
    let mut out = ObjectWriter::new();
    let words = tool.command.arguments().iter().map(|one| word(one));
    out.json("program", word(tool.command.program()));
    out.json("arguments", array(words));
    out.text("ownName", &tool.own_name);
    out.json("description", description.to_json());
    out.flag("plain", tool.plain);
    out.optional("task", tool.task.map(TaskPolicy::as_str));
    out.json("environment", array(variables));
    let cwd = cwd.ok().map(|cwd| word(cwd.as_os_str()));
    out.optional_json("cwd", cwd);
    for (name, time) in [("timeout", options.timeout), ("silence", options.silence)] {
        if let Some(time) = time {
            out.number(name, millis(time));
        }
    }
    out.number("maxOutput", options.max_output as u64);
    out.json("questions", questions(&tool.exchange.questions));
    out.json("refusals", refusals(&tool.exchange.refusals));
    out.end()
}

/// A request of the client, with the call that it is, if it is one.
pub fn write_order(message: &str, call: Option<(&ToolDescription, &Prepared, &Call)>) -> String {
    let mut out = ObjectWriter::new();
    if let Some((description, tool, call)) = call {
        out.json("tool", write_tool(description, tool));
        out.json("call", call.to_json());
    }
    out.json("message", message).end()
}

/// The request in an order, and the call that it is, if it is one.
pub fn read_order(order: &str) -> Option<(Message, Option<Order>)> {
    let document = Document::new(order).ok()?;
    let root = document.root();
    let message = root.get("message")?.raw().as_bytes().to_vec();
    let order = match (root.get("tool"), root.get("call")) {
        (Some(tool), Some(call)) => {
            let (description, tool) = read_tool(tool)?;
            let call = Call::from_json(call.raw().as_bytes(), &Limits::WIDEST).ok()?;
            Some(Order::new(description, tool, call))
        }
        _ => None,
    };
    Some((Message::read(message).ok()?, order))
}

fn read_tool(tool: Node<'_>) -> Option<(ToolDescription, Prepared)> {
    let description = ToolDescription::from_json(tool.get("description")?.raw()).ok()?;
    // Nothing of the keeper's own environment reaches a tool.
    let mut environment = Environment::only([""; 0]);
    for pair in tool.get("environment")?.elements() {
        let mut words = pair.elements().map(os);
        environment = environment.with(words.next()??, words.next()??);
    }
    let time = |name: &str| {
        let millis = tool.get(name)?.as_u64()?;
        Some(Duration::from_millis(millis))
    };
    let usual = ProcessOptions::default();
    let process = ProcessOptions {
        environment,
        cwd: match tool.get("cwd") {
            Some(cwd) => Some(os(cwd)?.into()),
            None => None,
        },
        timeout: time("timeout"),
        silence: time("silence"),
        max_output: usize::try_from(tool.get("maxOutput")?.as_u64()?).ok()?,
        ..usual
    };
    let exchange = ExchangeOptions {
        questions: read_questions(tool.get("questions")?)?,
        refusals: read_refusals(tool.get("refusals")?),
        ..ExchangeOptions::default()
    };
    let words: Option<Vec<OsString>> = tool.get("arguments")?.elements().map(os).collect();
    let tool = Prepared {
        command: Command::new(os(tool.get("program")?)?).args(words?),
        own_name: tool.get("ownName")?.as_str()?.into_owned(),
        process,
        plain: tool.get("plain")?.as_bool()?,
        exchange,
        task: match tool.get("task") {
            Some(policy) => Some(policy.as_str()?.parse().ok()?),
            None => None,
        },
    };
    Some((description, tool))
}

/// Who answers which question: a word, or an object with the value.
fn questions(questions: &BTreeMap<String, Who>) -> String {
    let mut out = ObjectWriter::new();
    for (id, who) in questions {
        match who {
            Who::Value(value) => {
                let value = ObjectWriter::new().json("value", value.as_str()).end();
                out.json(id, value)
            }
            Who::User => out.text(id, "user"),
            Who::Assistant => out.text(id, "assistant"),
            Who::Default => out.text(id, "default"),
            // What is not known here is nobody's to answer.
            _ => out.text(id, "decline"),
        };
    }
    out.end()
}

fn read_questions(node: Node<'_>) -> Option<BTreeMap<String, Who>> {
    let read = |who: Node<'_>| {
        if let Some(value) = who.get("value") {
            return Some(Who::Value(Json::from(value)));
        }
        match &*who.as_str()? {
            "user" => Some(Who::User),
            "assistant" => Some(Who::Assistant),
            "default" => Some(Who::Default),
            "decline" => Some(Who::Decline),
            _ => None,
        }
    };
    let members = node.members();
    members
        .map(|(id, who)| Some((id.into_owned(), read(who)?)))
        .collect()
}

fn refusals(refusals: &BTreeMap<String, Alternatives>) -> String {
    let mut out = ObjectWriter::new();
    for (id, ways) in refusals {
        let mut entry = ObjectWriter::new();
        entry.optional("service", ways.service.as_deref());
        entry.optional("oauth", ways.oauth.as_deref());
        entry.optional("url", ways.url.as_deref());
        entry.optional("upFront", ways.up_front.as_deref());
        entry.optional("appPasswords", ways.app_passwords.as_deref());
        out.json(id, entry.end());
    }
    out.end()
}

fn read_refusals(node: Node<'_>) -> BTreeMap<String, Alternatives> {
    let read = |entry: Node<'_>| {
        let word = |name: &str| Some(entry.get(name)?.as_str()?.into_owned());
        Alternatives {
            service: word("service"),
            oauth: word("oauth"),
            url: word("url"),
            up_front: word("upFront"),
            app_passwords: word("appPasswords"),
        }
    };
    let members = node.members();
    members
        .map(|(id, entry)| (id.into_owned(), read(entry)))
        .collect()
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A word of a command, a path or a variable: text, or the bytes of what is no text, which only Unix knows.
fn word(word: &OsStr) -> String {
    match word.to_str() {
        Some(text) => string(text),
        None => array(word.as_encoded_bytes().iter().map(u8::to_string)),
    }
}

fn os(node: Node<'_>) -> Option<OsString> {
    if let Some(text) = node.as_str() {
        return Some(text.into_owned().into());
    }
    let bytes = node
        .elements()
        .map(|byte| u8::try_from(byte.as_u64()?).ok());
    let bytes: Vec<u8> = bytes.collect::<Option<_>>()?;
    #[cfg(unix)]
    return Some(std::os::unix::ffi::OsStringExt::from_vec(bytes));
    #[cfg(not(unix))]
    return Some(String::from_utf8_lossy(&bytes).into_owned().into());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_to_the_letter() {
        let mut options = ServeOptions::new(Offer::default()).unwrap();
        options.jobs = 3;
        options.workers = None;
        let sealed = options.keys.seal("x").unwrap();
        let tasks = TaskOptions {
            after: Duration::from_millis(7),
            policy: TaskPolicy::Required,
            ..TaskOptions::default()
        };
        let read = read_serve(&write_serve(&options, &tasks)).unwrap();
        let known = read.tasks.unwrap();
        assert_eq!((read.jobs, known.after), (3, tasks.after));
        assert_eq!((known.policy, read.workers.is_none()), (tasks.policy, true));
        assert_eq!(read.keys.open(&sealed).as_deref(), Some("x"));

        let description = ToolDescription::new("a_b", Json::new(r#"{"type":"object"}"#).unwrap());
        let value = Who::Value(Json::new("12345678901234567890123").unwrap());
        let ways = Alternatives {
            up_front: Some("the variable KEY".to_owned()),
            ..Alternatives::default()
        };
        let tool = Prepared {
            own_name: "b".to_owned(),
            process: ProcessOptions {
                environment: Environment::only([""; 0]).with("SHADE", "a\nb"),
                timeout: Some(Duration::from_secs(3)),
                cwd: Some("/somewhere".into()),
                ..ProcessOptions::default()
            },
            plain: true,
            exchange: ExchangeOptions {
                questions: BTreeMap::from([("q".to_owned(), value), ("*".to_owned(), Who::User)]),
                refusals: BTreeMap::from([("q".to_owned(), ways)]),
                ..ExchangeOptions::default()
            },
            task: Some(TaskPolicy::Never),
            command: Command::new("/bin/echo").args(["x", "y z"]),
        };
        let call = Call::new("b", Json::new(r#"{"n":1.50}"#).unwrap());
        let message = r#"{"id":1,"method":"tools/call","params":{"n":1.50}}"#;
        let line = write_order(message, Some((&description, &tool, &call)));
        assert!(!line.contains('\n'));
        let (read, order) = read_order(&line).unwrap();
        let order = order.unwrap();
        assert_eq!(read.text(), message);
        assert_eq!(order.call.to_json(), call.to_json());
        let Way::Prepared(read) = &order.tool.way else {
            panic!("it is prepared");
        };
        assert_eq!(read.command, tool.command);
        assert_eq!(read.exchange, tool.exchange);
        assert_eq!((read.plain, read.task), (tool.plain, tool.task));
        assert_eq!(read.process.timeout, tool.process.timeout);
        assert_eq!(read.process.cwd, tool.process.cwd);
        let variables = read.process.environment.to_variables();
        assert_eq!(variables, tool.process.environment.to_variables());
    }

    #[cfg(unix)]
    #[test]
    fn words_that_are_no_text_keep_their_bytes() {
        use std::os::unix::ffi::OsStringExt as _;
        let odd = OsString::from_vec(vec![b'a', 0xff]);
        let text = word(&odd);
        let document = Document::new(&text).unwrap();
        assert_eq!(os(document.root()), Some(odd));
    }
}
