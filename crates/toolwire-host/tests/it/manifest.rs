//! The tools of a manifest in a host, with real programs.

use std::path::Path;
use std::time::{Duration, Instant};

use toolwire::Json;
use toolwire::call::{Answer, AnswerSource, Call, ToolDescription};
use toolwire_host::manifest::{Manifest, ManifestTool};
use toolwire_host::{
    Answerer, CallOptions, CallOutcome, ExchangeOptions, HostError, HostErrorKind, Nobody,
    PendingQuestion, StopReason, ToolList, Unanswered, Who, block_on, call, call_until, list_tools,
};

/// A program that asks whether to go on, and says what it was given. Each run leaves a line in `runs`.
const ASKS: &str = r#"#!/bin/sh
call=$(cat)
echo run >> runs
case $call in
  *'"action":"describe"'*) echo '{"content":[],"structuredContent":{"toolwire":1,"tools":[{"name":"inner","title":"Inner","description":"Of the program.","inputSchema":{"type":"object","properties":{"path":{"type":"string"}}}}]}}' ;;
  *'"answers":{}'*) echo '{"content":[{"type":"question","question":{"id":"go","text":"Go on?","schema":{"type":"boolean"},"default":false}}]}' ;;
  *) echo "$call" ;;
esac
"#;

struct Folder(tempfile::TempDir);

impl Folder {
    fn new(manifest: &str) -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        folder.file("toolwire.toml", manifest);
        folder.program("asks", ASKS);
        folder
    }

    fn file(&self, name: &str, text: &str) {
        std::fs::write(self.path().join(name), text).unwrap();
    }

    fn program(&self, name: &str, text: &str) {
        use std::os::unix::fs::PermissionsExt as _;
        self.file(name, text);
        let all = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(self.path().join(name), all).unwrap();
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn manifest(&self) -> Manifest {
        Manifest::read(&self.path().join("toolwire.toml")).unwrap()
    }

    /// How often the program ran.
    fn runs(&self) -> usize {
        let runs = std::fs::read_to_string(self.path().join("runs"));
        runs.map_or(0, |runs| runs.lines().count())
    }
}

fn run(tool: &ManifestTool, arguments: &str, answerer: &mut impl Answerer) -> CallOutcome {
    let options = CallOptions {
        exchange: tool.exchange_options(ExchangeOptions::default()),
        ..CallOptions::default()
    };
    run_with(tool, arguments, &options, answerer).unwrap()
}

fn run_with(
    tool: &ManifestTool,
    arguments: &str,
    options: &CallOptions,
    answerer: &mut impl Answerer,
) -> Result<CallOutcome, HostError> {
    let transport = tool.transport(tool.process_options());
    let document = tool.call(&Json::new(arguments).unwrap())?;
    block_on(call(&transport, document, options, answerer))
}

fn text(outcome: &CallOutcome) -> String {
    let block = outcome.parsed.blocks().next().unwrap();
    block.text().unwrap_or_default().into_owned()
}

fn list(manifest: &Manifest) -> Result<Vec<ToolDescription>, HostError> {
    let listed = block_on(list_tools(&manifest.lister()))?;
    assert!(listed.problems.is_empty(), "{:?}", listed.problems);
    Ok(listed.tools.unwrap())
}

const ALL: &str = r#"
[tools.ask]
command = "./asks"
describe = true
cwd = "."
arguments = { path = "a" }
options = { dry = true }
env = { ONLY = "this" }

[tools.echo]
title = "Echo"
command = ["printf", "%s|", "{text}", "--n={count}"]
[tools.echo.parameters]
text = { type = "string", description = "what is said" }
count = { type = "integer", minimum = 1, default = 2 }
"#;

