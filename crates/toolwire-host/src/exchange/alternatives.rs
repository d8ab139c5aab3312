//! What people can do if a question has no answer (Q-88).

use serde::{Deserialize, Serialize};
use toolwire::question::RefusalOptions;

/// What people can do if a question has no answer, for the standard text of section 11.4. Each member is shown
/// on one line; absent and empty members are left out.
///
/// ```
/// use toolwire_host::{ExchangeOptions, Alternatives};
///
/// let mut options = ExchangeOptions::default();
/// options.refusals.insert("api_key".into(), Alternatives {
///     service: Some("Example".into()),
///     up_front: Some("the environment variable EXAMPLE_KEY".into()),
///     ..Alternatives::default()
/// });
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[cfg_attr(
    test,
    derive(schemars::JsonSchema),
    schemars(
        rename = "ways",
        description = "What people can do where a question has no answer."
    )
)]
pub struct Alternatives {
    /// The service that the secret belongs to, such as `Bluesky`.
    pub service: Option<String>,
    /// How to sign in with OAuth: a page, a command or a tool.
    pub oauth: Option<String>,
    /// A page where the value can be entered, out of band.
    pub url: Option<String>,
    /// How to supply the value in advance.
    pub up_front: Option<String>,
    /// The page where app passwords are created.
    pub app_passwords: Option<String>,
}

impl Alternatives {
    /// The options of the text, as far as the ways are known.
    ///
    /// ```
    /// assert_eq!(toolwire_host::Alternatives::default().to_refusal().service, None);
    /// ```
    #[must_use]
    pub fn to_refusal(&self) -> RefusalOptions {
        let ways = self.clone();
        RefusalOptions {
            service: ways.service,
            oauth: ways.oauth,
            url: ways.url,
            up_front: ways.up_front,
            app_passwords: ways.app_passwords,
            ..RefusalOptions::default()
        }
    }
}
