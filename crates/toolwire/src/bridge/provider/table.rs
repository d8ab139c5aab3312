//! The table of providers: what each takes. Chapter 34 has the source of every line.

use super::form::{
    Accepted, CallForm, Content, ErrorForm, Form, Id, NameRule, ResultForm, ToolForm,
};
use super::{Family, Provider};
use crate::schema;

/// The line for a provider and a family.
pub(super) fn form(provider: Provider, family: Option<Family>) -> &'static Form {
    let of = |line: &&&'static Form| line.provider == provider;
    let exact = LINES.iter().filter(of).find(|line| line.family == family);
    let line = exact.or_else(|| LINES.iter().find(of));
    // Every provider has a line, as a test shows.
    line.copied().unwrap_or(&ANTHROPIC)
}

/// The first line of a provider is that for models of no family.
static LINES: [&Form; 19] = [
    &ANTHROPIC,
    &OPENAI,
    &OPENAI_CHAT,
    &OPENAI_CHAT_AZURE,
    &GEMINI,
    &GEMINI_2,
    &BEDROCK,
    &BEDROCK_NOVA,
    &BEDROCK_LLAMA,
    &BEDROCK_MISTRAL,
    &BEDROCK_TEXT,
    &BEDROCK_WRITER,
    &MISTRAL,
    &MISTRAL_TEXT,
    &AI_SDK,
    &AI_SDK_6,
    &LANGCHAIN,
    &PYDANTIC_AI,
    &OPENAI_AGENTS,
];

const ANY: usize = usize::MAX;

const IMAGES: &[(&str, &str)] = &[
    ("image/png", "png"),
    ("image/jpeg", "jpeg"),
    ("image/gif", "gif"),
    ("image/webp", "webp"),
];
const PDF: &[(&str, &str)] = &[("application/pdf", "pdf")];
const SOUND: &[(&str, &str)] = &[("audio/wav", "wav"), ("audio/mpeg", "mp3")];
const CSV: (&str, &str) = ("text/csv", "csv");
const TXT: (&str, &str) = ("text/plain", "txt");
const DOCUMENTS: &[(&str, &str)] = &[
    PDF[0],
    CSV,
    TXT,
    ("application/msword", "doc"),
    (
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "docx",
    ),
    ("application/vnd.ms-excel", "xls"),
    (
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        "xlsx",
    ),
    ("text/html", "html"),
    ("text/markdown", "md"),
];

/// Media without a limit of size or number.
const fn accepted(types: &'static [(&'static str, &'static str)], part: &'static str) -> Accepted {
    Accepted {
        types,
        part,
        max_bytes: ANY,
        max_count: ANY,
    }
}

/// An error that a flag shows.
const fn flag(flag: &'static str, has_media: bool) -> ErrorForm {
    ErrorForm {
        flag,
        success: "",
        has_media,
    }
}

/// Nothing but the first line of the text says that it is an error.
const LINE: ErrorForm = flag("", true);

const NAME_64: NameRule = NameRule {
    max: 64,
    others: b"_-",
    begins_with_letter: false,
};
const NAME_128: NameRule = NameRule {
    max: 128,
    ..NAME_64
};

const NO_LIMIT: [usize; 3] = [ANY; 3];

const ANTHROPIC_MEDIA: &[Accepted] = &[
    Accepted {
        types: IMAGES,
        part: r#"{"type":"image","source":{"type":"base64","media_type":$mime,"data":$data}}"#,
        // 5 MB of base64.
        max_bytes: 5 * 1024 * 1024 / 4 * 3,
        max_count: 100,
    },
    Accepted {
        types: PDF,
        part: r#"{"type":"document"<,"title":$title><,"context":$uri>,"source":{"type":"base64","media_type":$mime,"data":$data}}"#,
        max_bytes: 32 * 1024 * 1024 / 4 * 3,
        max_count: ANY,
    },
];

