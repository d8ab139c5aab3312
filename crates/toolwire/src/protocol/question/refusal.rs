//! The text for a question that was not asked or not answered (Q-30 to Q-38, Q-128).

use crate::protocol::build::{ErrorOptions, error};
use crate::{Code, Envelope, Error};

/// Why there is no answer.
///
/// ```
/// use toolwire::question::RefusalReason;
///
/// assert_eq!(RefusalReason::default(), RefusalReason::Refused);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum RefusalReason {
    /// A form must not ask for it.
    #[default]
    Refused,
    /// The host has no way to ask.
    Unavailable,
    /// The person cancelled.
    Cancelled,
    /// The person, model or rule that was asked chose not to answer.
    Declined,
}

closed_words!(RefusalReason, "a reason of a refusal", {
    Refused => "refused",
    Unavailable => "unavailable",
    Cancelled => "cancelled",
    Declined => "declined",
});

/// What was wanted.
///
/// ```
/// use toolwire::question::RefusalAbout;
///
/// assert_eq!(RefusalAbout::default(), RefusalAbout::Secret);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum RefusalAbout {
    /// A password.
    Password,
    /// Another secret, such as an API key.
    #[default]
    Secret,
    /// Anything else.
    Input,
}

closed_words!(RefusalAbout, "what a refusal is about", {
    Password => "password",
    Secret => "secret",
    Input => "input",
});

/// The parts of the standard text. Each is shown on one line.
///
/// ```
/// use toolwire::question::{RefusalOptions, refusal};
///
/// let options = RefusalOptions { host: "Ada".into(), ..RefusalOptions::default() };
/// assert!(refusal(&options)?.to_json().contains("Sign in with OAuth"));
/// # Ok::<(), toolwire::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RefusalOptions {
    /// The name of the host or client, as people know it.
    pub host: String,
    /// The tool that wanted an answer.
    pub tool: Option<String>,
    /// The service that the secret belongs to, such as `Bluesky`.
    pub service: Option<String>,
    /// Why there is no answer.
    pub reason: RefusalReason,
    /// What was wanted.
    pub about: RefusalAbout,
    /// How to sign in with OAuth: a page, a command or a tool.
    pub oauth: Option<String>,
    /// A page where the value can be entered, out of band.
    pub url: Option<String>,
    /// How to supply the value in advance.
    pub up_front: Option<String>,
    /// The page where app passwords are created.
    pub app_passwords: Option<String>,
}

impl RefusalOptions {
    /// Checks the options. [`refusal`] and [`warning`] do it too.
    ///
    /// # Errors
    ///
    /// `bad_option` at `/host` if it is empty.
    ///
    /// # Examples
    ///
    /// ```
    /// use toolwire::question::RefusalOptions;
    ///
    /// assert_eq!(RefusalOptions::default().check().unwrap_err().pointer(), "/host");
    /// ```
    pub fn check(&self) -> Result<(), Error> {
        if self.host.trim().is_empty() {
            let message = "`host` is missing or empty";
            return Err(Error::new(Code::BadOption, "/host", None, message));
        }
        Ok(())
    }
}

/// The envelope for a question without an answer. It has `isError`, and says in plain words why there is no
/// answer, what to do instead, the best way first, and what to be careful about.
///
/// # Errors
///
/// `bad_option` at `/host` if it is empty.
///
/// # Examples
///
/// ```
/// use toolwire::question::{RefusalAbout, RefusalOptions, refusal};
///
/// let envelope = refusal(&RefusalOptions {
///     host: "Ada".into(),
///     service: Some("Bluesky".into()),
///     about: RefusalAbout::Password,
///     app_passwords: Some("https://bsky.app/settings/app-passwords".into()),
///     ..RefusalOptions::default()
/// })?;
/// let text = envelope.to_json();
/// assert!(text.contains("Never use the main password of your Bluesky account"));
/// assert!(text.contains("\"isError\":true"));
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn refusal(options: &RefusalOptions) -> Result<Envelope, Error> {
    options.check()?;
    let mut parts = vec![why(options)];
    parts.extend(list(
        "What you can do instead, the best way first",
        &ways(options),
    ));
    if options.about == RefusalAbout::Password {
        parts.push(main_password(options));
    }
    error(&parts.join("\n\n"), ErrorOptions::default())
}

