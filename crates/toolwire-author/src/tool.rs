//! A tool: a function, and what is said of it.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use toolwire::Json;
use toolwire::author::{Failure, Returned};
use toolwire::call::{ACTIONS_KEY, SessionAction, WARM_KEY};

use crate::schema::schema_of;
use crate::{Context, IntoReturned, arguments};

/// A function that does the job, with its arguments as they came.
pub(crate) type Function = dyn Fn(&Json, &Context) -> Result<Returned, Failure> + Send + Sync;

/// A tool of a [`Program`](crate::Program).
#[must_use = "a tool does nothing unless it is given to `Program::tool`"]
pub struct Tool {
    pub(crate) name: String,
    told: Map<String, Value>,
    annotations: Map<String, Value>,
    input: fn() -> Json,
    output: fn() -> Option<Json>,
    pub(crate) run: Box<Function>,
    /// Empty for a tool that runs once.
    actions: BTreeSet<SessionAction>,
    warm: bool,
    pub(crate) format_arguments: Option<Box<Function>>,
}

impl Tool {
    /// A tool with this name: 1 to 128 ASCII letters, digits, `_`, `-` and `.` (CALL-31). The type of the
    /// function's first parameter becomes the input schema. Its doc comment becomes the description of the
    /// tool, and those of its fields become the descriptions of the arguments.
    ///
    /// ```
    /// use schemars::JsonSchema;
    /// use serde::Deserialize;
    /// use toolwire_author::{Context, Error, Tool};
    ///
    /// /// Say hello.
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Hello {
    ///     /// Whom to greet.
    ///     name: String,
    /// }
    ///
    /// fn hello(args: Hello, _: &Context) -> Result<String, Error> {
    ///     Ok(format!("Hello, {}!", args.name))
    /// }
    ///
    /// let tool = Tool::new("hello", hello);
    /// ```
    pub fn new<A, R, M, F>(name: &str, function: F) -> Self
    where
        A: DeserializeOwned + JsonSchema + 'static,
        R: IntoReturned<M> + 'static,
        F: Fn(A, &Context) -> R + Send + Sync + 'static,
    {
        Tool::with::<A, R, M>(name, typed(name, function), &[])
    }

    /// A tool that keeps running until it has done its job or is to end: it says things as it goes, asks,
    /// and takes input. It can be spawned and fetched; [`Tool::actions`] says what else.
    ///
    /// ```
    /// use toolwire_author::toolwire::call::SessionAction;
    /// use toolwire_author::{Context, Error, Tool, arguments};
    ///
    /// /// Say again what is applied.
    /// #[arguments]
    /// struct Echo {}
    ///
    /// fn echo(_: Echo, ctx: &Context) -> Result<(), Error> {
    ///     for said in ctx.inputs::<String>() {
    ///         ctx.emit(said?)?;
    ///     }
    ///     Ok(())
    /// }
    ///
    /// let tool = Tool::session("echo", echo).actions([SessionAction::Apply, SessionAction::Abort]);
    /// ```
    pub fn session<A, R, M, F>(name: &str, function: F) -> Self
    where
        A: DeserializeOwned + JsonSchema + 'static,
        R: IntoReturned<M> + 'static,
        F: Fn(A, &Context) -> R + Send + Sync + 'static,
    {
        let always = &[SessionAction::Spawn, SessionAction::Fetch];
        Tool::with::<A, R, M>(name, typed(name, function), always)
    }

    /// Whether it keeps running.
    pub(crate) fn is_session(&self) -> bool {
        !self.actions.is_empty()
    }

    fn with<A, R, M>(name: &str, run: Box<Function>, actions: &[SessionAction]) -> Self
    where
        A: JsonSchema + 'static,
        R: IntoReturned<M> + 'static,
    {
        Tool {
            name: name.to_owned(),
            told: Map::new(),
            annotations: Map::new(),
            input: schema_of::<A>,
            output: R::output_schema,
            run,
            actions: actions.iter().copied().collect(),
            warm: true,
            format_arguments: None,
        }
    }

    /// What can be done with a [`Tool::session`] besides to spawn and fetch it: `Apply` gives it input, and answers
    /// where a model is asked; `Abort` ends it. It does nothing to a tool that runs once.
    ///
    /// ```
    /// use toolwire_author::toolwire::call::SessionAction;
    /// # use toolwire_author::{Context, Error, Tool, arguments};
    /// # #[arguments]
    /// # struct Args {}
    /// # fn watch(_: Args, _: &Context) -> Result<(), Error> { Ok(()) }
    /// let tool = Tool::session("watch", watch).actions([SessionAction::Abort]);
    /// ```
    pub fn actions(mut self, actions: impl IntoIterator<Item = SessionAction>) -> Self {
        if self.is_session() {
            self.actions.extend(actions);
        }
        self
    }

    /// Whether a host may send the tool many calls in one process, one after the other, which is the default.
    /// Say no if the tool changes its process, such as its working folder, or never gives back what it
    /// takes. A host that knows this starts the program anew for each call.
    ///
    /// ```
    /// # use toolwire_author::{Context, Error, Tool};
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct Args {}
    /// # fn build(_: Args, _: &Context) -> Result<(), Error> { Ok(()) }
    /// let tool = Tool::new("build", build).warm(false);
    /// ```
    pub fn warm(mut self, warm: bool) -> Self {
        self.warm = warm;
        self
    }

    /// The name of the tool for people.
    ///
    /// ```
    /// # use toolwire_author::{Context, Error, Tool};
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct Args {}
    /// # fn clean(_: Args, _: &Context) -> Result<(), Error> { Ok(()) }
    /// let tool = Tool::new("clean", clean).title("Clean up");
    /// ```
    pub fn title(mut self, title: &str) -> Self {
        self.told.insert("title".into(), title.into());
        self
    }

    /// The description, instead of the doc comment of the type of the arguments.
    ///
    /// ```
    /// # use toolwire_author::{Context, Error, Tool};
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct Args {}
    /// # fn clean(_: Args, _: &Context) -> Result<(), Error> { Ok(()) }
    /// let tool = Tool::new("clean", clean).description("Remove what the build left.");
    /// ```
    pub fn description(mut self, description: &str) -> Self {
        self.told.insert("description".into(), description.into());
        self
    }

    /// Hint: the tool changes nothing.
    ///
    /// ```
    /// # use toolwire_author::{Context, Error, Tool};
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct Args {}
    /// # fn show(_: Args, _: &Context) -> Result<(), Error> { Ok(()) }
    /// let tool = Tool::new("show", show).read_only(true);
    /// ```
    pub fn read_only(self, hint: bool) -> Self {
        self.annotated("readOnlyHint", hint)
    }

    /// Hint: the tool may destroy something.
    ///
    /// ```
    /// # use toolwire_author::{Context, Error, Tool};
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct Args {}
    /// # fn clean(_: Args, _: &Context) -> Result<(), Error> { Ok(()) }
    /// let tool = Tool::new("clean", clean).destructive(true);
    /// ```
    pub fn destructive(self, hint: bool) -> Self {
        self.annotated("destructiveHint", hint)
    }

    /// Hint: repeating a call with the same arguments has no further effect.
    ///
    /// ```
    /// # use toolwire_author::{Context, Error, Tool};
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct Args {}
    /// # fn clean(_: Args, _: &Context) -> Result<(), Error> { Ok(()) }
    /// let tool = Tool::new("clean", clean).idempotent(true);
    /// ```
    pub fn idempotent(self, hint: bool) -> Self {
        self.annotated("idempotentHint", hint)
    }

    /// Hint: the tool reaches beyond this machine.
    ///
    /// ```
    /// # use toolwire_author::{Context, Error, Tool};
    /// # #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// # struct Args {}
    /// # fn fetch(_: Args, _: &Context) -> Result<(), Error> { Ok(()) }
    /// let tool = Tool::new("fetch", fetch).open_world(true);
    /// ```
    pub fn open_world(self, hint: bool) -> Self {
        self.annotated("openWorldHint", hint)
    }

    /// Sets the function that explains the arguments to the person who decides whether the tool may run. It
    /// must not change anything (CALL-6).
    ///
    /// ```
    /// # use toolwire_author::{Context, Error, Tool};
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Remove {
    ///     path: String,
    /// }
    ///
    /// fn remove(args: Remove, _: &Context) -> Result<(), Error> {
    ///     Ok(std::fs::remove_file(args.path)?)
    /// }
    ///
    /// let tool = Tool::new("remove", remove)
    ///     .format_arguments(|args: Remove, _: &Context| format!("rm {}", args.path));
    /// ```
    pub fn format_arguments<A, R, M, F>(mut self, function: F) -> Self
    where
        A: DeserializeOwned + JsonSchema + 'static,
        R: IntoReturned<M> + 'static,
        F: Fn(A, &Context) -> R + Send + Sync + 'static,
    {
        self.format_arguments = Some(typed(&self.name, function));
        self
    }

    fn annotated(mut self, name: &str, hint: bool) -> Self {
        self.annotations.insert(name.into(), hint.into());
        self
    }

    /// The tool in MCP's shape, as its types generate it; the core tidies it.
    pub(crate) fn to_value(&self) -> Value {
        let mut all = self.told.clone();
        let mut input: Value = value_of(&(self.input)());
        // The doc comment of the arguments' type says what the tool does.
        if let Some(about) = input.as_object_mut().and_then(|i| i.remove("description")) {
            all.entry("description").or_insert(about);
        }
        all.insert("name".into(), self.name.as_str().into());
        all.insert("inputSchema".into(), input);
        if let Some(output) = (self.output)() {
            all.insert("outputSchema".into(), value_of(&output));
        }
        if !self.annotations.is_empty() {
            all.insert("annotations".into(), self.annotations.clone().into());
        }
        let mut meta = Map::new();
        if !self.actions.is_empty() {
            let words = self
                .actions
                .iter()
                .map(|action| Value::from(action.as_str()));
            meta.insert(ACTIONS_KEY.into(), words.collect());
        }
        if self.warm {
            meta.insert(WARM_KEY.into(), true.into());
        }
        if !meta.is_empty() {
            all.insert("_meta".into(), meta.into());
        }
        Value::Object(all)
    }
}

fn typed<A, R, M, F>(name: &str, function: F) -> Box<Function>
where
    A: DeserializeOwned + JsonSchema + 'static,
    R: IntoReturned<M> + 'static,
    F: Fn(A, &Context) -> R + Send + Sync + 'static,
{
    let name = name.to_owned();
    Box::new(move |arguments, context| {
        let arguments = arguments::read::<A>(&name, arguments)?;
        function(arguments, context).into_returned()
    })
}

fn value_of(json: &Json) -> Value {
    serde_json::from_str(json.as_str()).unwrap_or_default()
}