#[test]
fn a_tool_is_run_by_its_name_with_what_the_manifest_says() {
    let folder = Folder::new(ALL);
    let manifest = folder.manifest();
    let mut yes = |_: &PendingQuestion| Answer::accepted(Json::from(true), AnswerSource::User);
    let outcome = run(manifest.tool("ask").unwrap(), r#"{"more":1}"#, &mut yes);
    let call = text(&outcome);
    assert!(call.contains(r#""name":"inner""#), "{call}");
    assert!(
        call.contains(r#""arguments":{"more":1,"path":"a"}"#),
        "{call}"
    );
    assert!(call.contains(r#""options":{"dry":true}"#), "{call}");
    let told = format!(r#""root":"{}""#, folder.path().display());
    assert!(call.contains(&told), "{call}");
    // It was asked for its tool once, and called twice.
    assert_eq!((outcome.rounds, folder.runs()), (2, 3));
    run(manifest.tool("ask").unwrap(), "{}", &mut yes);
    assert_eq!(folder.runs(), 5);
    let echo = manifest.tool("echo").unwrap();
    let outcome = run(echo, r#"{"text":"$HOME; it's"}"#, &mut Nobody);
    assert_eq!(text(&outcome), "$HOME; it's|--n=2|");
}

#[test]
fn arguments_that_do_not_fit_are_answered_and_nothing_runs() {
    let folder = Folder::new(
        "[tools.a]\ncommand = ['./asks', '{path}', '--', '{rest}']\ncwd = '.'\nparameters = { path = { type = 'string' }, rest = { optional = true } }\n",
    );
    let manifest = folder.manifest();
    for (arguments, words) in [
        (r#"{"path":"a","pth":"b"}"#, "`/pth`"),
        ("{}", "path"),
        (r#"{"path":3}"#, "`/path`"),
        (r#"{"path":"-rf"}"#, "begins with `-`"),
    ] {
        let outcome = run(manifest.tool("a").unwrap(), arguments, &mut Nobody);
        assert!(outcome.parsed.is_error(), "{arguments}");
        assert!(text(&outcome).contains(words), "{}", text(&outcome));
        assert!(outcome.report.exit.is_none());
    }
    assert_eq!(folder.runs(), 0);
    let error = manifest
        .tool("a")
        .unwrap()
        .call(&Json::from(true))
        .unwrap_err();
    assert_eq!(error.kind(), HostErrorKind::BadArgument);
    let error = manifest.tool("aa").unwrap_err();
    assert_eq!(error.kind(), HostErrorKind::UnknownTool);
    assert!(
        error
            .to_string()
            .ends_with("there is no tool `aa`; there is `a`"),
        "{error}"
    );
}

#[test]
fn the_tools_are_described_under_the_names_of_the_manifest() {
    let folder = Folder::new(&format!(
        "{ALL}[tools.other]\ncommand = './asks'\ndescribe = true\ncwd = '.'\ntool = 'inner'\ntitle = 'Other'\ndescription = 'Of the manifest.'\n"
    ));
    let tools = list(&folder.manifest()).unwrap();
    let told = tools.iter().map(|tool| {
        let title = tool.title.as_deref().unwrap_or_default();
        (
            tool.name.as_str(),
            title,
            tool.description.as_deref().unwrap_or_default(),
        )
    });
    assert_eq!(
        told.collect::<Vec<_>>(),
        [
            ("ask", "Inner", "Of the program."),
            ("echo", "Echo", ""),
            ("other", "Other", "Of the manifest."),
        ]
    );
    let schema = tools[1].input_schema.as_str();
    assert!(schema.contains(r#""required":["text"]"#), "{schema}");
    assert!(
        schema.contains(r#""additionalProperties":false"#),
        "{schema}"
    );
}

#[test]
fn a_program_that_does_not_describe_its_tool_hides_no_other() {
    for (entry, words) in [
        ("command = 'true'", "`plain = true`"),
        ("command = 'true'\ndescribe = true", "`plain = true`"),
        (
            "command = ['sh', '-c', 'echo broken >&2; exit 3']\ndescribe = true",
            "`z` failed when it was asked for its tools (exit status 3): broken",
        ),
        ("command = './absent'", "absent"),
        (
            "command = './asks'\ndescribe = true\ncwd = '.'\ntool = 'iner'",
            "did you mean `inner`?",
        ),
    ] {
        let folder = Folder::new(&format!("{ALL}[tools.z]\n{entry}\n"));
        let listed = block_on(list_tools(&folder.manifest().lister())).unwrap();
        assert_eq!(listed.tools.unwrap().len(), 2);
        assert!(
            listed.problems["z"].contains(words),
            "{:?}",
            listed.problems
        );
    }
}

#[test]
fn looking_starts_no_program_that_is_not_marked() {
    let folder = Folder::new(
        "[tools.clean]\ncommand = ['sh', '-c', 'echo ran >> runs']\ncwd = '.'\n\
         [tools.log]\ncommand = ['sh', './log.sh']\ncwd = '.'\n\
         [tools.open]\ncommand = ['sh', '-c', 'echo ran >> runs']\ncwd = '.'\ndescription = 'Runs.'\n",
    );
    let log = r#"# toolwire-tool: 1
cat > /dev/null; printf '%s' '{"content":[],"structuredContent":{"toolwire":1,"tools":[{"name":"log","inputSchema":{"type":"object"}}]}}'
"#;
    std::fs::write(folder.path().join("log.sh"), log).unwrap();
    let listed = block_on(list_tools(&folder.manifest().lister())).unwrap();
    let tools = listed.tools.unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!(names, ["log", "open"]);
    assert_eq!(tools[1].input_schema.as_str(), r#"{"type":"object"}"#);
    assert!(listed.problems["clean"].contains("`describe = true`"));
    assert!(!folder.path().join("runs").exists());
    // A call by its name runs it, as ever.
    run(folder.manifest().tool("clean").unwrap(), "{}", &mut Nobody);
    assert_eq!(folder.runs(), 1);
}

#[test]
fn a_program_that_knows_no_descriptions_does_its_job_once_and_loses_no_argument() {
    let folder = Folder::new(
        "[tools.a]\ncommand = ['sh', '-c', 'echo done; echo run >> runs']\ncwd = '.'\n",
    );
    let outcome = run(folder.manifest().tool("a").unwrap(), "{}", &mut Nobody);
    assert_eq!((text(&outcome).as_str(), folder.runs()), ("done\n", 1));
    let outcome = run(
        folder.manifest().tool("a").unwrap(),
        r#"{"x":1}"#,
        &mut Nobody,
    );
    assert!(outcome.parsed.is_error());
    assert!(
        text(&outcome).contains("`parameters`"),
        "{}",
        text(&outcome)
    );
}

#[test]
fn the_manifest_says_who_answers() {
    let ask = |questions: &str, source: AnswerSource| {
        let folder = Folder::new(&format!(
            "[tools.ask]\ncommand = './asks'\ncwd = '.'\ntool = 'inner'\nquestions = {questions}\n"
        ));
        let manifest = folder.manifest();
        let mut asked = Vec::new();
        let mut yes = |question: &PendingQuestion| {
            asked.push(question.who.clone());
            Answer::accepted(Json::from(true), source)
        };
        let outcome = run(manifest.tool("ask").unwrap(), "{}", &mut yes);
        let answer = outcome.answers["go"].clone();
        (asked, answer.source(), answer.value().cloned())
    };
    let (user, model) = (AnswerSource::User, AnswerSource::Assistant);
    let no = Some(Json::from(false));
    let yes = Some(Json::from(true));
    assert_eq!(
        ask("{ go = { value = false } }", user),
        (vec![], Some(AnswerSource::Policy), no.clone())
    );
    assert_eq!(
        ask("{ go = 'default', '*' = 'decline' }", user),
        (vec![], Some(AnswerSource::Default), no)
    );
    assert_eq!(
        ask("{ '*' = 'assistant' }", model),
        (vec![Some(Who::Assistant)], Some(model), yes.clone())
    );
    assert_eq!(
        ask("{ '*' = 'user' }", user),
        (vec![Some(Who::User)], Some(user), yes.clone())
    );
    assert_eq!(ask("{}", model), (vec![None], Some(model), yes));
    // A model does not answer for a person.
    assert_eq!(
        ask("{ go = 'user' }", model),
        (vec![Some(Who::User)], Some(AnswerSource::Policy), None)
    );
}

#[test]
fn what_a_host_gives_comes_before_what_the_manifest_says() {
    let folder = Folder::new(
        "[tools.ask]\ncommand = './asks'\ncwd = '.'\ntool = 'inner'\nquestions.go = { value = false }\n[tools.free]\ncommand = './asks'\ncwd = '.'\ntool = 'inner'\nquestions.go = 'user'\n",
    );
    let manifest = folder.manifest();
    let tool = manifest.tool("ask").unwrap();
    let mut options = CallOptions {
        exchange: tool.exchange_options(ExchangeOptions::default()),
        ..CallOptions::default()
    };
    options.exchange.given.insert("go".into(), Json::from(true));
    let outcome = run_with(tool, "{}", &options, &mut Nobody).unwrap();
    assert_eq!(outcome.answers["go"].value(), Some(&Json::from(true)));
    // Where there is no person, the host says what becomes of their questions.
    let tool = manifest.tool("free").unwrap();
    options.exchange = tool.exchange_options(ExchangeOptions::default());
    options.exchange.unanswered = Unanswered::Decline;
    let outcome = run_with(tool, "{}", &options, &mut Nobody).unwrap();
    assert_eq!(outcome.answers["go"].value(), None);
}

#[test]
fn limits_of_the_manifest_hold_and_a_list_can_be_cancelled() {
    let folder = Folder::new(
        "[tools.slow]\ncommand = ['sleep', '60']\nplain = true\ntimeout = '50ms'\n[tools.much]\ncommand = ['sh', '-c', 'yes']\nplain = true\nmax-output = 100\n[tools.where]\ncommand = ['sh', '-c', 'pwd; echo \"$A-$TOOLWIRE_TEST_SECRET\"']\nplain = true\ncwd = 'sub'\nenv = { A = 'b' }\n",
    );
    std::fs::create_dir(folder.path().join("sub")).unwrap();
    let manifest = folder.manifest();
    let stopped = |name| {
        run(manifest.tool(name).unwrap(), "{}", &mut Nobody)
            .report
            .stopped
    };
    assert_eq!(stopped("slow"), Some(StopReason::Timeout));
    assert_eq!(stopped("much"), Some(StopReason::StdoutLimit));
    let here = std::fs::canonicalize(folder.path().join("sub")).unwrap();
    let outcome = run(manifest.tool("where").unwrap(), "{}", &mut Nobody);
    assert_eq!(text(&outcome), format!("{}\nb-\n", here.display()));

    let folder = Folder::new("[tools.slow]\ncommand = ['sleep', '60']\ndescribe = true\n");
    let manifest = folder.manifest();
    let started = Instant::now();
    let impatient = || tokio::time::sleep(Duration::from_millis(50));
    let listed = block_on(async {
        let (lister, options) = (manifest.lister(), CallOptions::default());
        let describe = Call::describe();
        let listed = call_until(&lister, describe, &options, &mut Nobody, impatient()).await?;
        ToolList::from_outcome(listed)
    });
    assert_eq!(listed.unwrap_err().kind(), HostErrorKind::DescribeFailed);
    let tool = manifest.tool("slow").unwrap();
    let transport = tool.transport(tool.process_options());
    let document = tool.call(&Json::new("{}").unwrap()).unwrap();
    let options = CallOptions::default();
    let outcome = block_on(async {
        call_until(&transport, document, &options, &mut Nobody, impatient()).await
    });
    assert!(outcome.unwrap().cancelled());
    assert!(started.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_file_that_is_no_manifest_is_an_error_with_its_place() {
    let folder = Folder::new("[tools.a]\ncomand = 'x'\n");
    let path = folder.path().join("toolwire.toml");
    let error = Manifest::read(&path).unwrap_err();
    assert_eq!(error.kind(), HostErrorKind::BadManifest);
    let start = format!("{}:2:1: `tools.a.comand`", path.display());
    assert!(error.to_string().starts_with(&start), "{error}");
    let error = Manifest::read(&folder.path().join("absent.toml")).unwrap_err();
    assert_eq!(error.kind(), HostErrorKind::ManifestNotFound);
    folder.file("toolwire.toml", &" ".repeat(4 * 1024 * 1024 + 1));
    let error = Manifest::read(&path).unwrap_err();
    assert!(
        error.to_string().contains("longer than 4194304 bytes"),
        "{error}"
    );
    folder.file("toolwire.toml", &" ".repeat(4 * 1024 * 1024));
    assert!(Manifest::read(&path).is_ok());
}
