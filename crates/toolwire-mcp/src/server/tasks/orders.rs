//! What a server says to the keeper of its tasks: how it serves, on the first line, and then requests of its client,
//! some of them with a call that it has prepared.

use std::sync::Arc;
use std::time::Duration;

use toolwire::Limits;
use toolwire::call::{Call, ToolDescription};
use toolwire::json::{Document, ObjectWriter};
use toolwire_host::WorkerOptions;
use toolwire_rpc::Message;

use super::prepared::Prepared;
use crate::server::served::{Served, Way};
use crate::server::{Offer, ServeOptions, StateKeys, TaskOptions};

/// The request that carries one of the client.
pub const ORDER: &str = "order";

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

/// A call that another process has prepared.
#[derive(Debug, Clone)]
pub struct Order {
    pub tool: Arc<Served>,
    pub call: Call,
}

impl Order {
    fn new(tool: Prepared) -> Option<Self> {
        let call = Call::from_json(tool.spawn.call.as_str().as_bytes(), &Limits::WIDEST).ok()?;
        let served = Served {
            description: ToolDescription::from_json(tool.spawn.tool.as_str()).ok()?,
            own_name: tool.own_name.clone(),
            way: Way::Prepared(Box::new(tool)),
            session: None,
        };
        let tool = Arc::new(served);
        Some(Order { tool, call })
    }
}

/// A request of the client, with the call that it is, if it is one.
pub fn write_order(message: &str, call: Option<&Prepared>) -> String {
    let mut out = ObjectWriter::new();
    let call = call.and_then(|call| serde_json::to_string(call).ok());
    out.optional_json("tool", call);
    out.json("message", message).end()
}

/// The request in an order, and the call that it is, if it is one.
pub fn read_order(order: &str) -> Option<(Message, Option<Order>)> {
    let document = Document::new(order).ok()?;
    let root = document.root();
    let message = root.get("message")?.raw().as_bytes().to_vec();
    let order = match root.get("tool") {
        Some(tool) => Some(Order::new(serde_json::from_str(tool.raw()).ok()?)?),
        None => None,
    };
    Some((Message::read(message).ok()?, order))
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use toolwire::Json;
    use toolwire::call::AnswerSource;
    use toolwire_host::handles::{How, Spawn};
    use toolwire_host::manifest::TaskPolicy;
    use toolwire_host::{Command, Environment, ExchangeOptions, ProcessOptions, Who};

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
        let call = Call::new("b", Json::new(r#"{"n":1.50}"#).unwrap());
        let command = Command::new("/bin/echo").args(["x", "y z"]);
        let process = ProcessOptions {
            environment: Environment::only([""; 0]).with("SHADE", "a\nb"),
            timeout: Some(Duration::from_secs(3)),
            ..ProcessOptions::default()
        };
        let by = AnswerSource::Assistant;
        let mut spawn =
            Spawn::new("", by, How::Plain, &description, &call, &command, &process).unwrap();
        let value = Who::Value(Json::new("12345678901234567890123").unwrap());
        spawn.questions = BTreeMap::from([("q".to_owned(), value), ("*".to_owned(), Who::User)]);
        let questions = spawn.questions.clone();
        let tool = Prepared {
            own_name: "b".to_owned(),
            task: Some("never".to_owned()),
            silence: Some(Duration::from_secs(2)),
            spawn,
        };
        let message = r#"{"id":1,"method":"tools/call","params":{"n":1.50}}"#;
        let line = write_order(message, Some(&tool));
        assert!(!line.contains('\n'));
        let (read, order) = read_order(&line).unwrap();
        let order = order.unwrap();
        assert_eq!(read.text(), message);
        assert_eq!(order.call.to_json(), call.to_json());
        assert_eq!(order.tool.description.to_json(), description.to_json());
        let Way::Prepared(read) = &order.tool.way else {
            panic!("it is prepared");
        };
        assert_eq!(
            (&*read.own_name, read.task()),
            ("b", Some(TaskPolicy::Never))
        );
        let options = read.options();
        assert_eq!(
            (options.timeout, options.silence),
            (process.timeout, tool.silence)
        );
        assert_eq!(
            options.environment.to_variables(),
            process.environment.to_variables()
        );
        assert_eq!(
            read.exchange(ExchangeOptions::default()).questions,
            questions
        );
        assert!(read.process(options).plain);
        assert_eq!(read.spawn.command(), command);
    }
}