/// The warning above a question that seems to ask for a secret (Q-112): who asks for what, what is better,
/// the best way first, and what to be careful about. `reason` is ignored.
///
/// # Errors
///
/// `bad_option` at `/host` if it is empty.
///
/// # Examples
///
/// ```
/// use toolwire::question::{RefusalOptions, warning};
///
/// let text = warning(&RefusalOptions { host: "Ada".into(), ..RefusalOptions::default() })?;
/// assert!(text.starts_with("The tool seems to ask you for a secret."));
/// assert!(text.contains("Sign in with OAuth") && text.contains("Never use the main password"));
/// # Ok::<(), toolwire::Error>(())
/// ```
pub fn warning(options: &RefusalOptions) -> Result<String, Error> {
    options.check()?;
    let host = one_line(&options.host);
    let then =
        format!("{host} does not show it, hands it to no assistant and keeps it out of its logs");
    Ok(warning_that(
        options,
        &format!("it gets what you type. {then}"),
    ))
}

/// The warning, with what happens to a typed secret.
pub(crate) fn warning_that(options: &RefusalOptions, then: &str) -> String {
    let tool = given(&options.tool).map_or_else(|| "The tool".to_owned(), |t| format!("`{t}`"));
    let what = what(options);
    let lead = "What is better than typing it, the best way first";
    let parts = [
        format!(
            "{tool} seems to ask you for {what}. Answer only if you expected that and trust it: {then}."
        ),
        list(lead, &ways(options)).unwrap_or_default(),
        main_password(options),
    ];
    parts.join("\n\n")
}

/// Ways under a line that leads to them; a single one stands alone.
pub(crate) fn list(lead: &str, ways: &[String]) -> Option<String> {
    match ways {
        [] => None,
        [one] => Some(one.clone()),
        all => {
            let mut list = format!("{lead}:");
            for (index, way) in all.iter().enumerate() {
                list.push_str(&format!("\n{}. {way}", index + 1));
            }
            Some(list)
        }
    }
}

fn one_line(text: &str) -> String {
    let text: String = text
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    text.trim().to_owned()
}

/// A text that is given, on one line.
fn given(text: &Option<String>) -> Option<String> {
    let text = one_line(text.as_deref()?);
    (!text.is_empty()).then_some(text)
}

fn what(options: &RefusalOptions) -> String {
    let of = given(&options.service).map_or_else(String::new, |s| format!(" for {s}"));
    match options.about {
        RefusalAbout::Password => format!("a password{of}"),
        RefusalAbout::Secret => format!("a secret{of}"),
        RefusalAbout::Input => "an answer".to_owned(),
    }
}

pub(crate) fn why(options: &RefusalOptions) -> String {
    let host = one_line(&options.host);
    let tool = given(&options.tool).map_or_else(|| "the tool".to_owned(), |t| format!("`{t}`"));
    let what = what(options);
    match options.reason {
        RefusalReason::Refused => format!(
            "{host} did not ask you for {what}, though {tool} wants it. What is typed here can be \
             read by the assistant and may be kept, so it is no place for passwords and other \
             secrets."
        ),
        RefusalReason::Unavailable => {
            format!("{host} has no way to ask you for {what} here, though {tool} needs it.")
        }
        RefusalReason::Cancelled => {
            format!("You cancelled, so {host} gave {tool} no answer.")
        }
        RefusalReason::Declined => {
            format!("The question was declined, so {host} gave {tool} no answer.")
        }
    }
}

fn ways(options: &RefusalOptions) -> Vec<String> {
    each_way(options).into_iter().flatten().collect()
}

/// The ways by their kinds, the best first: OAuth, a page, in advance.
pub(crate) fn each_way(options: &RefusalOptions) -> [Option<String>; 3] {
    let host = one_line(&options.host);
    let service = given(&options.service).unwrap_or_else(|| "the service".to_owned());
    let secret = options.about != RefusalAbout::Input;
    let oauth = secret.then(|| {
        let how = given(&options.oauth).map_or_else(
            || format!("Sign in with OAuth, if {service} offers it."),
            |how| format!("Sign in with OAuth ({how})."),
        );
        format!(
            "{how} This is the safest way: you log in on the page of {service} itself, and neither \
             {host} nor the assistant sees your password."
        )
    });
    let url = given(&options.url);
    let url = url.map(|url| format!("Open {url} in your browser and enter it there."));
    let in_advance = match given(&options.up_front) {
        Some(how) => Some(format!("Supply it before the tool starts ({how}).")),
        None => secret.then(|| {
            "Supply it before the tool starts, in its settings or in an environment variable, \
             never in this conversation."
                .to_owned()
        }),
    };
    [oauth, url, in_advance]
}

pub(crate) fn main_password(options: &RefusalOptions) -> String {
    let account =
        given(&options.service).map_or_else(|| "account".to_owned(), |s| format!("{s} account"));
    let place = given(&options.app_passwords).map_or_else(
        || "in the settings of your account, if there are any".to_owned(),
        |page| format!("({page})"),
    );
    format!(
        "Never use the main password of your {account}, not here and not in any tool. Where a \
         password is needed, make an app password {place}: it is for one program only, and you can \
         delete it at any time."
    )
}
