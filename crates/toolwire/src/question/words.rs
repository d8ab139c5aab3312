//! The words by which a question for a secret is known, as the specification lists them.

/// Formats of strings that are secrets.
pub(super) const FORMATS: [&str; 3] = ["password", "secret", "token"];

/// Names of passwords, which are clear in a sentence too.
pub(super) const PASSWORDS: [&str; 22] = [
    "password",
    "passwd",
    "passwort",
    "passwörter",
    "kennwort",
    "kennwörter",
    "mot de passe",
    "mots de passe",
    "contraseña",
    "senha",
    "wachtwoord",
    "wachtwoorden",
    "lösenord",
    "hasło",
    "hasła",
    "пароль",
    "пароля",
    "пароли",
    "密码",
    "密碼",
    "パスワード",
    "비밀번호",
];

/// Names of other secrets that are clear in a sentence too.
pub(super) const TERMS: [&str; 40] = [
    "passphrase",
    "passcode",
    "api key",
    "api token",
    "access key",
    "access token",
    "auth token",
    "authentication token",
    "bearer token",
    "refresh token",
    "session token",
    "session cookie",
    "private key",
    "secret key",
    "signing key",
    "encryption key",
    "client secret",
    "shared secret",
    "webhook secret",
    "login credential",
    "recovery code",
    "recovery key",
    "recovery phrase",
    "seed phrase",
    "backup code",
    "security code",
    "verification code",
    "authentication code",
    "one time code",
    "two factor code",
    "2fa code",
    "pin code",
    "pin number",
    "cvv",
    "cvc",
    "card number",
    "social security number",
    "暗証番号",
    "digit code",
    "digit pin",
];

/// Names of secrets that mean many other things in a sentence.
pub(super) const NAMES: [&str; 10] = [
    "secret",
    "secrets",
    "token",
    "pin",
    "pwd",
    "otp",
    "totp",
    "ssn",
    "credential",
    "credentials",
];

/// Words behind the name of a secret that change nothing.
pub(super) const FILLERS: [&str; 15] = [
    "value",
    "text",
    "string",
    "input",
    "field",
    "plain",
    "raw",
    "new",
    "old",
    "current",
    "again",
    "repeat",
    "confirm",
    "confirmation",
    "please",
];

/// Words between the name of a secret and what is bounded of it.
pub(super) const BOUNDS: [&str; 4] = ["min", "max", "minimum", "maximum"];

/// Words before `token` with which it is none to keep.
pub(super) const HARMLESS_TOKENS: [&str; 24] = [
    "page",
    "pagination",
    "next",
    "previous",
    "continuation",
    "cursor",
    "sync",
    "start",
    "stop",
    "end",
    "cancellation",
    "design",
    "pad",
    "eos",
    "bos",
    "special",
    "mask",
    "separator",
    "first",
    "last",
    "per",
    "max",
    "min",
    "which",
];

/// Words before `tokens` with which they are counted.
pub(super) const HARMLESS_COUNTS: [&str; 15] = [
    "max",
    "maximum",
    "min",
    "minimum",
    "many",
    "more",
    "fewer",
    "total",
    "input",
    "output",
    "prompt",
    "completion",
    "context",
    "reasoning",
    "in",
];

/// Words before `pin` with which it is no number to keep.
pub(super) const HARMLESS_PINS: [&str; 12] = [
    "map", "gpio", "led", "data", "clock", "drop", "to", "should", "i", "we", "you", "which",
];

/// Words behind the name of a secret with which something else is asked for.
pub(super) const ABOUT: [&str; 69] = [
    "name",
    "names",
    "id",
    "ids",
    "identifier",
    "file",
    "files",
    "filename",
    "path",
    "directory",
    "folder",
    "url",
    "uri",
    "link",
    "page",
    "endpoint",
    "manager",
    "managers",
    "provider",
    "store",
    "storage",
    "vault",
    "generator",
    "owner",
    "policy",
    "policies",
    "rules",
    "requirements",
    "hint",
    "label",
    "title",
    "description",
    "length",
    "size",
    "strength",
    "type",
    "types",
    "format",
    "style",
    "prefix",
    "version",
    "versions",
    "release",
    "algorithm",
    "count",
    "limit",
    "budget",
    "usage",
    "lifetime",
    "expiry",
    "expiration",
    "rotation",
    "reset",
    "protection",
    "protected",
    "authentication",
    "scope",
    "scopes",
    "env",
    "environment",
    "variable",
    "var",
    "header",
    "message",
    "location",
    "position",
    "color",
    "santa",
    "layout",
];

/// Words before `of`, `for` or `to` and the name of a secret that do the same.
pub(super) const ABOUT_OF: [&str; 22] = [
    "name",
    "names",
    "id",
    "path",
    "location",
    "length",
    "kind",
    "type",
    "number",
    "amount",
    "count",
    "limit",
    "budget",
    "size",
    "many",
    "age",
    "title",
    "label",
    "url",
    "hint",
    "description",
    "purpose",
];

/// Words between the two.
pub(super) const ARTICLES: [&str; 9] = [
    "the", "a", "an", "your", "this", "that", "its", "their", "my",
];

/// Words that begin another thing, and so can't say whose it is.
pub(super) const JOINING: [&str; 5] = ["and", "or", "plus", "with", "then"];

/// Words shortly before the name of a secret with which a sentence warns of giving it.
pub(super) const NEGATIONS: [&str; 5] = ["not", "never", "no", "without", "don"];

/// Words with which a sentence asks to be given something.
pub(super) const GIVING: [&str; 17] = [
    "enter", "reenter", "type", "paste", "provide", "give", "input", "supply", "insert", "tell",
    "submit", "confirm", "repeat", "whats", "send", "reply", "share",
];

/// Words that say that somebody has the secret.
pub(super) const POSSESSIVES: [&str; 3] = ["your", "my", "their"];

/// Words before the name of a secret with which it is not a title of its own.
pub(super) const QUESTIONING: [&str; 17] = [
    "which", "what", "whose", "any", "no", "each", "every", "how", "where", "is", "are", "the",
    "of", "for", "with", "and", "or",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_specification_lists_every_word() {
        let chapter = include_str!("../../../../spec/11-questions.md");
        let lists: [&[&str]; 17] = [
            &FORMATS,
            &PASSWORDS,
            &TERMS,
            &NAMES,
            &FILLERS,
            &BOUNDS,
            &HARMLESS_TOKENS,
            &HARMLESS_COUNTS,
            &HARMLESS_PINS,
            &ABOUT,
            &ABOUT_OF,
            &ARTICLES,
            &JOINING,
            &NEGATIONS,
            &GIVING,
            &POSSESSIVES,
            &QUESTIONING,
        ];
        for word in lists.into_iter().flatten() {
            assert!(
                chapter.contains(&format!("`{word}`")),
                "`{word}` is missing"
            );
        }
    }
}
