//! Revision 2025-11-25: icons, and how a tool is to be executed.

use super::dialect::{Dialect, TOOL_MEMBERS};

pub(super) const DIALECT: Dialect = Dialect {
    icons: true,
    any_structured_content: false,
    result_type: false,
    tool_members: &{
        let [name, title, description, input, output, annotations] = TOOL_MEMBERS;
        [
            name,
            title,
            description,
            input,
            output,
            annotations,
            "icons",
            "execution",
        ]
    },
};
