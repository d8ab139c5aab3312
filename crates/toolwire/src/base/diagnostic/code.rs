// Generated from schema/diagnostics.json. Do not edit: run `cargo xtask codegen`.

//! The closed registry of diagnostic codes.
use crate::base::diagnostic::Severity;
/// What a diagnostic or an error is about. Codes are contract, their wording is not.
///
/// ```
/// use toolwire::Code;
///
/// let code: Code = "duplicate_name".parse()?;
/// assert_eq!(code, Code::DuplicateName);
/// assert_eq!(code.to_string(), "duplicate_name");
/// # Ok::<(), toolwire::UnknownWord>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Code {
    /// `limit_bytes`: the output is larger than the limit (READ-3).
    LimitBytes,
    /// `invalid_utf8`: the output is not valid UTF-8 (READ-4).
    InvalidUtf8,
    /// `bom`: the output begins with a byte order mark (READ-5).
    Bom,
    /// `empty_output`: the output is empty or only whitespace (READ-6).
    EmptyOutput,
    /// `plain_text`: the output does not begin with `{`, so it is plain text (READ-7).
    PlainText,
    /// `json_syntax`: the output is not JSON: an unexpected character (READ-8).
    JsonSyntax,
    /// `json_truncated`: the output ends in the middle of the JSON text (READ-8).
    JsonTruncated,
    /// `trailing_data`: something follows the JSON text (READ-9).
    TrailingData,
    /// `control_character`: a string contains an unescaped control character (READ-8).
    ControlCharacter,
    /// `bad_escape`: a string contains an escape that JSON does not define (READ-8).
    BadEscape,
    /// `lone_surrogate`: a string contains half of a surrogate pair (READ-10).
    LoneSurrogate,
    /// `non_finite`: `NaN` and `Infinity` are not JSON (READ-54).
    NonFinite,
    /// `number_range`: a number is too large for a double (READ-11).
    NumberRange,
    /// `duplicate_name`: an object has two members with the same name (READ-12).
    DuplicateName,
    /// `limit_depth`: the JSON text is nested deeper than the limit (READ-3).
    LimitDepth,
    /// `limit_values`: the JSON text has more values than the limit (READ-3).
    LimitValues,
    /// `limit_blocks`: the envelope has more blocks than the limit (READ-3).
    LimitBlocks,
    /// `no_content`: the JSON object has no `content`, so it is not an envelope (READ-20).
    NoContent,
    /// `content_not_array`: `content` is not an array, so this is not an envelope (READ-20).
    ContentNotArray,
    /// `untyped_content`: no element of `content` has a `type`, so this is not an envelope (READ-21).
    UntypedContent,
    /// `big_integer`: an integer is beyond 2^53 − 1, where many readers lose digits (READ-13).
    BigInteger,
    /// `block_not_object`: a block is not an object (READ-22).
    BlockNotObject,
    /// `block_type_missing`: a block has no `type`, or it is not a string (READ-22).
    BlockTypeMissing,
    /// `unknown_block_type`: a block has an unknown type (READ-23).
    UnknownBlockType,
    /// `missing_field`: a block lacks a field that its type needs (READ-24).
    MissingField,
    /// `wrong_type`: a field that the block needs has the wrong JSON type (READ-24).
    WrongType,
    /// `both_bodies`: a resource has both `text` and `blob` (READ-24).
    BothBodies,
    /// `no_body`: a resource has neither `text` nor `blob` (READ-24).
    NoBody,
    /// `bad_base64`: the content is not base64 (READ-26).
    BadBase64,
    /// `base64_variant`: the base64 is not in the standard, padded form, but is readable (READ-26).
    Base64Variant,
    /// `bad_uri`: the URI is empty, contains control characters, or, if it is to be normalized, cannot be (READ-27).
    BadUri,
    /// `bad_url`: the URL of a question is not one that a host may open (READ-57).
    BadUrl,
    /// `empty_field`: a field that must not be empty is empty (READ-24).
    EmptyField,
    /// `ignored_field`: an optional field has the wrong JSON type and reads as absent (READ-29).
    IgnoredField,
    /// `out_of_range`: a number is out of range and reads as absent (READ-30).
    OutOfRange,
    /// `bad_role`: `audience` contains something other than `user` and `assistant` (READ-30).
    BadRole,
    /// `bad_timestamp`: `lastModified` is not an RFC 3339 date and time (READ-30).
    BadTimestamp,
    /// `bad_status`: `computer.jp/status` is none of the three states (READ-31).
    BadStatus,
    /// `duplicate_question_id`: two questions have the same `id`, so their answers cannot be told apart (READ-33).
    DuplicateQuestionId,
    /// `waiting_without_question`: the status is `waiting`, but no question is asked (READ-34).
    WaitingWithoutQuestion,
    /// `question_not_waiting`: a question is asked, but the status is not `waiting` (READ-34).
    QuestionNotWaiting,
    /// `error_without_flag`: `computer.jp/error` is present, but `isError` is not true (READ-32).
    ErrorWithoutFlag,
    /// `diagnostics_truncated`: there are more diagnostics than the limit (READ-35).
    DiagnosticsTruncated,
    /// `nonzero_exit`: the tool exited with an error status, so the result is an error (EXIT-2).
    NonzeroExit,
    /// `bad_option`: an option is unknown or has an invalid value (API-3).
    BadOption,
    /// `bad_argument`: an argument has an invalid value (API-4).
    BadArgument,
    /// `nonce_collision`: the nonce occurs in a part that it marks as untrusted (FMT-30).
    NonceCollision,
    /// `not_an_envelope`: the JSON text is not an envelope (API-5).
    NotAnEnvelope,
    /// `bad_call`: the JSON text is not a call document (CALL-2).
    BadCall,
    /// `bad_legacy`: the document shows the signs of a legacy format but is not as that format has it (LEG-2).
    BadLegacy,
    /// `unknown_action`: the call asks for an unknown action (CALL-5).
    UnknownAction,
    /// `bad_description`: the description of the tools is invalid (CALL-31).
    BadDescription,
    /// `bad_event`: the line is not an event (EVT-10).
    BadEvent,
    /// `bad_line`: the line is none of the line transport (LINE-18).
    BadLine,
    /// `secret_question`: the question asks for a secret, which is never asked for in a form (Q-20).
    SecretQuestion,
    /// `bad_schema`: the schema of an answer or argument cannot be used (Q-41).
    BadSchema,
    /// `schema_refused`: the provider of the model rejects the schema of a tool (Q-79).
    SchemaRefused,
    /// `over_budget`: checking a question or an answer exceeds the budget (Q-140).
    OverBudget,
    /// `default_mismatch`: the default of a question does not match its schema (Q-45).
    DefaultMismatch,
    /// `answer_mismatch`: an answer does not match the question's schema (Q-89).
    AnswerMismatch,
    /// `cannot_elicit`: this revision of MCP has no request that asks the question (ELI-2).
    CannotElicit,
    /// `bad_elicitation`: an elicitation request or its result is malformed (ELI-40).
    BadElicitation,
    /// `unknown_handle`: there is no handle with this id (SES-20).
    UnknownHandle,
    /// `handle_exists`: a handle with this id is in use (SES-21).
    HandleExists,
    /// `handle_stopped`: the handle has stopped or is about to, so it takes nothing more (SES-22).
    HandleStopped,
    /// `action_not_offered`: the tool does not offer this action (SES-23).
    ActionNotOffered,
    /// `no_question`: no question is open, or another one than the answer is for (SES-24).
    NoQuestion,
    /// `person_only`: only a person may answer this question (SES-25).
    PersonOnly,
    /// `bad_tool`: the JSON text is not a tool as MCP lists it (FP-6).
    BadTool,
    /// `limit_schemas`: a schema consists of more schemas than the limit (FP-24).
    LimitSchemas,
    /// `no_jn_hash`: these tools have no hash of JN: a value is missing, or is made of other than strings, arrays and objects (FP-42).
    NoJnHash,
    /// `bad_launch_uri`: the text is no launch URI (LAUNCH-1).
    BadLaunchUri,
    /// `value_in_launch_uri`: a launch URI holds a value that may be secret: of a variable, of a header, or a password (LAUNCH-43).
    ValueInLaunchUri,
    /// `bad_profile_word`: the text names no profile (LAUNCH-70).
    BadProfileWord,
    /// `bad_profile`: the profile of a server can't be read: a member has a value that it can't have, or nothing says how the server is reached (PROF-2).
    BadProfile,
    /// `bad_server_entry`: the entry of a server can't be read: a member has a value that it can't have, or nothing says how the server is reached (DIAG-50).
    BadServerEntry,
    /// `cannot_convert`: the form that is asked for can't say how the server is reached (DIAG-50).
    CannotConvert,
    /// `bad_lock`: the lock file is not one (LOCK-1).
    BadLock,
    /// `newer_lock`: the lock file has a newer version (LOCK-2).
    NewerLock,
    /// `unknown_lock_member`: the lock file has a member that this version does not know (LOCK-5).
    UnknownLockMember,
}
impl Code {
    /// How grave it is.
    ///
    /// ```
    /// use toolwire::{Code, Severity};
    ///
    /// assert_eq!(Code::Bom.severity(), Severity::Warning);
    /// ```
    pub const fn severity(self) -> Severity {
        match self {
            Self::LimitBytes
            | Self::InvalidUtf8
            | Self::JsonSyntax
            | Self::JsonTruncated
            | Self::TrailingData
            | Self::ControlCharacter
            | Self::BadEscape
            | Self::LoneSurrogate
            | Self::NonFinite
            | Self::NumberRange
            | Self::DuplicateName
            | Self::LimitDepth
            | Self::LimitValues
            | Self::LimitBlocks
            | Self::BadOption
            | Self::BadArgument
            | Self::NonceCollision
            | Self::NotAnEnvelope
            | Self::BadCall
            | Self::BadLegacy
            | Self::UnknownAction
            | Self::BadDescription
            | Self::BadEvent
            | Self::BadLine
            | Self::SecretQuestion
            | Self::BadSchema
            | Self::SchemaRefused
            | Self::OverBudget
            | Self::CannotElicit
            | Self::BadElicitation
            | Self::UnknownHandle
            | Self::HandleExists
            | Self::HandleStopped
            | Self::ActionNotOffered
            | Self::NoQuestion
            | Self::PersonOnly
            | Self::BadTool
            | Self::LimitSchemas
            | Self::NoJnHash
            | Self::BadLaunchUri
            | Self::ValueInLaunchUri
            | Self::BadProfileWord
            | Self::BadProfile
            | Self::BadServerEntry
            | Self::CannotConvert
            | Self::BadLock
            | Self::NewerLock => Severity::Error,
            Self::Bom
            | Self::ContentNotArray
            | Self::UntypedContent
            | Self::BigInteger
            | Self::BlockNotObject
            | Self::BlockTypeMissing
            | Self::UnknownBlockType
            | Self::MissingField
            | Self::WrongType
            | Self::BothBodies
            | Self::NoBody
            | Self::BadBase64
            | Self::Base64Variant
            | Self::BadUri
            | Self::BadUrl
            | Self::EmptyField
            | Self::IgnoredField
            | Self::OutOfRange
            | Self::BadRole
            | Self::BadTimestamp
            | Self::BadStatus
            | Self::DuplicateQuestionId
            | Self::WaitingWithoutQuestion
            | Self::QuestionNotWaiting
            | Self::ErrorWithoutFlag
            | Self::DefaultMismatch
            | Self::AnswerMismatch
            | Self::UnknownLockMember => Severity::Warning,
            Self::EmptyOutput
            | Self::PlainText
            | Self::NoContent
            | Self::DiagnosticsTruncated
            | Self::NonzeroExit => Severity::Note,
        }
    }
    /// What happens to the document: `raw`, the whole output is raw text; `skip`, the block is skipped
    /// and kept raw; `ignore`, the field reads as absent; `none`, nothing is dropped; `refuse`, the call fails.
    ///
    /// ```
    /// assert_eq!(toolwire::Code::BadBase64.effect(), "skip");
    /// ```
    pub const fn effect(self) -> &'static str {
        match self {
            Self::LimitBytes
            | Self::InvalidUtf8
            | Self::EmptyOutput
            | Self::PlainText
            | Self::JsonSyntax
            | Self::JsonTruncated
            | Self::TrailingData
            | Self::ControlCharacter
            | Self::BadEscape
            | Self::LoneSurrogate
            | Self::NonFinite
            | Self::NumberRange
            | Self::DuplicateName
            | Self::LimitDepth
            | Self::LimitValues
            | Self::LimitBlocks
            | Self::NoContent
            | Self::ContentNotArray
            | Self::UntypedContent => "raw",
            Self::Bom
            | Self::BigInteger
            | Self::Base64Variant
            | Self::DuplicateQuestionId
            | Self::WaitingWithoutQuestion
            | Self::QuestionNotWaiting
            | Self::ErrorWithoutFlag
            | Self::DiagnosticsTruncated
            | Self::NonzeroExit
            | Self::UnknownLockMember => "none",
            Self::BlockNotObject
            | Self::BlockTypeMissing
            | Self::UnknownBlockType
            | Self::MissingField
            | Self::WrongType
            | Self::BothBodies
            | Self::NoBody
            | Self::BadBase64
            | Self::BadUri
            | Self::BadUrl
            | Self::EmptyField => "skip",
            Self::IgnoredField
            | Self::OutOfRange
            | Self::BadRole
            | Self::BadTimestamp
            | Self::BadStatus
            | Self::DefaultMismatch
            | Self::AnswerMismatch => "ignore",
            Self::BadOption
            | Self::BadArgument
            | Self::NonceCollision
            | Self::NotAnEnvelope
            | Self::BadCall
            | Self::BadLegacy
            | Self::UnknownAction
            | Self::BadDescription
            | Self::BadEvent
            | Self::BadLine
            | Self::SecretQuestion
            | Self::BadSchema
            | Self::SchemaRefused
            | Self::OverBudget
            | Self::CannotElicit
            | Self::BadElicitation
            | Self::UnknownHandle
            | Self::HandleExists
            | Self::HandleStopped
            | Self::ActionNotOffered
            | Self::NoQuestion
            | Self::PersonOnly
            | Self::BadTool
            | Self::LimitSchemas
            | Self::NoJnHash
            | Self::BadLaunchUri
            | Self::ValueInLaunchUri
            | Self::BadProfileWord
            | Self::BadProfile
            | Self::BadServerEntry
            | Self::CannotConvert
            | Self::BadLock
            | Self::NewerLock => "refuse",
        }
    }
    /// Whether the JSON Schema rejects such a document too.
    ///
    /// ```
    /// use toolwire::Code;
    ///
    /// assert!(Code::BothBodies.seen_by_schema());
    /// assert!(!Code::DuplicateName.seen_by_schema());
    /// ```
    pub const fn seen_by_schema(self) -> bool {
        match self {
            Self::LimitBytes
            | Self::InvalidUtf8
            | Self::Bom
            | Self::EmptyOutput
            | Self::JsonSyntax
            | Self::JsonTruncated
            | Self::TrailingData
            | Self::ControlCharacter
            | Self::BadEscape
            | Self::LoneSurrogate
            | Self::NonFinite
            | Self::NumberRange
            | Self::DuplicateName
            | Self::LimitDepth
            | Self::LimitValues
            | Self::LimitBlocks
            | Self::BigInteger
            | Self::DuplicateQuestionId
            | Self::DiagnosticsTruncated
            | Self::NonzeroExit
            | Self::BadOption
            | Self::BadArgument
            | Self::NonceCollision
            | Self::NotAnEnvelope
            | Self::BadCall
            | Self::BadLegacy
            | Self::UnknownAction
            | Self::BadDescription
            | Self::BadEvent
            | Self::BadLine
            | Self::SecretQuestion
            | Self::BadSchema
            | Self::SchemaRefused
            | Self::OverBudget
            | Self::DefaultMismatch
            | Self::AnswerMismatch
            | Self::CannotElicit
            | Self::BadElicitation
            | Self::UnknownHandle
            | Self::HandleExists
            | Self::HandleStopped
            | Self::ActionNotOffered
            | Self::NoQuestion
            | Self::PersonOnly
            | Self::BadTool
            | Self::LimitSchemas
            | Self::NoJnHash
            | Self::BadLaunchUri
            | Self::ValueInLaunchUri
            | Self::BadProfileWord
            | Self::BadProfile
            | Self::BadServerEntry
            | Self::CannotConvert
            | Self::BadLock
            | Self::NewerLock
            | Self::UnknownLockMember => false,
            Self::PlainText
            | Self::NoContent
            | Self::ContentNotArray
            | Self::UntypedContent
            | Self::BlockNotObject
            | Self::BlockTypeMissing
            | Self::UnknownBlockType
            | Self::MissingField
            | Self::WrongType
            | Self::BothBodies
            | Self::NoBody
            | Self::BadBase64
            | Self::Base64Variant
            | Self::BadUri
            | Self::BadUrl
            | Self::EmptyField
            | Self::IgnoredField
            | Self::OutOfRange
            | Self::BadRole
            | Self::BadTimestamp
            | Self::BadStatus
            | Self::WaitingWithoutQuestion
            | Self::QuestionNotWaiting
            | Self::ErrorWithoutFlag => true,
        }
    }
    /// The id of the rule in the spec that it reports.
    ///
    /// ```
    /// assert_eq!(toolwire::Code::Bom.rule(), "READ-5");
    /// ```
    pub const fn rule(self) -> &'static str {
        match self {
            Self::LimitBytes
            | Self::LimitDepth
            | Self::LimitValues
            | Self::LimitBlocks => "READ-3",
            Self::InvalidUtf8 => "READ-4",
            Self::Bom => "READ-5",
            Self::EmptyOutput => "READ-6",
            Self::PlainText => "READ-7",
            Self::JsonSyntax
            | Self::JsonTruncated
            | Self::ControlCharacter
            | Self::BadEscape => "READ-8",
            Self::TrailingData => "READ-9",
            Self::LoneSurrogate => "READ-10",
            Self::NonFinite => "READ-54",
            Self::NumberRange => "READ-11",
            Self::DuplicateName => "READ-12",
            Self::NoContent | Self::ContentNotArray => "READ-20",
            Self::UntypedContent => "READ-21",
            Self::BigInteger => "READ-13",
            Self::BlockNotObject | Self::BlockTypeMissing => "READ-22",
            Self::UnknownBlockType => "READ-23",
            Self::MissingField
            | Self::WrongType
            | Self::BothBodies
            | Self::NoBody
            | Self::EmptyField => "READ-24",
            Self::BadBase64 | Self::Base64Variant => "READ-26",
            Self::BadUri => "READ-27",
            Self::BadUrl => "READ-57",
            Self::IgnoredField => "READ-29",
            Self::OutOfRange | Self::BadRole | Self::BadTimestamp => "READ-30",
            Self::BadStatus => "READ-31",
            Self::DuplicateQuestionId => "READ-33",
            Self::WaitingWithoutQuestion | Self::QuestionNotWaiting => "READ-34",
            Self::ErrorWithoutFlag => "READ-32",
            Self::DiagnosticsTruncated => "READ-35",
            Self::NonzeroExit => "EXIT-2",
            Self::BadOption => "API-3",
            Self::BadArgument => "API-4",
            Self::NonceCollision => "FMT-30",
            Self::NotAnEnvelope => "API-5",
            Self::BadCall => "CALL-2",
            Self::BadLegacy => "LEG-2",
            Self::UnknownAction => "CALL-5",
            Self::BadDescription => "CALL-31",
            Self::BadEvent => "EVT-10",
            Self::BadLine => "LINE-18",
            Self::SecretQuestion => "Q-20",
            Self::BadSchema => "Q-41",
            Self::SchemaRefused => "Q-79",
            Self::OverBudget => "Q-140",
            Self::DefaultMismatch => "Q-45",
            Self::AnswerMismatch => "Q-89",
            Self::CannotElicit => "ELI-2",
            Self::BadElicitation => "ELI-40",
            Self::UnknownHandle => "SES-20",
            Self::HandleExists => "SES-21",
            Self::HandleStopped => "SES-22",
            Self::ActionNotOffered => "SES-23",
            Self::NoQuestion => "SES-24",
            Self::PersonOnly => "SES-25",
            Self::BadTool => "FP-6",
            Self::LimitSchemas => "FP-24",
            Self::NoJnHash => "FP-42",
            Self::BadLaunchUri => "LAUNCH-1",
            Self::ValueInLaunchUri => "LAUNCH-43",
            Self::BadProfileWord => "LAUNCH-70",
            Self::BadProfile => "PROF-2",
            Self::BadServerEntry | Self::CannotConvert => "DIAG-50",
            Self::BadLock => "LOCK-1",
            Self::NewerLock => "LOCK-2",
            Self::UnknownLockMember => "LOCK-5",
        }
    }
    /// What is wrong, in one clause. Wording is not contract.
    ///
    /// ```
    /// assert!(toolwire::Code::Bom.summary().contains("byte order mark"));
    /// ```
    pub const fn summary(self) -> &'static str {
        match self {
            Self::LimitBytes => "the output is larger than the limit",
            Self::InvalidUtf8 => "the output is not valid UTF-8",
            Self::Bom => "the output begins with a byte order mark",
            Self::EmptyOutput => "the output is empty or only whitespace",
            Self::PlainText => "the output does not begin with `{`, so it is plain text",
            Self::JsonSyntax => "the output is not JSON: an unexpected character",
            Self::JsonTruncated => "the output ends in the middle of the JSON text",
            Self::TrailingData => "something follows the JSON text",
            Self::ControlCharacter => "a string contains an unescaped control character",
            Self::BadEscape => "a string contains an escape that JSON does not define",
            Self::LoneSurrogate => "a string contains half of a surrogate pair",
            Self::NonFinite => "`NaN` and `Infinity` are not JSON",
            Self::NumberRange => "a number is too large for a double",
            Self::DuplicateName => "an object has two members with the same name",
            Self::LimitDepth => "the JSON text is nested deeper than the limit",
            Self::LimitValues => "the JSON text has more values than the limit",
            Self::LimitBlocks => "the envelope has more blocks than the limit",
            Self::NoContent => {
                "the JSON object has no `content`, so it is not an envelope"
            }
            Self::ContentNotArray => {
                "`content` is not an array, so this is not an envelope"
            }
            Self::UntypedContent => {
                "no element of `content` has a `type`, so this is not an envelope"
            }
            Self::BigInteger => {
                "an integer is beyond 2^53 − 1, where many readers lose digits"
            }
            Self::BlockNotObject => "a block is not an object",
            Self::BlockTypeMissing => "a block has no `type`, or it is not a string",
            Self::UnknownBlockType => "a block has an unknown type",
            Self::MissingField => "a block lacks a field that its type needs",
            Self::WrongType => "a field that the block needs has the wrong JSON type",
            Self::BothBodies => "a resource has both `text` and `blob`",
            Self::NoBody => "a resource has neither `text` nor `blob`",
            Self::BadBase64 => "the content is not base64",
            Self::Base64Variant => {
                "the base64 is not in the standard, padded form, but is readable"
            }
            Self::BadUri => {
                "the URI is empty, contains control characters, or, if it is to be normalized, cannot be"
            }
            Self::BadUrl => "the URL of a question is not one that a host may open",
            Self::EmptyField => "a field that must not be empty is empty",
            Self::IgnoredField => {
                "an optional field has the wrong JSON type and reads as absent"
            }
            Self::OutOfRange => "a number is out of range and reads as absent",
            Self::BadRole => {
                "`audience` contains something other than `user` and `assistant`"
            }
            Self::BadTimestamp => "`lastModified` is not an RFC 3339 date and time",
            Self::BadStatus => "`computer.jp/status` is none of the three states",
            Self::DuplicateQuestionId => {
                "two questions have the same `id`, so their answers cannot be told apart"
            }
            Self::WaitingWithoutQuestion => {
                "the status is `waiting`, but no question is asked"
            }
            Self::QuestionNotWaiting => {
                "a question is asked, but the status is not `waiting`"
            }
            Self::ErrorWithoutFlag => {
                "`computer.jp/error` is present, but `isError` is not true"
            }
            Self::DiagnosticsTruncated => "there are more diagnostics than the limit",
            Self::NonzeroExit => {
                "the tool exited with an error status, so the result is an error"
            }
            Self::BadOption => "an option is unknown or has an invalid value",
            Self::BadArgument => "an argument has an invalid value",
            Self::NonceCollision => {
                "the nonce occurs in a part that it marks as untrusted"
            }
            Self::NotAnEnvelope => "the JSON text is not an envelope",
            Self::BadCall => "the JSON text is not a call document",
            Self::BadLegacy => {
                "the document shows the signs of a legacy format but is not as that format has it"
            }
            Self::UnknownAction => "the call asks for an unknown action",
            Self::BadDescription => "the description of the tools is invalid",
            Self::BadEvent => "the line is not an event",
            Self::BadLine => "the line is none of the line transport",
            Self::SecretQuestion => {
                "the question asks for a secret, which is never asked for in a form"
            }
            Self::BadSchema => "the schema of an answer or argument cannot be used",
            Self::SchemaRefused => {
                "the provider of the model rejects the schema of a tool"
            }
            Self::OverBudget => "checking a question or an answer exceeds the budget",
            Self::DefaultMismatch => {
                "the default of a question does not match its schema"
            }
            Self::AnswerMismatch => "an answer does not match the question's schema",
            Self::CannotElicit => {
                "this revision of MCP has no request that asks the question"
            }
            Self::BadElicitation => "an elicitation request or its result is malformed",
            Self::UnknownHandle => "there is no handle with this id",
            Self::HandleExists => "a handle with this id is in use",
            Self::HandleStopped => {
                "the handle has stopped or is about to, so it takes nothing more"
            }
            Self::ActionNotOffered => "the tool does not offer this action",
            Self::NoQuestion => {
                "no question is open, or another one than the answer is for"
            }
            Self::PersonOnly => "only a person may answer this question",
            Self::BadTool => "the JSON text is not a tool as MCP lists it",
            Self::LimitSchemas => "a schema consists of more schemas than the limit",
            Self::NoJnHash => {
                "these tools have no hash of JN: a value is missing, or is made of other than strings, arrays and objects"
            }
            Self::BadLaunchUri => "the text is no launch URI",
            Self::ValueInLaunchUri => {
                "a launch URI holds a value that may be secret: of a variable, of a header, or a password"
            }
            Self::BadProfileWord => "the text names no profile",
            Self::BadProfile => {
                "the profile of a server can't be read: a member has a value that it can't have, or nothing says how the server is reached"
            }
            Self::BadServerEntry => {
                "the entry of a server can't be read: a member has a value that it can't have, or nothing says how the server is reached"
            }
            Self::CannotConvert => {
                "the form that is asked for can't say how the server is reached"
            }
            Self::BadLock => "the lock file is not one",
            Self::NewerLock => "the lock file has a newer version",
            Self::UnknownLockMember => {
                "the lock file has a member that this version does not know"
            }
        }
    }
    /// What to do about it. Wording is not contract.
    ///
    /// ```
    /// assert!(toolwire::Code::Bom.help().contains("UTF-8"));
    /// ```
    pub const fn help(self) -> &'static str {
        match self {
            Self::LimitBytes => {
                "write less, send large content as a resource link, or raise the limit `max_bytes`"
            }
            Self::InvalidUtf8 => {
                "encode the output as UTF-8, and send binary content as base64 in a `blob`"
            }
            Self::Bom => "write UTF-8 without a byte order mark",
            Self::EmptyOutput => "write an envelope if the tool has something to say",
            Self::PlainText => {
                "nothing to do if plain text is intended; an envelope must be the whole output"
            }
            Self::JsonSyntax => {
                "write the envelope with a JSON library instead of by hand"
            }
            Self::JsonTruncated => {
                "check whether the tool was stopped early or its output was cut"
            }
            Self::TrailingData => {
                "write exactly one JSON text; send logs to stderr, or write the envelope to the result channel"
            }
            Self::ControlCharacter => "escape it, for example a line feed as `\\n`",
            Self::BadEscape => {
                "double the backslash, as in `C:\\\\dir`, or use a JSON library"
            }
            Self::LoneSurrogate => {
                "write the character itself, or both escapes of the pair"
            }
            Self::NonFinite => {
                "write `null` or a string; in Python use `allow_nan=False` to find the place"
            }
            Self::NumberRange | Self::BigInteger => "write it as a string",
            Self::DuplicateName => "keep one of the two members",
            Self::LimitDepth => "nest less, or raise the limit `max_depth`",
            Self::LimitValues => "write less, or raise the limit `max_values`",
            Self::LimitBlocks => "join small blocks, or raise the limit `max_blocks`",
            Self::NoContent => {
                "nothing to do if plain JSON is intended; an envelope needs a `content` array"
            }
            Self::ContentNotArray => "make `content` an array of blocks",
            Self::UntypedContent => "give each block a `type`, such as `text`",
            Self::BlockNotObject => {
                "make each element of `content` an object with a `type`"
            }
            Self::BlockTypeMissing => "give the block a `type`, such as `text`",
            Self::UnknownBlockType => {
                "use one of text, resource, question, image, audio, resource_link"
            }
            Self::MissingField => "add the field",
            Self::WrongType => "give the field the type that the schema names",
            Self::BothBodies => "keep one of the two",
            Self::NoBody => "add its content, or send a `resource_link`",
            Self::BadBase64 => "encode the bytes with standard base64",
            Self::Base64Variant => {
                "use the standard alphabet with padding and without whitespace"
            }
            Self::BadUri => {
                "give a URI such as `file:///dir/name` or `https://host/path`"
            }
            Self::BadUrl => {
                "give an absolute `https` or `http` URL in ASCII, without user information, of at most 8,192 bytes"
            }
            Self::EmptyField => {
                "give the question an `id` that is unique in the envelope"
            }
            Self::IgnoredField => {
                "give the field the type that the schema names, or leave it out"
            }
            Self::OutOfRange => "give a number within the range, or leave the field out",
            Self::BadRole => "use `user`, `assistant` or both",
            Self::BadTimestamp => "write it like `2025-01-12T15:00:58Z`",
            Self::BadStatus => "use `running`, `waiting` or `stopped`",
            Self::DuplicateQuestionId => "give each question its own `id`",
            Self::WaitingWithoutQuestion => {
                "add a `question` block, or use the status `running`"
            }
            Self::QuestionNotWaiting => {
                "use the status `waiting`, or leave the status out"
            }
            Self::ErrorWithoutFlag => "set `isError` to true",
            Self::DiagnosticsTruncated => {
                "fix the first ones, or raise the limit `max_diagnostics`"
            }
            Self::NonzeroExit => "look at what the tool wrote to stderr",
            Self::BadOption => "see the table of options",
            Self::BadArgument => "see the description of the function",
            Self::NonceCollision => "choose another random nonce",
            Self::NotAnEnvelope => {
                "an envelope is an object with a `content` array of typed blocks"
            }
            Self::BadCall => {
                "a call is `{\"tool\":{\"name\":…,\"arguments\":{…}},\"context\":{\"action\":\"run\"}}`"
            }
            Self::BadLegacy => "chapter 17 lists the members of each format",
            Self::UnknownAction => "use `run`, `format_arguments` or `describe`",
            Self::BadDescription => "see `schema/describe.schema.json`",
            Self::BadEvent => {
                "an event is one JSON object a line, such as `{\"type\":\"progress\",\"done\":3,\"total\":14}`"
            }
            Self::BadLine => {
                "see `schema/lines.schema.json`; what is printed belongs on stderr, since stdout carries the lines"
            }
            Self::SecretQuestion => {
                "let the person sign in with OAuth, open a page of the service, or supply the secret in advance"
            }
            Self::BadSchema => {
                "write JSON Schema 2020-12 without references to anything outside the schema"
            }
            Self::SchemaRefused => {
                "give the model the projection of the schema for this provider"
            }
            Self::OverBudget => {
                "use a schema with fewer references, alternatives and patterns, and ask fewer questions at once"
            }
            Self::DefaultMismatch => "give a default that is valid as an answer, or none",
            Self::AnswerMismatch => {
                "give an answer that matches the question's schema, or none"
            }
            Self::CannotElicit => {
                "ask a client of a newer revision, or offer another way"
            }
            Self::BadElicitation => {
                "see `elicitation/create` in the specification of MCP"
            }
            Self::UnknownHandle => {
                "spawn it first, and give the id that it was spawned with"
            }
            Self::HandleExists => {
                "fetch what the handle still has to say, abort it, or choose another id"
            }
            Self::HandleStopped => "fetch the rest of its output, or spawn it again",
            Self::ActionNotOffered => "use one of the actions that its description lists",
            Self::NoQuestion => {
                "give it as `input`, or fetch the handle to see what it asks"
            }
            Self::PersonOnly => "wait until the person has answered, or abort the handle",
            Self::BadTool => "a tool is `{\"name\":…,\"inputSchema\":{…}}`",
            Self::LimitSchemas => {
                "use a smaller schema, or raise the limit `max_schemas`"
            }
            Self::NoJnHash => "compare the fingerprints of the tools instead",
            Self::BadLaunchUri => {
                "write one such as `mcp+uvx://package/command`, `mcp+npx://@scope/package@1.2.3` or `mcp+python://./server.py`"
            }
            Self::ValueInLaunchUri => {
                "write the name alone, `env=NAME` or `header=NAME`, and set the value in the environment"
            }
            Self::BadProfileWord => {
                "write `@profile`, `@profile/tool?name=value` or `@profile?list=tools`"
            }
            Self::BadProfile => {
                "a minimal profile is `{\"command\":\"uvx\",\"args\":[\"biomcp-python\"],\"transport\":\"stdio\"}`"
            }
            Self::BadServerEntry => {
                "an entry is `{\"command\":\"uvx\",\"args\":[\"biomcp-python\"]}` or `{\"url\":\"https://example.org/mcp\"}`"
            }
            Self::CannotConvert => "choose another form, or write the entry by hand",
            Self::BadLock => "write it anew with `toolwire lock`",
            Self::NewerLock => "update Toolwire, or write the lock anew with this one",
            Self::UnknownLockMember => {
                "leave it if a newer Toolwire or another program wrote it; otherwise remove it"
            }
        }
    }
}
closed_words!(
    Code, "a diagnostic code", { LimitBytes => "limit_bytes", InvalidUtf8 =>
    "invalid_utf8", Bom => "bom", EmptyOutput => "empty_output", PlainText =>
    "plain_text", JsonSyntax => "json_syntax", JsonTruncated => "json_truncated",
    TrailingData => "trailing_data", ControlCharacter => "control_character", BadEscape
    => "bad_escape", LoneSurrogate => "lone_surrogate", NonFinite => "non_finite",
    NumberRange => "number_range", DuplicateName => "duplicate_name", LimitDepth =>
    "limit_depth", LimitValues => "limit_values", LimitBlocks => "limit_blocks",
    NoContent => "no_content", ContentNotArray => "content_not_array", UntypedContent =>
    "untyped_content", BigInteger => "big_integer", BlockNotObject => "block_not_object",
    BlockTypeMissing => "block_type_missing", UnknownBlockType => "unknown_block_type",
    MissingField => "missing_field", WrongType => "wrong_type", BothBodies =>
    "both_bodies", NoBody => "no_body", BadBase64 => "bad_base64", Base64Variant =>
    "base64_variant", BadUri => "bad_uri", BadUrl => "bad_url", EmptyField =>
    "empty_field", IgnoredField => "ignored_field", OutOfRange => "out_of_range", BadRole
    => "bad_role", BadTimestamp => "bad_timestamp", BadStatus => "bad_status",
    DuplicateQuestionId => "duplicate_question_id", WaitingWithoutQuestion =>
    "waiting_without_question", QuestionNotWaiting => "question_not_waiting",
    ErrorWithoutFlag => "error_without_flag", DiagnosticsTruncated =>
    "diagnostics_truncated", NonzeroExit => "nonzero_exit", BadOption => "bad_option",
    BadArgument => "bad_argument", NonceCollision => "nonce_collision", NotAnEnvelope =>
    "not_an_envelope", BadCall => "bad_call", BadLegacy => "bad_legacy", UnknownAction =>
    "unknown_action", BadDescription => "bad_description", BadEvent => "bad_event",
    BadLine => "bad_line", SecretQuestion => "secret_question", BadSchema =>
    "bad_schema", SchemaRefused => "schema_refused", OverBudget => "over_budget",
    DefaultMismatch => "default_mismatch", AnswerMismatch => "answer_mismatch",
    CannotElicit => "cannot_elicit", BadElicitation => "bad_elicitation", UnknownHandle
    => "unknown_handle", HandleExists => "handle_exists", HandleStopped =>
    "handle_stopped", ActionNotOffered => "action_not_offered", NoQuestion =>
    "no_question", PersonOnly => "person_only", BadTool => "bad_tool", LimitSchemas =>
    "limit_schemas", NoJnHash => "no_jn_hash", BadLaunchUri => "bad_launch_uri",
    ValueInLaunchUri => "value_in_launch_uri", BadProfileWord => "bad_profile_word",
    BadProfile => "bad_profile", BadServerEntry => "bad_server_entry", CannotConvert =>
    "cannot_convert", BadLock => "bad_lock", NewerLock => "newer_lock", UnknownLockMember
    => "unknown_lock_member", }
);
