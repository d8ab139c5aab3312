//! What is reported to a client that has asked for it: that lists are others now, and that resources have changed.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures_util::StreamExt as _;
use futures_util::stream::{BoxStream, SelectAll, unfold};
use tokio::sync::watch;
use toolwire::Json;
use toolwire::json::ObjectWriter;

use super::gateway::Watch;
use super::offers;
use super::session::Handler;

/// What a client wants to hear of.
#[derive(Debug, Default)]
pub(super) struct Filter {
    pub tools: bool,
    pub resources: bool,
    pub prompts: bool,
    /// URIs of resources.
    pub watched: BTreeSet<String>,
    /// The ids of tasks, if it wants to hear of any.
    pub tasks: Option<BTreeSet<String>>,
}

impl Filter {
    /// That of `subscriptions/listen`. What nothing serves here is not accepted.
    pub(super) fn of(filter: &Json, has_offers: bool) -> Self {
        let wants = |name: &str| {
            filter
                .at(name)
                .is_some_and(|wanted| wanted.as_str() == "true")
        };
        let texts = |name: &str| filter.at(name).and_then(|texts| texts.to_value().ok());
        Filter {
            tools: wants("/toolsListChanged"),
            resources: has_offers && wants("/resourcesListChanged"),
            prompts: has_offers && wants("/promptsListChanged"),
            watched: texts("/resourceSubscriptions")
                .filter(|_| has_offers)
                .unwrap_or_default(),
            tasks: texts("/taskIds"),
        }
    }
}

/// One report.
#[derive(Debug, Clone)]
pub(super) enum Report {
    Tools,
    Resources,
    Prompts,
    /// The resource with this URI.
    Resource(String),
}

impl Report {
    pub(super) fn method(&self) -> &'static str {
        match self {
            Report::Tools => "notifications/tools/list_changed",
            Report::Resources => "notifications/resources/list_changed",
            Report::Prompts => "notifications/prompts/list_changed",
            Report::Resource(_) => "notifications/resources/updated",
        }
    }

    /// Its parameters, with the `_meta` of the subscription that it belongs to.
    pub(super) fn params(&self, meta: Option<&str>) -> String {
        let mut params = ObjectWriter::new();
        params.optional_json("_meta", meta);
        if let Report::Resource(uri) = self {
            params.text("uri", uri);
        }
        params.end()
    }
}

/// Reports, as they come.
pub(super) type Reports = SelectAll<BoxStream<'static, Report>>;

/// The reports on the lists that a client wants to hear of.
pub(super) async fn of_lists(handler: &Handler, filter: &Filter) -> Reports {
    let mut reports = Reports::new();
    if filter.tools {
        let mut known = handler.shared.known.subscribe();
        // The client begins with the tools that are known first.
        let _ = known.wait_for(Option::is_some).await;
        reports.push(changes(Report::Tools, known, None));
    }
    for server in handler.shared.options.offer.servers.iter() {
        let (resources, prompts) = server.changes();
        if filter.resources {
            reports.push(changes(Report::Resources, resources, None));
        }
        if filter.prompts {
            reports.push(changes(Report::Prompts, prompts, None));
        }
    }
    reports
}

/// All reports that a client wants; the resources that can't be followed are taken out of what it wants.
pub(super) async fn of_all(handler: &Handler, filter: &mut Filter) -> Reports {
    let mut reports = of_lists(handler, filter).await;
    let mut followed = BTreeSet::new();
    for uri in std::mem::take(&mut filter.watched) {
        if let Ok(watch) = offers::watch(handler, &uri).await {
            reports.push(of_resource(&uri, watch));
            followed.insert(uri);
        }
    }
    filter.watched = followed;
    reports
}

/// The reports on a resource.
pub(super) fn of_resource(uri: &str, watch: Arc<Watch>) -> BoxStream<'static, Report> {
    let changed = watch.changed.subscribe();
    changes(Report::Resource(uri.to_owned()), changed, Some(watch))
}

/// One report for each change, while something is held.
fn changes<T: Send + Sync + 'static>(
    report: Report,
    changed: watch::Receiver<T>,
    held: Option<Arc<Watch>>,
) -> BoxStream<'static, Report> {
    let next = |(report, mut changed, held): (Report, watch::Receiver<T>, _)| async move {
        changed.changed().await.ok()?;
        Some((report.clone(), (report, changed, held)))
    };
    unfold((report, changed, held), next).boxed()
}
