//! Questions and answers as the elicitation of MCP (chapter 16).

use toolwire::block::Question;
use toolwire::call::Answer;
use toolwire::mcp::{self, ElicitOptions};
use toolwire::question::SecretContext;
use toolwire::{Error, Json};

use crate::options::{Asked, missing};
use crate::readers::{FromElicitationOptions, RevisionOptions, WithoutElicitationOptions};
use crate::reply::{Reply, mapped, written};

fn how<'a>(asked: &Asked, context: &'a SecretContext<'a>) -> ElicitOptions<'a> {
    ElicitOptions {
        context: Some(context),
        elicitation_id: asked.elicitation_id.clone(),
        about: asked.about.clone(),
        ..ElicitOptions::default()
    }
}

fn context(asked: &Asked) -> SecretContext<'_> {
    asked.context.iter().map(String::as_str).collect()
}

pub(crate) fn to_elicitation(question: &Question, asked: &Asked) -> Result<Reply, Error> {
    let revision = asked.revision.ok_or_else(|| missing("revision"))?;
    let request = mcp::to_elicitation(question, revision, &how(asked, &context(asked)))?;
    Ok(mapped(
        [("params", written(request.params.as_str()))],
        &request.report,
    ))
}

pub(crate) fn to_input_required(questions: &[Question], asked: &Asked) -> Result<Reply, Error> {
    let context = context(asked);
    let options = how(asked, &context);
    let asks = mcp::to_input_required(questions, asked.state.as_deref(), &options)?;
    Ok(mapped(
        [("result", written(asks.json.as_str()))],
        &asks.report,
    ))
}

pub(crate) fn answer_from_elicit_result(
    question: &Question,
    result: &Json,
    options: &RevisionOptions,
) -> Result<Answer, Error> {
    mcp::answer_from_elicit_result(question, options.revision, result)
}

pub(crate) fn from_elicitation(
    params: &Json,
    options: &FromElicitationOptions,
) -> Result<Reply, Error> {
    let asked = mcp::from_elicitation(params, &options.id)?;
    let question = Reply::Question(Box::new(asked.question));
    Ok(mapped([("question", question)], &asked.report))
}

pub(crate) fn answer_to_elicit_result(
    params: &Json,
    answer: &Answer,
    options: &RevisionOptions,
) -> Json {
    mcp::answer_to_elicit_result(params, answer, options.revision)
}

pub(crate) fn without_elicitation(
    questions: &[Question],
    options: &WithoutElicitationOptions,
) -> Result<Reply, Error> {
    let (client, tool) = (options.client.as_deref(), options.tool.as_deref());
    let ways = options.refusals.iter().flatten();
    let refusals = ways
        .map(|(id, ways)| (id.clone(), ways.to_refusal()))
        .collect();
    let without = mcp::without_elicitation(questions, client, tool, &refusals)?;
    Ok(Reply::Record(vec![
        ("envelope", Reply::Envelope(without.envelope.to_json())),
        ("hasWay", Reply::Flag(without.has_way)),
    ]))
}

pub(crate) fn can_elicit(
    question: &Question,
    elicitation: Option<&Json>,
    options: &RevisionOptions,
) -> bool {
    mcp::can_elicit(question, options.revision, elicitation)
}
