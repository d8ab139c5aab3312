//! What people can do where a question has no answer (Q-88).

use toolwire::question::RefusalOptions;

/// What the host knows of the ways out, where the standard text of chapter 11.5 says why a question has
/// no answer. Each is shown on one line; what is absent or empty the text does without.
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
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Alternatives {
    /// The service that the secret belongs to, such as `Bluesky`.
    pub service: Option<String>,
    /// How to sign in with OAuth: a page, a command, a tool.
    pub oauth: Option<String>,
    /// A page where it can be entered, out of band.
    pub url: Option<String>,
    /// How to supply it in advance.
    pub up_front: Option<String>,
    /// The page where app passwords are made.
    pub app_passwords: Option<String>,
}

impl Alternatives {
    /// The options of the text, as far as the ways are known.
    pub(super) fn to_refusal(&self) -> RefusalOptions {
        let Alternatives {
            service,
            oauth,
            url,
            up_front,
            app_passwords,
        } = self.clone();
        RefusalOptions {
            service,
            oauth,
            url,
            up_front,
            app_passwords,
            ..RefusalOptions::default()
        }
    }
}
