//! `tools/call`: from the parameters to the call that they make.

use std::sync::Arc;

use toolwire::Json;
use toolwire::call::{Action, Call};
use toolwire::mcp::{Revision, call_from_meta};
use toolwire_host::check_arguments;
use toolwire_host::manifest::unknown;
use toolwire_rpc::{Answer, RpcError};

use super::catalog::Catalog;
use super::context::{Context, Params, bad_params, object, text};
use super::elicit::Asked;
use super::error::no_tools;
use super::gateway::Parked;
use super::reply::Response;
use super::request::{Came, Request};
use super::served::{Served, Way};
use super::session::Handler;
use super::state::Bound;
use super::tasks::lead::Lead;
use super::tasks::orders::Order;
use super::{Refusal, handles, reply, tasks};

/// Answers `tools/call`.
pub(super) async fn call(
    handler: &Handler,
    context: Context,
    params: &Params<'_>,
    order: Option<Order>,
) -> Answer {
    let method = "tools/call";
    let name = text(params.get("name")).ok_or_else(|| bad_params(method))?;
    let tool = match &order {
        Some(order) => Arc::clone(&order.tool),
        None => find(&*handler.shared.catalog().await.map_err(no_tools)?, &name)?,
    };
    let name = &tool.description.name;
    let arguments = object(method, params.get("arguments"))?.unwrap_or_else(Json::empty_object);
    let came = match context.revision >= Revision::V2026_07_28 {
        true => Came {
            responses: object(method, params.get("inputResponses"))?,
            state: text(params.get("requestState")),
        },
        false => Came::default(),
    };
    let call = match order {
        Some(order) => order.call,
        None => read(handler, &tool, &arguments, context.meta.as_ref())?,
    };
    let refusals = match &tool.way {
        Way::Manifest(tool) => tool.refusals.clone(),
        Way::Prepared(tool) => tool.spawn.refusals.clone(),
        Way::Functions(_) | Way::Program(_) | Way::Server(_) => Default::default(),
    };
    let request = Request {
        asked: Asked::new(&context, name, &refusals),
        bound: Bound::new(name, &handler.session.principal, &arguments),
        lead: Lead::new(handler, &tool, call.action, &context)?,
        parked: Parked::default(),
        handler: handler.clone(),
        context,
        tool,
        call,
    };
    // A server looks at what it is given itself, and its words are those that its author chose.
    let checks = request.tool.session.is_none() && !matches!(request.tool.way, Way::Server(_));
    let described = &request.tool.description;
    if checks
        && let Err(failure) = check_arguments(
            &described.name,
            &described.input_schema,
            &request.call.arguments,
        )
    {
        let refused = request.complete(&reply::failed(&request.call, failure));
        return Ok(refused.into_text());
    }
    let request = Arc::new(request);
    let answered = match &request.tool.session {
        Some(own) => handles::call(Arc::clone(&request), own, came).await,
        None => tasks::answer(request, came).await,
    };
    answered.map(Response::into_text)
}

fn find(catalog: &Catalog, name: &str) -> Result<Arc<Served>, RpcError> {
    catalog.0.get(name).cloned().ok_or_else(|| {
        let names: Vec<&str> = catalog.0.keys().map(String::as_str).collect();
        Refusal::UnknownTool.because(unknown("tool", name, &names))
    })
}

/// The call document. A client gives arguments, answers and the action; options and the root are the server's
///.
pub(super) fn read(
    handler: &Handler,
    tool: &Served,
    arguments: &Json,
    meta: Option<&Json>,
) -> Result<Call, RpcError> {
    let refuse = |message: String| Refusal::BadCallContext.because(message);
    let given = call_from_meta(&tool.own_name, arguments, meta).map_err(|error| {
        refuse(match error.pointer() {
            "" => error.message().to_owned(),
            pointer => format!("at `{pointer}`: {}", error.message()),
        })
    })?;
    if given.action == Action::Describe {
        return Err(refuse(
            "the action `describe` is not for clients; list the tools instead".to_owned(),
        ));
    }
    let mut call = Call::new(&tool.own_name, given.arguments);
    call.action = given.action;
    call.answers = given.answers;
    call.root.clone_from(&handler.shared.options.process.root);
    match &tool.way {
        // The arguments are an action with its own; those of the tool are completed when it is spawned.
        _ if tool.session.is_some() => Ok(call),
        Way::Functions(_) | Way::Program(_) | Way::Server(_) | Way::Prepared(_) => Ok(call),
        Way::Manifest(tool) => tool
            .complete(call)
            .map_err(|error| refuse(error.to_string())),
    }
}