const ANTHROPIC: Form = Form {
    provider: Provider::Anthropic,
    family: None,
    result: ResultForm {
        result: r#"{"type":"tool_result","tool_use_id":$id<,"content":$content><,"is_error":$error>$echo<,"cache_control":$cache>}"#,
        element: "$result",
        message: r#"{"role":"user","content":[$results]}"#,
        wraps_one: true,
        companion: r#"{"role":"user","content":[$parts]}"#,
        joins: true,
        echoed: &["toolset_name"],
        content: Content::StringOrList,
        empty: "",
        text: r#"{"type":"text","text":$text}"#,
        data: "",
        document: r#"{"type":"document"<,"title":$title><,"context":$uri>,"source":{"type":"text","media_type":"text/plain","data":$text}}"#,
        search_result: r#"{"type":"search_result","source":$uri,"title":$heading,"content":[{"type":"text","text":$text}]}"#,
        error: flag("true", false),
        inside: ANTHROPIC_MEDIA,
        beside: ANTHROPIC_MEDIA,
        cache: r#"{"type":"ephemeral"}"#,
        cache_after: "",
    },
    call: CallForm {
        kind: ("type", "tool_use"),
        holder: "",
        id: "id",
        id_inside: false,
        name: "name",
        arguments: "input",
        as_text: false,
        invalid: "INVALID_JSON",
        invalid_kind: "",
        custom: ("", ""),
    },
    tool: ToolForm {
        tool: r#"{"name":$name<,"description":$description>,"input_schema":$schema<,"strict":$strict>}"#,
        cache_after: "",
        cache: r#","cache_control":{"type":"ephemeral"}"#,
        schema: schema::Provider::Anthropic,
        strict: Some(schema::Provider::AnthropicStrict),
        max_tools: ANY,
        max_description: ANY,
        max_strict: [20, 24, 16],
    },
    id: Id::Word(ANY, b"_-"),
    name: NAME_128,
};

const OPENAI_FILE: &str = r#"{"type":"input_file","filename":$filename,"file_data":$url}"#;

