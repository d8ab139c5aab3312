//! The words by which a question for a secret is known, as the specification lists them.

/// Formats of strings that are secrets.
pub(super) const FORMATS: [&str; 3] = ["password", "secret", "token"];

/// Names of secrets that are clear in a sentence too.
pub(super) const TERMS: [&str; 58] = [
    "password",
    "passwords",
    "passphrase",
    "passcode",
    "passwd",
    "apikey",
    "api key",
    "api keys",
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
    "recovery code",
    "recovery codes",
    "recovery key",
    "recovery phrase",
    "seed phrase",
    "backup code",
    "security code",
    "verification code",
    "authentication code",
    "one time code",
    "one time password",
    "two factor code",
    "2fa code",
    "pin code",
    "pin number",
    "cvv",
    "cvc",
    "card number",
    "social security number",
    "passwort",
    "kennwort",
    "mot de passe",
    "contraseña",
    "senha",
    "wachtwoord",
    "lösenord",
    "hasło",
    "пароль",
    "пароля",
    "密码",
    "密碼",
    "パスワード",
    "暗証番号",
    "비밀번호",
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
pub(super) const FILLERS: [&str; 14] = [
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
];

/// Words before `token` with which it is none to keep.
pub(super) const HARMLESS_TOKENS: [&str; 12] = [
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
];

/// Words behind the name of a secret with which a sentence asks for something else.
pub(super) const ABOUT: [&str; 38] = [
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
    "manager",
    "managers",
    "store",
    "vault",
    "generator",
    "policy",
    "policies",
    "rules",
    "requirements",
    "hint",
    "length",
    "strength",
    "type",
    "types",
    "format",
    "count",
    "limit",
    "expiry",
    "expiration",
    "rotation",
    "reset",
    "protection",
    "authentication",
];

/// Words before `of`, `for` or `to` and the name of a secret that do the same.
pub(super) const ABOUT_OF: [&str; 16] = [
    "name",
    "names",
    "id",
    "path",
    "location",
    "length",
    "kind",
    "type",
    "number",
    "age",
    "title",
    "label",
    "url",
    "hint",
    "description",
    "purpose",
];

/// Words between the two.
pub(super) const ARTICLES: [&str; 8] = ["the", "a", "an", "your", "this", "that", "its", "their"];

/// Words shortly before the name of a secret with which a sentence warns of giving it.
pub(super) const NEGATIONS: [&str; 5] = ["not", "never", "no", "without", "don"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_specification_lists_every_word() {
        let chapter = include_str!("../../../../spec/11-questions.md");
        let lists: [&[&str]; 9] = [
            &FORMATS,
            &TERMS,
            &NAMES,
            &FILLERS,
            &HARMLESS_TOKENS,
            &ABOUT,
            &ABOUT_OF,
            &ARTICLES,
            &NEGATIONS,
        ];
        for word in lists.into_iter().flatten() {
            assert!(
                chapter.contains(&format!("`{word}`")),
                "`{word}` is missing"
            );
        }
    }
}
