//! Revision 2025-06-18.

use super::dialect::{Dialect, TOOL_MEMBERS};

pub(super) const DIALECT: Dialect = Dialect {
    icons: false,
    any_structured_content: false,
    result_type: false,
    tool_members: &TOOL_MEMBERS,
};