const OPENAI: Form = Form {
    provider: Provider::OpenAi,
    family: None,
    result: ResultForm {
        result: r#"{"type":$kind,"call_id":$id,"output":$content$echo}"#,
        message: "",
        wraps_one: false,
        companion: "",
        joins: false,
        echoed: &["caller"],
        empty: r#""""#,
        text: r#"{"type":"input_text","text":$text<,"prompt_cache_breakpoint":$cache>}"#,
        document: "",
        search_result: "",
        error: LINE,
        inside: &[
            accepted(IMAGES, r#"{"type":"input_image","image_url":$url}"#),
            accepted(DOCUMENTS, OPENAI_FILE),
            accepted(&[("application/json", "json")], OPENAI_FILE),
        ],
        beside: &[],
        cache: r#"{"mode":"explicit"}"#,
        ..ANTHROPIC.result
    },
    call: CallForm {
        kind: ("type", "function_call"),
        id: "call_id",
        arguments: "arguments",
        as_text: true,
        invalid: "",
        custom: ("custom_tool_call", ""),
        ..ANTHROPIC.call
    },
    tool: ToolForm {
        tool: r#"{"type":"function","name":$name<,"description":$description>,"parameters":$schema,"strict":$is_strict<,"output_schema":$output>}"#,
        cache: "",
        schema: schema::Provider::OpenAi,
        strict: Some(schema::Provider::OpenAiStrict),
        max_tools: 128,
        max_strict: NO_LIMIT,
        ..ANTHROPIC.tool
    },
    id: Id::Any,
    name: NAME_64,
};

const OPENAI_CHAT: Form = Form {
    provider: Provider::OpenAiChat,
    result: ResultForm {
        result: r#"{"role":"tool","tool_call_id":$id,"content":$content}"#,
        companion: r#"{"role":"user","content":[$parts]}"#,
        echoed: &[],
        content: Content::Joined,
        text: r#"{"type":"text","text":$text<,"prompt_cache_breakpoint":$cache>}"#,
        inside: &[],
        beside: &[
            accepted(IMAGES, r#"{"type":"image_url","image_url":{"url":$url}}"#),
            accepted(
                PDF,
                r#"{"type":"file","file":{"filename":$filename,"file_data":$url}}"#,
            ),
            accepted(
                SOUND,
                r#"{"type":"input_audio","input_audio":{"data":$data,"format":$format}}"#,
            ),
        ],
        ..OPENAI.result
    },
    call: CallForm {
        kind: ("type", "function"),
        holder: "function",
        id: "id",
        custom: ("custom", "custom"),
        ..OPENAI.call
    },
    tool: ToolForm {
        tool: r#"{"type":"function","function":{"name":$name<,"description":$description>,"parameters":$schema<,"strict":$strict>}}"#,
        ..OPENAI.tool
    },
    ..OPENAI
};

const OPENAI_CHAT_AZURE: Form = Form {
    family: Some(Family::Azure),
    tool: ToolForm {
        max_description: 1024,
        ..OPENAI_CHAT.tool
    },
    ..OPENAI_CHAT
};

const GEMINI_FILES: &[(&str, &str)] = &[IMAGES[0], IMAGES[1], IMAGES[3], PDF[0], TXT];
const GEMINI_SOUND_AND_VIDEO: &[(&str, &str)] = &[
    SOUND[0],
    SOUND[1],
    ("image/heic", ""),
    ("image/heif", ""),
    ("audio/aiff", ""),
    ("audio/aac", ""),
    ("audio/ogg", ""),
    ("audio/flac", ""),
    ("video/mp4", ""),
    ("video/mpeg", ""),
    ("video/webm", ""),
    ("video/quicktime", ""),
];
const INLINE: &str = r#"{"inlineData":{"mimeType":$mime,"data":$data}}"#;

const GEMINI: Form = Form {
    provider: Provider::Gemini,
    result: ResultForm {
        result: r#"{"functionResponse":{"name":$name<,"id":$id>,"response":$content<,"parts":$media>}}"#,
        message: r#"{"role":"user","parts":[$results]}"#,
        companion: r#"{"role":"user","parts":[$parts]}"#,
        echoed: &[],
        content: Content::Response,
        text: r#"{"text":$text}"#,
        data: "$data",
        document: "",
        search_result: "",
        error: flag("error", true),
        inside: &[accepted(GEMINI_FILES, INLINE)],
        beside: &[
            accepted(GEMINI_FILES, INLINE),
            accepted(GEMINI_SOUND_AND_VIDEO, INLINE),
        ],
        cache: "",
        ..ANTHROPIC.result
    },
    call: CallForm {
        kind: ("", ""),
        holder: "functionCall",
        id_inside: true,
        arguments: "args",
        ..ANTHROPIC.call
    },
    tool: ToolForm {
        tool: r#"{"name":$name<,"description":$description>,"parameters":$schema<,"responseJsonSchema":$output>}"#,
        cache: "",
        schema: schema::Provider::Google,
        strict: None,
        max_tools: 512,
        max_strict: NO_LIMIT,
        ..ANTHROPIC.tool
    },
    id: Id::Any,
    name: NameRule {
        others: b"_-.:",
        begins_with_letter: true,
        ..NAME_128
    },
    ..ANTHROPIC
};

const GEMINI_2: Form = Form {
    family: Some(Family::Gemini2),
    result: ResultForm {
        inside: &[],
        ..GEMINI.result
    },
    ..GEMINI
};

const BEDROCK_IMAGE: Accepted = Accepted {
    types: IMAGES,
    part: r#"{"image":{"format":$format,"source":{"bytes":$data}}}"#,
    max_bytes: 3_750_000,
    max_count: 20,
};
const BEDROCK_DOCUMENT: Accepted = Accepted {
    types: DOCUMENTS,
    part: r#"{"document":{"format":$format,"name":$document,"source":{"bytes":$data}}}"#,
    max_bytes: 4_500_000,
    max_count: 5,
};

const BEDROCK: Form = Form {
    provider: Provider::Bedrock,
    result: ResultForm {
        result: r#"{"toolResult":{"toolUseId":$id,"content":$content<,"status":$error>}}"#,
        echoed: &[],
        content: Content::List,
        empty: r#"[{"text":"(no output)"}]"#,
        text: r#"{"text":$text}"#,
        data: r#"{"json":$data}"#,
        document: r#"{"document":{"format":"txt","name":$document<,"context":$uri>,"source":{"text":$text}}}"#,
        search_result: r#"{"searchResult":{"source":$uri,"title":$heading,"content":[{"text":$text}]}}"#,
        error: flag(r#""error""#, true),
        inside: &[BEDROCK_IMAGE, BEDROCK_DOCUMENT],
        beside: &[],
        companion: "",
        cache: "",
        cache_after: r#"{"cachePoint":{"type":"default"}}"#,
        ..ANTHROPIC.result
    },
    call: CallForm {
        kind: ("", ""),
        holder: "toolUse",
        id: "toolUseId",
        id_inside: true,
        ..ANTHROPIC.call
    },
    tool: ToolForm {
        tool: r#"{"toolSpec":{"name":$name<,"description":$description>,"inputSchema":{"json":$schema}<,"strict":$strict>}}"#,
        cache_after: r#"{"cachePoint":{"type":"default"}}"#,
        cache: "",
        max_strict: NO_LIMIT,
        ..ANTHROPIC.tool
    },
    id: Id::Word(64, b"_.:-"),
    name: NAME_64,
    ..ANTHROPIC
};

/// Models that take structured content as text.
const fn bedrock(family: Family, inside: &'static [Accepted]) -> Form {
    Form {
        family: Some(family),
        result: ResultForm {
            data: "",
            inside,
            ..BEDROCK.result
        },
        ..BEDROCK
    }
}

const NOVA: Form = bedrock(
    Family::Nova,
    &[
        BEDROCK_IMAGE,
        Accepted {
            types: &[CSV, TXT],
            ..BEDROCK_DOCUMENT
        },
    ],
);
const BEDROCK_NOVA: Form = Form {
    result: ResultForm {
        beside: &[BEDROCK_DOCUMENT],
        companion: r#"{"role":"user","content":[$parts]}"#,
        ..NOVA.result
    },
    ..NOVA
};

const BEDROCK_LLAMA: Form = bedrock(Family::Llama, &[BEDROCK_IMAGE, BEDROCK_DOCUMENT]);

const BEDROCK_MISTRAL: Form = Form {
    result: ResultForm {
        data: BEDROCK.result.data,
        ..bedrock(Family::Mistral, &[BEDROCK_DOCUMENT]).result
    },
    ..bedrock(Family::Mistral, &[])
};

const BEDROCK_TEXT: Form = Form {
    result: ResultForm {
        document: "",
        search_result: "",
        ..bedrock(Family::Text, &[]).result
    },
    ..bedrock(Family::Text, &[])
};

const BEDROCK_WRITER: Form = Form {
    family: Some(Family::Writer),
    result: ResultForm {
        error: LINE,
        ..BEDROCK_TEXT.result
    },
    ..BEDROCK
};

const MISTRAL: Form = Form {
    provider: Provider::Mistral,
    result: ResultForm {
        result: r#"{"role":"tool","tool_call_id":$id,"name":$name,"content":$content}"#,
        companion: "",
        text: r#"{"type":"text","text":$text}"#,
        inside: &[
            accepted(IMAGES, r#"{"type":"image_url","image_url":$url}"#),
            accepted(SOUND, r#"{"type":"input_audio","input_audio":$data}"#),
        ],
        beside: &[],
        cache: "",
        ..OPENAI_CHAT.result
    },
    call: CallForm {
        custom: ("", ""),
        ..OPENAI_CHAT.call
    },
    tool: ToolForm {
        max_tools: ANY,
        ..OPENAI_CHAT.tool
    },
    id: Id::Nine,
    ..OPENAI_CHAT
};

const MISTRAL_TEXT: Form = Form {
    family: Some(Family::Text),
    result: ResultForm {
        inside: &[],
        ..MISTRAL.result
    },
    ..MISTRAL
};

/// Frameworks pass everything on to one of the providers above, so names have to fit them all.
const AI_SDK: Form = Form {
    provider: Provider::AiSdk,
    result: ResultForm {
        result: "$content",
        element: r#"{"type":"tool-result","toolCallId":$id,"toolName":$name,"output":$result}"#,
        message: r#"{"role":"tool","content":[$results]}"#,
        content: Content::Typed,
        empty: r#"{"type":"text","value":""}"#,
        error: flag("error", false),
        inside: &[accepted(IMAGES, AI_SDK_FILE), accepted(PDF, AI_SDK_FILE)],
        ..MISTRAL.result
    },
    call: CallForm {
        kind: ("type", "tool-call"),
        id: "toolCallId",
        name: "toolName",
        invalid: "rawInvalidInput",
        ..ANTHROPIC.call
    },
    tool: ToolForm {
        tool: r#"{"type":"function","name":$name<,"description":$description>,"inputSchema":$schema<,"strict":$strict>}"#,
        strict: Some(schema::Provider::Common),
        ..MISTRAL.tool
    },
    id: Id::Any,
    ..MISTRAL
};
const AI_SDK_FILE: &str =
    r#"{"type":"file","mediaType":$mime,"data":{"type":"data","data":$data}<,"filename":$name>}"#;

const AI_SDK_6: Form = Form {
    family: Some(Family::AiSdk6),
    result: ResultForm {
        inside: &[
            accepted(
                IMAGES,
                r#"{"type":"image-data","mediaType":$mime,"data":$data}"#,
            ),
            accepted(
                PDF,
                r#"{"type":"file-data","mediaType":$mime,"data":$data<,"filename":$name>}"#,
            ),
        ],
        ..AI_SDK.result
    },
    ..AI_SDK
};

const LANGCHAIN: Form = Form {
    provider: Provider::LangChain,
    result: ResultForm {
        result: r#"{"type":"tool","tool_call_id":$id,"name":$name,"content":$content,"status":$error<,"artifact":{"structured_content":$structured}>}"#,
        content: Content::StringOrList,
        document: r#"{"type":"text-plain","mime_type":"text/plain","text":$text<,"title":$title><,"context":$uri>}"#,
        error: ErrorForm {
            success: r#""success""#,
            ..flag(r#""error""#, false)
        },
        inside: &[
            accepted(
                IMAGES,
                r#"{"type":"image","base64":$data,"mime_type":$mime}"#,
            ),
            accepted(
                PDF,
                r#"{"type":"file","base64":$data,"mime_type":$mime<,"extras":{"filename":$name}>}"#,
            ),
        ],
        ..MISTRAL.result
    },
    call: CallForm {
        kind: ("type", "tool_call"),
        arguments: "args",
        invalid_kind: "invalid_tool_call",
        ..ANTHROPIC.call
    },
    tool: ToolForm {
        strict: Some(schema::Provider::Common),
        ..MISTRAL.tool
    },
    id: Id::Any,
    ..MISTRAL
};

const PYDANTIC_AI: Form = Form {
    provider: Provider::PydanticAi,
    result: ResultForm {
        result: r#"{"part_kind":"tool-return","tool_name":$name,"tool_call_id":$id,"content":$content<,"outcome":$error>}"#,
        message: r#"{"kind":"request","parts":[$results]}"#,
        content: Content::StringOrList,
        text: "$text",
        data: "$data",
        error: flag(r#""failed""#, false),
        inside: &[
            accepted(
                IMAGES,
                r#"{"kind":"binary","media_type":$mime,"data":$data}"#,
            ),
            accepted(PDF, r#"{"kind":"binary","media_type":$mime,"data":$data}"#),
        ],
        ..MISTRAL.result
    },
    call: CallForm {
        kind: ("part_kind", "tool-call"),
        id: "tool_call_id",
        name: "tool_name",
        arguments: "args",
        as_text: true,
        invalid: "",
        ..ANTHROPIC.call
    },
    tool: ToolForm {
        tool: r#"{"name":$name<,"description":$description>,"parameters_json_schema":$schema<,"strict":$strict>}"#,
        strict: Some(schema::Provider::Common),
        ..MISTRAL.tool
    },
    id: Id::Any,
    ..MISTRAL
};

const OPENAI_AGENTS: Form = Form {
    provider: Provider::OpenAiAgents,
    result: ResultForm {
        result: "$content",
        text: r#"{"type":"text","text":$text}"#,
        inside: &[
            accepted(IMAGES, r#"{"type":"image","image_url":$url}"#),
            accepted(
                PDF,
                r#"{"type":"file","file_data":$url,"filename":$filename}"#,
            ),
        ],
        cache: "",
        ..OPENAI.result
    },
    tool: ToolForm {
        tool: r#"{"name":$name<,"description":$description>,"params_json_schema":$schema,"strict_json_schema":$is_strict}"#,
        ..OPENAI.tool
    },
    ..OPENAI
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_provider_has_a_line_of_its_own_and_every_family_is_in_the_table() {
        for provider in Provider::ALL {
            let line = form(*provider, None);
            assert!(line.provider == *provider && line.family.is_none());
        }
        for family in Family::ALL {
            let lines = LINES.iter().filter(|line| line.family == Some(*family));
            assert!(lines.count() > 0, "{family}");
        }
    }
}
